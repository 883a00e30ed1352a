// SPDX-License-Identifier: Apache-2.0
// FindingRecord: a finding as the target writes it into the channel: kinds, addresses, stacks. Plain data;
// reports/finding_report.h turns it into words.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "model/finding.h"
#include "model/operation.h"
#include "trace/stack_record.h"

namespace ravel {

inline constexpr std::size_t kMaxParticipants = 16;

// One task's part in a finding.
struct ParticipantRecord {
  Operation operation;            // what it was doing; operation.task names the task
  TaskId holder = kNoTask;        // who holds the object it waits for, if known
  std::uint32_t blocked = 0;      // 1: operation is pending and blocked
  std::uint32_t value_known = 0;  // 1: operation.value is what the memory held before the access
  std::uint32_t reserved = 0;
  std::uint64_t held[8] = {};                  // addresses of locks it holds, 0-terminated
  std::uint64_t held_pc[8][kHeldFrames] = {};  // where each was taken: return addresses, innermost first, 0-terminated
  StackRecord stack;
};

// The heap block a finding is about. The stacks are known only if the execution was told to watch the block's memory.
struct HeapBlockRecord {
  std::uint64_t start = 0;  // 0: the memory is in no heap block
  std::uint64_t size = 0;   // as the program asked for it
  TaskId allocated_by = kNoTask;
  TaskId freed_by = kNoTask;  // kNoTask: it is live
  StackRecord allocated;
  StackRecord freed;
};

// What may have ordered the two accesses of a race without being seen. Such a race is not a finding.
enum class UnseenOrder : std::uint32_t {
  none,      // nothing: it is a race
  library,   // a library that is not instrumented; `code` lies in it
  assembly,  // locked instructions in an instrumented module; `code` is one of them
  write,     // an atomic was changed by code that is not instrumented
};
struct UnseenOrderRecord {
  UnseenOrder kind = UnseenOrder::none;
  std::uint32_t reserved = 0;
  std::uint64_t code = 0;

  explicit operator bool() const { return kind != UnseenOrder::none; }
};

struct FindingRecord {
  FindingKind kind = FindingKind::user;
  std::uint8_t signal_number = 0;        // for `signal`
  std::uint16_t participants = 0;        // how many are recorded
  std::uint32_t participants_total = 0;  // may be more than kMaxParticipants
  TaskId task = kNoTask;                 // the task that caused it; participants[0] is its part
  std::uint32_t reserved = 0;
  std::uint64_t step = 0;
  std::uint64_t fault_address = 0;  // for `signal`
  std::uint64_t address = 0;        // data-race, heap findings: the memory it is about
  std::uint64_t size = 0;
  UnseenOrderRecord unseen;  // data-race
  HeapBlockRecord block;
  char message[512] = {};  // one sentence, no addresses: byte-identical on every replay
  ParticipantRecord participant[kMaxParticipants];
};

// An atomic operation that did not take the newest store: this makes weak memory visible. The latest ones are kept.
struct WeakRead {
  Operation operation;      // who read what and where; value: what it got. For a store: it was placed after that value
  TaskId writer = kNoTask;  // of the store it took; kNoTask: the value from before any store that was seen
  TaskId newest_writer = kNoTask;
  std::uint64_t writer_pc = 0;
  std::uint64_t newest_pc = 0;
  std::uint64_t newest_value = 0;
};

}  // namespace ravel
