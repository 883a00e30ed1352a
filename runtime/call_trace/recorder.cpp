// SPDX-License-Identifier: Apache-2.0
#include "runtime/call_trace/recorder.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

extern "C" void* __libc_stack_end;  // of the main thread: glibc has it for the unwinder

namespace ravel {

constinit CallRecorder g_call_recorder;
constinit thread_local bool g_is_traced_thread = false;

namespace {

constinit bool g_in_sequence = false;

template <typename T>
ValueClass class_of(std::uint64_t address) {
  T value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
  return value == 0 ? ValueClass::zero : value < 0 ? ValueClass::negative : ValueClass::positive;
}

ValueClass class_of(std::uint64_t address, std::uint8_t size) {
  switch (size) {
    case 1:
      return class_of<std::int8_t>(address);
    case 2:
      return class_of<std::int16_t>(address);
    case 4:
      return class_of<std::int32_t>(address);
    case 8:
      return class_of<std::int64_t>(address);
    default:
      return ValueClass::unknown;
  }
}

// A hook comes before its access, so the value of a write is there when the next event comes.
void finish_write() {
  CallEvent* const write = g_call_recorder.unfinished;
  if (write == nullptr) return;
  g_call_recorder.unfinished = nullptr;
  write->value = class_of(write->address, write->size);
}

bool is_shared(std::uint64_t address) {
  const auto here = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
  constexpr std::uint64_t kBelow = 4096;  // frames of functions that have not been entered yet
  if (address >= here - kBelow && address < g_call_recorder.stack_top) return false;
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
  if (address < g_call_recorder.trace->first_new) return true;
  return !find_block(address, begin, size);
}

}  // namespace

void record_event(CallEventKind kind, std::uint64_t address, std::uint64_t pc, std::uint8_t size) {
  CallTrace& trace = *g_call_recorder.trace;
  finish_write();
  if (trace.event_count == CallTrace::kMostEvents) {
    trace.overflow = 1;
    return;
  }
  CallEvent& event = trace.event[trace.event_count++];
  const bool access = kind == CallEventKind::read || kind == CallEventKind::write || kind == CallEventKind::freed;
  event = {address, pc, kind, ValueClass::unknown, static_cast<std::uint8_t>(access && is_shared(address)), size};
  if (access && is_freed(address)) give_up(CallOutcome::crashed);
  if (kind == CallEventKind::write) g_call_recorder.unfinished = &event;
}

void record_range(CallEventKind kind, const void* begin, std::uint64_t bytes, std::uint64_t pc) {
  constexpr std::uint64_t kMostWords = 64;
  if (!is_recording()) return;
  const auto from = reinterpret_cast<std::uint64_t>(begin);
  for (std::uint64_t at = 0; at < bytes && at < kMostWords * 8; at += 8) {
    record_event(kind, from + at, pc, bytes - at < 8 ? 1 : 8);
  }
}

void give_up(CallOutcome outcome) {
  g_call_recorder.trace->outcome = outcome;
  _exit(0);
}

bool in_sequence() { return g_in_sequence; }

}  // namespace ravel

using ravel::g_call_recorder;

// The harness (include/ravel/harness.h) finds these by name.

RAVEL_CALLS_EXPORT ravel::CallTrace* ravel_calls_open() {
  void* const memory =
      mmap(nullptr, sizeof(ravel::CallTrace), PROT_READ | PROT_WRITE, MAP_SHARED, ravel::kCallTraceDescriptor, 0);
  if (memory == MAP_FAILED) return nullptr;
  g_call_recorder.trace = static_cast<ravel::CallTrace*>(memory);
  return g_call_recorder.trace;
}

// Before the first call of a sequence, in the process that performs it.
RAVEL_CALLS_EXPORT void ravel_calls_prepare() {
  ravel::begin_sequence_heap();
  ravel::g_in_sequence = true;
  ravel::g_is_traced_thread = true;
}

// Around the last call of it.
RAVEL_CALLS_EXPORT void ravel_calls_begin() {
  g_call_recorder.stack_top = reinterpret_cast<std::uint64_t>(__libc_stack_end);
  g_call_recorder.trace->first_new = ravel::heap_end();
  g_call_recorder.on = true;
}

RAVEL_CALLS_EXPORT void ravel_calls_end() {
  if (!g_call_recorder.on) return;
  ravel::finish_write();
  g_call_recorder.on = false;
}

RAVEL_CALLS_EXPORT void ravel_calls_state(const void* object, std::uint64_t size) {
  g_call_recorder.trace->state = ravel::hash_state(object, size);
}
