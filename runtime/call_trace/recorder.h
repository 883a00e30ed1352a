// SPDX-License-Identifier: Apache-2.0
// The recorder of libravel_calls.so: writes what one call does into the CallTrace that the driver reads.
//
// Who calls it: the hooks of this folder. Thread safety: events of the thread that began the trace only; others are
// ignored.
#pragma once

#include <cstdint>

#include "trace/call_trace.h"

#define RAVEL_CALLS_EXPORT extern "C" __attribute__((visibility("default")))
#define RAVEL_CALLS_PC reinterpret_cast<std::uint64_t>(__builtin_return_address(0))

namespace ravel {

struct CallRecorder {
  CallTrace* trace = nullptr;
  bool on = false;
  std::uint64_t stack_top = 0;      // of the traced thread; objects on its stack are its own
  CallEvent* unfinished = nullptr;  // a write whose value is not there yet
};

extern thread_local bool g_is_traced_thread;
extern CallRecorder g_call_recorder;

void record_event(CallEventKind kind, std::uint64_t address, std::uint64_t pc, std::uint8_t size);

// Is a call being traced, and is this its thread?
inline bool is_recording() { return g_call_recorder.on && g_is_traced_thread; }

inline void record(CallEventKind kind, const volatile void* address, std::uint64_t pc, std::uint8_t size) {
  if (is_recording()) record_event(kind, reinterpret_cast<std::uint64_t>(address), pc, size);
}

// A range counts by its words, so that it meets what is accessed word by word elsewhere.
void record_range(CallEventKind kind, const void* begin, std::uint64_t bytes, std::uint64_t pc);

// Ends the process: the call cannot be followed alone.
[[noreturn]] void give_up(CallOutcome outcome);

// Is a sequence running?
bool in_sequence();

// What the harness itself has allocated so far differs from sequence to sequence; their own memory begins elsewhere.
void begin_sequence_heap();
// Heap memory from this address on has not been given out yet.
std::uint64_t heap_end();
// Where that of the traced call began.
inline std::uint64_t first_new_heap() { return g_call_recorder.trace->first_new; }
// The block that holds the address: its beginning and size. False: it is in none.
bool find_block(std::uint64_t address, std::uint64_t& begin, std::uint64_t& size);

// Was the block that holds the address given back? Alone, a call that comes there has failed.
bool is_freed(std::uint64_t address);

// Of everything that can be reached from the object; `size` 0: it is a heap block. Heap addresses do not count, only
// what is there.
std::uint64_t hash_state(const void* object, std::uint64_t size);

}  // namespace ravel
