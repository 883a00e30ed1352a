// SPDX-License-Identifier: Apache-2.0
// ResolvedFinding: a finding in words, resolved from a FindingRecord, which has addresses of a target that is gone.
// Every report is a function of ResolvedFinding alone.
//
// Who calls it: the driver, once per finding it keeps. Thread safety: that of the SymbolSource it is given.
//
// Invariants:
//  1. A ResolvedFinding contains no addresses: executions that do the same give equal values, so replays print the same
//     bytes.
//  2. Memory is named by its variable, otherwise by its heap block or stack, otherwise by order of appearance: M1, M2
//     (mutexes), O1 (other memory)...
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/finding.h"
#include "model/operation.h"
#include "reports/symboliser.h"
#include "trace/channel.h"

namespace ravel {

struct HeldLock {
  std::string object;           // "bank_lock", "mutex M1"
  std::vector<Frame> taken_at;  // where it was taken, user's frame first; empty when unknown

  friend bool operator==(const HeldLock&, const HeldLock&) = default;
};

// One task's part in a finding.
struct ResolvedStack {
  TaskId task = kNoTask;
  std::string task_name;  // from pthread_setname_np; often empty
  OperationKind kind = OperationKind::read;
  std::string operation;    // "lock", "write 4 bytes"
  std::string object;       // "balance", "mutex M1", "T2"; empty when the operation has none
  bool blocked = false;     // the operation is pending and cannot take effect
  TaskId holder = kNoTask;  // the task that holds the object it waits for, or that it joins
  std::uint16_t size = 0;   // of a memory access
  std::string value;        // what the memory held before the access; empty when unknown
  bool partial = false;     // only the place of an earlier access was kept: no more frames, no locks, no value
  std::vector<HeldLock> held;
  std::string through;        // the library function the user called, when its frames were left out
  std::vector<Frame> frames;  // innermost first; library frames at both ends are left out
  std::vector<Frame> whole;   // with the library frames; without our own and those that start a thread

  friend bool operator==(const ResolvedStack&, const ResolvedStack&) = default;
};

// Where a task of the finding came from.
struct ResolvedTask {
  TaskId task = kNoTask;
  TaskId creator = kNoTask;
  std::string name;
  std::vector<Frame> created_at;  // empty for T0 and when unknown

  friend bool operator==(const ResolvedTask&, const ResolvedTask&) = default;
};

// Where a numbered object lives.
struct ResolvedObject {
  std::string name;   // "mutex M1"
  std::string place;  // "on the stack of T0"

  friend bool operator==(const ResolvedObject&, const ResolvedObject&) = default;
};

// The heap block a finding is about.
struct ResolvedHeapBlock {
  std::uint64_t size = 0;   // as the program asked for it
  std::int64_t offset = 0;  // of the memory the finding is about, from the start of the block
  bool freed = false;
  TaskId allocated_by = kNoTask;
  TaskId freed_by = kNoTask;
  std::vector<Frame> allocated_at;  // may be empty: the stacks are kept only when the block was watched
  std::vector<Frame> freed_at;

  friend bool operator==(const ResolvedHeapBlock&, const ResolvedHeapBlock&) = default;
};

// The memory a data race or a heap finding is about.
struct ResolvedMemory {
  std::string name;      // "bank::savings.balance", "a heap block of 24 bytes"; empty for findings of other kinds
  std::string variable;  // the whole variable: "bank::savings"; empty for other memory
  std::string place;     // "the global bank::savings (Account), declared at bank.cpp:7"; may be empty
  std::optional<ResolvedHeapBlock> heap;

  friend bool operator==(const ResolvedMemory&, const ResolvedMemory&) = default;
};

struct ResolvedFinding {
  FindingKind kind = FindingKind::user;
  std::string message;    // one sentence
  TaskId task = kNoTask;  // the task that caused it
  int signal_number = 0;
  std::string fault;  // for `signal`: what the invalid access was to, in words; may be empty
  std::uint64_t step = 0;
  std::vector<ResolvedStack> stacks;
  std::uint32_t stacks_total = 0;       // may be more than stacks holds
  std::vector<ResolvedTask> tasks;      // those named by stacks, in order of id
  std::vector<ResolvedObject> objects;  // numbered ones whose place is known, in order of appearance
  ResolvedMemory memory;
  std::vector<std::string> weak_reads;  // sentences: which older stores were read, the latest last
  std::string may_be_ordered_by;        // for an unclear race: "libgomp.so.1". Others are findings
  std::string remedy;                   // for a data race: what would order the two accesses
  std::string known_defect;             // of the standard library, which causes it: a sentence; else empty
  std::string signature;                // 16 hex digits: equal for the same bug found twice

  friend bool operator==(const ResolvedFinding&, const ResolvedFinding&) = default;
};

// `tasks` is indexed by TaskId and may be shorter than the number of tasks.
// `weak_reads`: atomic operations of the execution that did not take the newest store.
// `creations`: indexed by TaskId, too. Without them local variables have no names.
ResolvedFinding resolve_finding(const FindingRecord& record, std::span<const TaskRecord> tasks, SymbolSource& symbols,
                                std::span<const WeakRead> weak_reads = {},
                                std::span<const CreationRecord> creations = {});

// True for the kinds that are about memory: they fill ResolvedFinding::memory.
bool is_about_memory(FindingKind kind);

// What to call memory without a name: {"mutex", 'M'}.
struct ObjectNoun {
  const char* word;
  char letter;
};
ObjectNoun object_noun(OperationKind kind);

// Operations on other tasks: Operation::object is then a task's number, not an address.
bool object_is_task(OperationKind kind);
bool has_object(const Operation& operation);

// A cheap key of the record as it stands, addresses included. Records with equal keys from one target have the same
// signature, so a campaign that keeps the keys it has seen need not resolve the same finding a thousand times.
std::uint64_t record_key(const FindingRecord& record);

// True for code the user did not write: libravel, libc, libstdc++, system headers, the compiler's runtime.
bool is_library_frame(const Frame& frame);

// Removes the calls around the body of ravel::explore: the test framework's, and those of the test that called it.
void cut_at_explored_body(std::vector<Frame>& frames);

// The frame a reader wants to see first: the innermost one that the user wrote, otherwise the innermost; nullptr when
// there are none.
const Frame* user_frame(std::span<const Frame> frames);

// "bank.cpp:12", or "malloc in libc.so.6" without line information.
std::string location_text(const Frame& frame);

// "T1", or "T1 (worker)" when it has a name.
std::string task_text(TaskId task, const std::string& name = {});

// "lock", "write 4 bytes", "atomic-load 8 bytes". Empty for a task that was between two operations.
std::string operation_text(const Operation& operation);

// brief:    "T1 holds a and waits for b"
// complete: "T1 holds a (bank.cpp:12) and waits for b, held by T2"
enum class Detail : std::uint8_t { brief, complete };

// What a blocked task waits for: "waits for b, held by T2", "waits for T2 to end".
std::string waiting_text(const ResolvedStack& stack, Detail detail);

// What a task holds and what it waits for. Empty for a task that does neither.
std::string hold_and_wait_text(const ResolvedStack& stack, Detail detail);

// Tasks that wait for each other in a cycle, starting with the one whose stack comes first; empty when there is none.
std::vector<TaskId> waiting_cycle(const ResolvedFinding& finding);

}  // namespace ravel
