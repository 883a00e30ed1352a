// SPDX-License-Identifier: Apache-2.0
//
// HiddenOrder: the order that code which is not instrumented could have made. Such code synchronises by instructions
// that nobody reports, so what it orders is unknown; this class keeps what it orders at most. A race between accesses
// that it could have ordered is told apart from one that nothing orders.
//
// The rule. Each such piece of code (a library, a piece of assembly) is one object. A passage is a moment at which a
// task is inside that code: it is entered, comes back to it from a callback, goes on in it after others have run, or
// leaves it. At a passage the task releases its past to the object and acquires what tasks released to it before:
// the code could not order more than that. So A is perhaps before B when there is a chain from A to B of what the
// program visibly orders and of passages, "release to an object, later acquire from it".
//
// How it is kept. HappensBefore knows nothing of passages, but that each ends an epoch: what a task does after it left
// the code is not released by that. What a task acquired at a passage is an entry of its log, with its epoch then. The
// chain is followed only when somebody asks: from all epochs the task visibly knows to the log entries those contain,
// and on to the epochs that these know, until nothing is added.
//
// Who calls it: runtime/interpose/unseen_code at passages; RaceDetector, when it finds a race, and StoreHistories, when
// a load could return an old store.
//
// Thread safety: none; only the running task calls.
//
// Invariant: the log entries of a task grow: each contains what the one before it contains. So the oldest one that
// contains an epoch tells where the task learned of it.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "runtime/memory/happens_before.h"

namespace ravel {

class HiddenOrder {
 public:
  static constexpr std::uint32_t kMostObjects = 64;
  // Not an object: memory that somebody wrote whom nobody saw.
  static constexpr std::uint32_t kUnseenWrite = kMostObjects;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // Reserves address space. Once, before the first passage.
  void prepare(HappensBefore& order);

  // Was there a passage? Until then nothing is hidden, and nobody need ask.
  bool used() const { return used_; }

  // The task is inside the code of these objects, bit n for object n: it acquires and releases. `name` is the one of
  // them that it went to; the others are those that this one may use.
  void pass(TaskId task, std::uint64_t objects, std::uint32_t name);
  // It only acquires.
  void acquire(TaskId task, std::uint64_t objects, std::uint32_t name);

  // The task is at an instruction of this object. Those who have been at such an instruction may have released to it
  // ever since, by ordinary stores.
  void pass_instruction(TaskId task, std::uint32_t object);

  // The task read what no task is known to have written: it may know of everything that was done so far.
  void learn_everything(TaskId task);

  // What `task` may know now, by order that is visible or hidden; for the questions that follow.
  void look(TaskId task);
  bool knows(Epoch epoch) const;
  // The object by which the task may know of this epoch; kNone when it cannot, or knows it by visible order.
  std::uint32_t known_by(Epoch epoch) const;

 private:
  using Index = std::uint32_t;  // of an entry; 0: none

  struct Object {
    ReleaseClock rest;             // of those that released to it before the last one; owned
    ReleaseClock last;             // of the last one; owned
    TaskId acquired_by = kNoTask;  // the latest since then
  };
  struct Entry {
    ReleaseClock clock;    // all that was acquired so far; owned
    std::uint32_t epoch;   // of the task, from which on it knows this
    std::uint32_t object;  // by which it learned the newest part
    Index older;
  };
  static constexpr std::size_t kMostEntries = std::size_t{1} << 22;

  void learn_past_of(TaskId other, TaskId task, std::uint32_t object);
  void learn(TaskId task, std::uint32_t object, const ReleaseClock& clock);

  HappensBefore* order_ = nullptr;
  Object objects_[kMostObjects] = {};
  Entry* entries_ = nullptr;
  Index* newest_ = nullptr;             // by task
  bool* passed_instruction_ = nullptr;  // by task
  Index entry_count_ = 0;
  bool used_ = false;

  // Of the last look.
  std::uint32_t* known_ = nullptr;  // by task, plus 1: components of a clock
  Index* by_ = nullptr;             // by task: the entry that raised the component; 0: it is visible
  Index* followed_ = nullptr;       // by task: the entry that was added already
  std::uint32_t tasks_ = 0;
};

}  // namespace ravel
