// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/heap_operations.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include <algorithm>

#include "runtime/interpose/annotation_operations.h"
#include "runtime/interpose/memory_operations.h"
#include "runtime/interpose/object_lives.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/memory/open_table.h"
#include "runtime/memory/unwritten_memory.h"
#include "runtime/resident/residence.h"
#include "runtime/scheduler/scheduler.h"
#include "runtime/scheduler/stack_capture.h"

extern "C" {
void* __libc_malloc(size_t size);                // NOLINT: glibc's names
void* __libc_realloc(void* block, size_t size);  // NOLINT
void __libc_free(void* block);                   // NOLINT
}

namespace ravel {
namespace {

// glibc marks blocks that are mappings of their own in the word before them.
bool is_mapping(const void* block) {
  constexpr std::size_t kIsMapping = 2;
  return block != nullptr && (static_cast<const std::size_t*>(block)[-1] & kIsMapping) != 0;
}

void free_in_libc(void* block) {
  if (is_mapping(block)) mappings_may_differ();
  __libc_free(block);
}

// If the program is not instrumented its accesses are not seen: then the quarantine only serves to find double frees.
constexpr std::uint64_t kPlainQuarantine = 256 << 10;

// Larger blocks are not filled with the pattern of unwritten memory: that would touch all their pages.
constexpr std::size_t kMostFilled = 1 << 20;

// Where a finding was reported: once for each place.
struct StatedPlace {
  std::uint64_t pc;
  FindingKind kind;
};

// What is kept of a block in watched memory.
struct WatchedBlock {
  std::uint64_t start;
  std::uint64_t end;
  StackRecord allocated;
  StackRecord freed;
};

// A block from before the first execution: no execution can watch it being allocated.
constexpr TaskId kBeforeControl = 0x7ffe;  // T0, then; no task has this number
static_assert(kBeforeControl >= kMaxTasks);
constexpr std::size_t kMostEarly = std::size_t{1} << 16;
struct EarlyBlock {
  std::uint64_t frames[kAllocationFrames];  // return addresses, innermost first, 0-terminated when fewer
  bool told;                                // to the driver, in this execution
};

// The heap of the process, from the first block on. Any thread allocates and frees, and so changes `blocks` and
// `unwritten`; the rest is for the running task. Executions inherit it as it is when they are forked.
struct HeapState {
  HeapBlocks blocks;
  OpenTable<EarlyBlock> early;
  UnwrittenMemory unwritten;  // used when `fills`
  Quarantine quarantine;      // its memory; only executions put blocks into it
  bool prepared = false;
  bool fills = false;  // launch.uninitialised
  bool operators_replaced = false;
};
constinit HeapState g_heap;

// What is known of the heap in one execution only; for the running task. Never reset: each execution is a process of
// its own.
struct HeapExecution {
  bool quarantine_limited = false;
  // Code that finds it set (a signal handler of the program; a thread that is just ending) skips the quarantine.
  bool quarantine_busy = false;
  std::uint32_t stated_count = 0;
  StatedPlace stated[64] = {};
  std::uint32_t watched_next = 0;
  WatchedBlock watched[8] = {};
  // 16 bytes each, by their address: heap_block_touched has looked at them. Looking is slow for memory outside of the
  // heap.
  std::uint64_t touched[1024] = {};
};
constinit HeapExecution g_heap_execution;

TaskId allocating_task(const HeapBlock& block) { return block.allocated_by == kBeforeControl ? 0 : block.allocated_by; }

void keep_early_stack(std::uint64_t start, CallSite pc) {
  auto* known = g_heap.early.find(start);
  if (known == nullptr && g_heap.early.size() == kMostEarly) return;
  EarlyBlock& block = (known != nullptr ? *known : g_heap.early.find_or_add(start)).value;
  block = EarlyBlock{};
  block.frames[0] = pc;
  copy_shadow_stack(block.frames + 1, kAllocationFrames - 1);
}

// Where there is no room the block has no name in reports.
AllocationRecord* tell_allocation(std::uint64_t start, std::uint64_t size) {
  Channel& channel = scheduler().channel();
  if (channel.result.allocations >= kMaxAllocations) return nullptr;
  AllocationRecord& record = channel.result.allocation[channel.result.allocations++];
  record = AllocationRecord{};
  record.start = start;
  record.size = size;
  record.step = channel.result.summary.steps;
  return &record;
}

void copy_early_stack(std::uint64_t start, StackRecord& stack) {
  stack.count = 0;
  const auto* known = g_heap.early.find(start);
  if (known == nullptr) return;
  for (const std::uint64_t frame : known->value.frames) {
    if (frame == 0) break;
    stack.frames[stack.count++] = frame;
  }
}

void prepare() {
  g_heap.prepared = true;
  g_heap.blocks.prepare();
  const LaunchOptions& launch = scheduler().channel().launch.options;
  if (launch.heap != 0) g_heap.quarantine.prepare(std::uint64_t{launch.quarantine_kb} << 10);
  if (launch.heap != 0 && launch.uninitialised != 0) g_heap.fills = g_heap.unwritten.prepare();
}

// Is the caller a task under control? Only then is misuse looked for.
bool controlled_task() { return on_task_thread() && scheduler().controlled(); }
bool looks_for_misuse() { return controlled_task() && scheduler().channel().launch.options.heap != 0; }

// Does anybody see accesses to memory?
bool sees_accesses() { return scheduler().channel().launch.instrumented != 0; }

std::uint64_t usable_size(std::uint64_t start) { return real().malloc_usable_size(reinterpret_cast<void*>(start)); }

// -- stacks of blocks in watched memory -------------------------------------------------------------------------------

bool is_watched(std::uint64_t start, std::uint64_t size) {
  return scheduler().channel().request.watch.size != 0 && memory_is_watched(start, size);
}

WatchedBlock* watched_block(std::uint64_t start) {
  for (WatchedBlock& block : g_heap_execution.watched) {
    if (block.end != 0 && block.start == start) return &block;
  }
  return nullptr;
}

// A record for the block; an older one about the same memory is out of date.
WatchedBlock& new_watched_block(std::uint64_t start, std::uint64_t end) {
  auto& watched = g_heap_execution.watched;
  WatchedBlock* chosen = nullptr;
  for (WatchedBlock& block : watched) {
    if (block.start < end && start < block.end) {
      block.end = 0;
      chosen = &block;
    } else if (block.end == 0 && chosen == nullptr) {
      chosen = &block;
    }
  }
  if (chosen == nullptr) chosen = &watched[g_heap_execution.watched_next++ % std::size(watched)];
  chosen->start = start;
  chosen->end = end;
  chosen->allocated.count = 0;
  chosen->freed.count = 0;
  return *chosen;
}

void watch_allocation(std::uint64_t start, std::uint64_t size) {
  if (!is_watched(start, size)) return;
  capture_stack(new_watched_block(start, start + size).allocated);
}

void watch_free(std::uint64_t start, std::uint64_t size) {
  if (!is_watched(start, size)) return;
  WatchedBlock* block = watched_block(start);
  if (block == nullptr) block = &new_watched_block(start, start + size);
  capture_stack(block->freed);
}

// -- findings ---------------------------------------------------------------------------------------------------------

bool stated_before(FindingKind kind, std::uint64_t pc) {
  HeapExecution& execution = g_heap_execution;
  for (std::uint32_t i = 0; i < execution.stated_count; ++i) {
    if (execution.stated[i].pc == pc && execution.stated[i].kind == kind) return true;
  }
  if (execution.stated_count < std::size(execution.stated))
    execution.stated[execution.stated_count++] = StatedPlace{pc, kind};
  return false;
}

void state(FindingKind kind, const char* message, const Operation& operation, std::uint64_t address,
           std::uint64_t size) {
  if (stated_before(kind, operation.pc)) return;
  const int saved_errno = errno;
  if (FindingRecord* record = scheduler().report(kind, message, operation)) {
    record->address = address;
    record->size = size;
    describe_heap_block(address, record->block);
  }
  errno = saved_errno;
}

Operation free_operation(std::uint64_t start, std::uint64_t size, CallSite pc) {
  Operation operation = operation_on(OperationKind::heap_free, start, pc);
  operation.size = static_cast<std::uint16_t>(std::min<std::uint64_t>(size, UINT16_MAX));
  return operation;
}

struct Text {
  char text[40];
};

Text task_text(TaskId task) {
  Text result;
  if (task == kNoTask) {
    snprintf(result.text, sizeof result.text, "a thread Ravel does not control");
  } else {
    snprintf(result.text, sizeof result.text, "T%u", task);
  }
  return result;
}

Text bytes_text(std::uint64_t bytes) {
  Text result;
  snprintf(result.text, sizeof result.text, "%llu byte%s", static_cast<unsigned long long>(bytes),
           bytes == 1 ? "" : "s");
  return result;
}

const char* allocation_name(HeapKind kind) {
  constexpr const char* kNames[] = {"malloc", "new", "new[]", "aligned new", "aligned new[]"};
  return kNames[static_cast<unsigned>(kind)];
}

const char* free_name(HeapKind kind) {
  constexpr const char* kNames[] = {"free", "delete", "delete[]", "aligned delete", "aligned delete[]"};
  return kNames[static_cast<unsigned>(kind)];
}

TaskId current_task() { return scheduler().current().id; }

void state_double_free(const HeapBlock& block, const char* verb, CallSite pc) {
  char message[320];
  snprintf(message, sizeof message, "%s %s a block of %s that %s already freed", task_text(current_task()).text, verb,
           bytes_text(block.size).text, task_text(block.freed_by).text);
  state(FindingKind::double_free, message, free_operation(block.start, block.size, pc), block.start,
        std::max<std::uint64_t>(1, block.size));
}

void state_bad_free(const HeapBlock& block, const char* message, CallSite pc) {
  state(FindingKind::bad_free, message, free_operation(block.start, block.size, pc), block.start,
        std::max<std::uint64_t>(1, block.size));
}

// `block`: what is known of the freed block, which may have left the quarantine. `use`: "reads 4 bytes of".
void state_use_after_free(const HeapBlock& block, const char* use, const Operation& operation, std::uint64_t size) {
  char message[320];
  const Text me = task_text(current_task());
  if (block) {
    snprintf(message, sizeof message, "%s %s a block of %s that %s freed", me.text, use, bytes_text(block.size).text,
             task_text(block.freed_by).text);
  } else {
    snprintf(message, sizeof message, "%s %s a block that was freed", me.text, use);
  }
  state(FindingKind::use_after_free, message, operation, operation.object, std::max<std::uint64_t>(1, size));
}

// A pointer that is the start of no known block: states what is wrong with it where that is certain.
bool is_invalid(std::uint64_t address, const char* verb, CallSite pc) {
  char message[320];
  const Text me = task_text(current_task());
  if (const HeapBlock block = g_heap.blocks.holding(address)) {
    snprintf(message, sizeof message, "%s %s memory inside a block of %s, %s after its start%s", me.text, verb,
             bytes_text(block.size).text, bytes_text(address - block.start).text,
             block.freed ? "; the block was already freed" : "");
    state_bad_free(block, message, pc);
    return true;
  }
  message[0] = '\0';
  Channel& channel = scheduler().channel();
  const std::uint32_t tasks = std::min<std::uint32_t>(scheduler().task_count(), kMaxTaskRecords);
  for (TaskId task = 0; task < tasks && message[0] == '\0'; ++task) {
    if (address < channel.result.task[task].stack_low || address >= channel.result.task[task].stack_high) continue;
    snprintf(message, sizeof message, "%s %s memory on the stack of %s", me.text, verb, task_text(task).text);
  }
  for (std::uint32_t i = 0; i < channel.launch.modules && message[0] == '\0'; ++i) {
    if (address < channel.launch.module[i].start || address >= channel.launch.module[i].end) continue;
    snprintf(message, sizeof message, "%s %s memory of a global variable", me.text, verb);
  }
  if (message[0] == '\0') return false;
  state(FindingKind::bad_free, message, free_operation(address, 0, pc), address, 0);
  return true;
}

bool is_mismatched(const HeapBlock& block, HeapKind kind, std::size_t size, CallSite pc) {
  if (g_heap.operators_replaced) return false;
  char message[320];
  if (block.kind != kind) {
    snprintf(message, sizeof message, "%s frees a block of %s from %s with %s", task_text(current_task()).text,
             bytes_text(block.size).text, allocation_name(block.kind), free_name(kind));
  } else if (size != kAnySize && size != block.size) {
    snprintf(message, sizeof message, "%s frees a block of %s with %s as one of %s", task_text(current_task()).text,
             bytes_text(block.size).text, free_name(kind), bytes_text(size).text);
  } else {
    return false;
  }
  state_bad_free(block, message, pc);
  return true;
}

// -- giving back ------------------------------------------------------------------------------------------------------

// Is the block a mapping of its own? glibc keeps that, and the size, in the word before the block.
bool is_mapping(std::uint64_t start) { return (reinterpret_cast<const std::uint64_t*>(start)[-1] & 2) != 0; }

// The block goes to libc's allocator. To the shadow its memory stays freed until it is handed out again, so that a use
// after free is still seen when the quarantine is over; a mapping of its own may come back as anything.
void release(std::uint64_t start, std::uint64_t bytes) {
  g_heap.blocks.forget(start);
  if (is_mapping(start) && sees_accesses()) memory_released(start, bytes);
  free_in_libc(reinterpret_cast<void*>(start));
}

// Other tasks may run in here, and free the same block. False when that happened.
bool announce_free(const HeapBlock& block, std::uint64_t bytes, const char* verb, CallSite pc) {
  if (sees_accesses()) {
    memory_freed(block.start, bytes, pc);
    if (const HeapBlock now = g_heap.blocks.at(block.start); !now || now.freed) {
      state_double_free(now ? now : block, verb, pc);
      return false;
    }
  }
  objects_gone(block.start, bytes);
  watch_free(block.start, bytes);
  return true;
}

// A correct free of a live block. Where it came from and who may free it has been checked.
void give_back(const HeapBlock& block, const char* verb, CallSite pc) {
  const std::uint64_t bytes = usable_size(block.start);
  if (!announce_free(block, bytes, verb, pc)) return;
  if (!g_heap_execution.quarantine_limited) {
    g_heap_execution.quarantine_limited = true;
    if (!sees_accesses()) g_heap.quarantine.limit(kPlainQuarantine);
  }
  if (!g_heap.quarantine.takes(bytes) ||
      __atomic_exchange_n(&g_heap_execution.quarantine_busy, true, __ATOMIC_ACQUIRE)) {
    release(block.start, bytes);
    return;
  }
  g_heap.blocks.freed(block.start, current_task());
  g_heap.quarantine.add(block.start, bytes);
  while (g_heap.quarantine.must_leave()) {
    const Quarantine::Block oldest = g_heap.quarantine.leave();
    release(oldest.start, oldest.bytes);
  }
  __atomic_store_n(&g_heap_execution.quarantine_busy, false, __ATOMIC_RELEASE);
}

void fill(std::uint64_t start, std::uint64_t size, std::uint64_t kept, HeapContents contents) {
  if (contents == HeapContents::none && size <= kMostFilled) {
    const std::uint64_t from = (kept + 7) & ~std::uint64_t{7};
    if (from < size) g_heap.unwritten.handed_out(start + from, size - from);
    g_heap.unwritten.written(start, kept);
  } else {
    g_heap.unwritten.written(start, size);
  }
}

// `kept`: how many of its bytes have contents.
void note_block(std::uint64_t start, std::uint64_t size, HeapKind kind, HeapContents contents, std::uint64_t kept,
                CallSite pc) {
  if (!g_heap.prepared) [[unlikely]]
    prepare();
  TaskId task = kBeforeControl;
  if (!on_task_thread()) {
    task = kNoTask;
  } else if (scheduler().controlled()) {
    task = current_task();
    // The usable size, not the one asked for: the rest of the block has a new owner, too.
    if (sees_accesses()) memory_released(start, usable_size(start));
    if (scheduler().traces_values()) [[unlikely]] {
      if (AllocationRecord* record = tell_allocation(start, size)) {
        record->task = task;
        record->frames[0] = pc;
        copy_shadow_stack(record->frames + 1, kAllocationFrames - 1);
      }
    }
  } else {
    keep_early_stack(start, pc);
  }
  g_heap.blocks.allocated(start, size, kind, task);
  if (scheduler().channel().request.watch.size != 0) [[unlikely]]
    watch_allocation(start, std::max<std::uint64_t>(1, size));
  if (g_heap.fills) [[unlikely]]
    fill(start, size, kept, contents);
}

void* allocate_copy(const HeapBlock& block, std::size_t size, CallSite pc) {
  void* fresh = __libc_malloc(size);
  if (fresh == nullptr) return nullptr;
  const std::size_t kept = std::min<std::size_t>(size, block.size);
  note_block(address_of(fresh), size, HeapKind::malloc, HeapContents::none, kept, pc);
  memcpy(fresh, reinterpret_cast<const void*>(block.start), kept);
  return fresh;
}

// libc moves the block, or not. For blocks that are not held back, and when misuse is not looked for.
void* reallocate_by_libc(void* block, std::size_t size, const HeapBlock& known, CallSite pc) {
  if (known) g_heap.blocks.forget(known.start);
  if (is_mapping(block)) mappings_may_differ();
  void* moved = __libc_realloc(block, size);
  if (moved == nullptr) {
    if (known && size != 0) g_heap.blocks.allocated(known.start, known.size, known.kind, known.allocated_by);
    return nullptr;
  }
  if (moved == block && known) {
    g_heap.blocks.allocated(known.start, size, HeapKind::malloc, known.allocated_by);
    if (controlled_task() && sees_accesses()) memory_released(known.start, usable_size(known.start));
    if (g_heap.fills && size > known.size) fill(known.start, size, known.size, HeapContents::none);
    return moved;
  }
  // The contents of an unknown block cannot be distinguished from new memory.
  note_block(address_of(moved), size, HeapKind::malloc, HeapContents::none, known ? std::min(size, known.size) : size,
             pc);
  return moved;
}

}  // namespace

void* heap_allocated(void* block, std::size_t size, HeapKind kind, CallSite pc, HeapContents contents) {
  if (block != nullptr) note_block(address_of(block), size, kind, contents, 0, pc);
  return block;
}

void heap_block_is_from(void* block, HeapKind kind) {
  if (const HeapBlock known = g_heap.blocks.at(address_of(block))) g_heap.blocks.change(known.start, known.size, kind);
}

void heap_operators_are_replaced() { g_heap.operators_replaced = true; }

void heap_free(void* block, HeapKind kind, std::size_t size, CallSite pc) {
  const HeapBlock known = g_heap.blocks.at(address_of(block));
  if (!looks_for_misuse()) {
    if (known.freed) return;  // by a thread that is not a task: cannot be reported, and the block is not ours to give
    if (known) g_heap.blocks.forget(known.start);
    free_in_libc(block);
    return;
  }
  if (!known) [[unlikely]] {
    if (!is_invalid(address_of(block), "frees", pc)) free_in_libc(block);
    return;
  }
  if (known.freed) [[unlikely]]
    return state_double_free(known, "frees", pc);
  if (is_mismatched(known, kind, size, pc)) [[unlikely]]
    return;
  give_back(known, "frees", pc);
}

void* heap_reallocate(void* block, std::size_t size, CallSite pc) {
  if (block == nullptr) return heap_allocated(__libc_malloc(size), size, HeapKind::malloc, pc);
  const HeapBlock known = g_heap.blocks.at(address_of(block));
  if (!looks_for_misuse()) {
    return known.freed ? allocate_copy(known, size, pc) : reallocate_by_libc(block, size, known, pc);
  }
  if (!known) {
    if (!is_invalid(address_of(block), "reallocates", pc)) return reallocate_by_libc(block, size, known, pc);
    return heap_allocated(__libc_malloc(size), size, HeapKind::malloc, pc);
  }
  if (known.freed) {
    state_double_free(known, "reallocates", pc);
    return allocate_copy(known, size, pc);
  }
  if (known.kind != HeapKind::malloc && !g_heap.operators_replaced) {
    char message[320];
    snprintf(message, sizeof message, "%s reallocates a block of %s from %s", task_text(current_task()).text,
             bytes_text(known.size).text, allocation_name(known.kind));
    state_bad_free(known, message, pc);
    return allocate_copy(known, size, pc);
  }
  if (size == 0) {
    give_back(known, "reallocates", pc);
    return nullptr;
  }
  const std::uint64_t bytes = usable_size(known.start);
  if (size <= bytes && size >= bytes / 2) {
    g_heap.blocks.change(known.start, size, HeapKind::malloc);
    if (g_heap.fills && size > known.size) fill(known.start, size, known.size, HeapContents::none);
    return block;
  }
  if (!g_heap.quarantine.takes(bytes)) {
    // Too large to be held back: libc may move it without copying.
    if (!announce_free(known, bytes, "reallocates", pc)) return allocate_copy(known, size, pc);
    memory_released(known.start, bytes);
    return reallocate_by_libc(block, size, known, pc);
  }
  void* fresh = allocate_copy(known, size, pc);
  if (fresh != nullptr) give_back(known, "reallocates", pc);
  return fresh;
}

void report_use_after_free(const Operation& operation) {
  const HeapBlock block = g_heap.blocks.holding(operation.object);
  if (block && !block.freed) {
    // A thread that is not a task got the memory in the meantime, and could not update the shadow.
    memory_released(block.start, usable_size(block.start));
    return;
  }
  char use[80];
  snprintf(use, sizeof use, "%s %s of", operation_role(operation.kind) == OperationRole::reads ? "reads" : "writes",
           bytes_text(operation.size).text);
  state_use_after_free(block, use, operation, operation.size);
}

HeapMemory heap_memory_at(std::uint64_t address) {
  if (!looks_for_misuse()) return HeapMemory::unknown;
  const HeapBlock block = g_heap.blocks.holding(address);
  if (!block) return HeapMemory::unknown;
  return block.freed ? HeapMemory::freed : HeapMemory::live;
}

void report_use_of_freed_object(const char* use, const Operation& operation, std::uint64_t size) {
  state_use_after_free(g_heap.blocks.holding(operation.object), use, operation, size);
}

void heap_access(std::uint64_t address, std::uint64_t size, bool is_write, const Operation& operation) {
  if (!g_heap.fills || size == 0) return;
  const bool is_read = !is_write || (operation.kind != OperationKind::write &&  //
                                     operation.kind != OperationKind::atomic_store);
  if (is_read && g_heap.unwritten.unwritten(address, size)) {
    const HeapBlock block = g_heap.blocks.holding(address);
    if (block && !block.freed && address + size <= block.start + block.size) {
      char message[320];
      snprintf(message, sizeof message, "%s reads %s, never written, of a block of %s that %s allocated",
               task_text(current_task()).text, bytes_text(size).text, bytes_text(block.size).text,
               task_text(allocating_task(block)).text);
      state(FindingKind::uninitialised_read, message, operation, address, size);
    }
  }
  if (is_write) g_heap.unwritten.written(address, size);
}

void heap_block_touched(std::uint64_t address) {
  std::uint64_t& touched = g_heap_execution.touched[(address >> 4) % std::size(g_heap_execution.touched)];
  if (touched == address >> 4) return;
  touched = address >> 4;
  const HeapBlock block = g_heap.blocks.holding(address);
  if (!block || block.allocated_by != kBeforeControl) return;
  auto* known = g_heap.early.find(block.start);
  if (known == nullptr || known->value.told) return;
  known->value.told = true;
  if (AllocationRecord* record = tell_allocation(block.start, block.size)) {
    std::copy(std::begin(known->value.frames), std::end(known->value.frames), record->frames);
  }
}

bool describe_heap_block(std::uint64_t address, HeapBlockRecord& record) {
  const HeapBlock block = g_heap.blocks.holding(address);
  if (!block) return false;
  record.start = block.start;
  record.size = block.size;
  record.allocated_by = allocating_task(block);
  record.freed_by = block.freed_by;
  if (const WatchedBlock* watched = watched_block(block.start)) {
    record.allocated = watched->allocated;
    record.freed = watched->freed;
  }
  if (block.allocated_by == kBeforeControl) copy_early_stack(block.start, record.allocated);
  return true;
}

}  // namespace ravel
