// SPDX-License-Identifier: Apache-2.0
// SpinWatch: notices when a task repeats a loop in which nothing changes. One per task.
//
// A round repeats when the same operation at the same place, in the same calls where these are given, sees the same
// value again and the task has changed nothing in between. After enough rounds the task is spinning: the scheduler
// makes it wait until another task writes one of the objects it read, instead of burning steps. How many rounds are
// enough is part of the plan and varies from execution to execution: a loop that gives up on its own after n rounds
// must still be able to do so.
//
// Invariant: the objects of the entries are exactly what a write must touch to end the spinning (or anything at all, if
// the loop only yields).
#pragma once

#include <cstdint>

#include "base/random.h"
#include "model/operation.h"

namespace ravel {

class SpinWatch {
 public:
  // The task arrives at `operation`; `value` is what a read would see now. True: this is a repeated round, the n-th of
  // which (n >= rounds) makes the task spinning. `thorough`: look for it everywhere, so that no two operations of a
  // small loop evict each other. `calls`: a hash of the calls that the task is in. A function that is called from two
  // places is not a loop.
  bool arrive(const Operation& operation, std::uint64_t value, std::uint32_t rounds, bool thorough = false,
              std::uint64_t calls = 0) {
    std::uint64_t signature = hash_mix(hash_mix(operation.pc, operation.object), calls);
    signature = hash_mix(signature, value ^ (static_cast<std::uint64_t>(operation.kind) << 56));
    Entry& entry = thorough ? find(signature) : entries_[signature % kEntries];
    entry.arrived = ++arrivals_;
    if (entry.signature == signature && entry.generation == generation_) return ++entry.count >= rounds;
    entry.signature = signature;
    entry.generation = generation_;
    entry.object = operation.object;
    entry.pc = operation.pc;
    entry.calls = calls;
    entry.value = value;
    entry.is_memory = is_memory_access(operation.kind);
    entry.size = operation.size == 0 ? 1 : operation.size;
    entry.count = 0;
    return false;
  }

  // Does everything the loop looks at still hold what it saw? `read` gives what up to eight bytes hold now.
  template <typename Read>
  bool sees_the_same(Read read) const {
    for (const Entry& entry : entries_) {
      if (entry.generation != generation_ || entry.signature == 0 || entry.object == 0) continue;
      if (seen_again(entry)) continue;
      Operation operation;
      operation.object = entry.object;
      operation.size = static_cast<std::uint16_t>(entry.is_memory ? entry.size : sizeof entry.value);
      std::uint64_t now = 0;
      if (!read(operation, now) || now != entry.value) return false;
    }
    return true;
  }

  // The task changed something, or was released: whatever it saw before does not count any more.
  void clear() { ++generation_; }

  // Would a write to [address, address+size) be noticed by the loop?
  bool watches(std::uint64_t address, std::uint64_t size) const {
    bool looks_at_memory = false;
    const bool elsewhere = for_each_object([&](std::uint64_t object, std::uint64_t object_size) {
      looks_at_memory = true;
      return object >= address + size || address >= object + object_size;
    });
    return !elsewhere || !looks_at_memory;  // it only yields: anything may be what it waits for
  }

  // What the loop looks at, until `visit(address, size)` returns false; true when it never did.
  template <typename Visit>
  bool for_each_object(Visit visit) const {
    for (const Entry& entry : entries_) {
      if (entry.generation != generation_ || entry.signature == 0 || entry.object == 0) continue;
      if (!visit(entry.object, entry.size)) return false;
    }
    return true;
  }

 private:
  static constexpr std::uint32_t kEntries = 16;
  struct Entry {
    std::uint64_t signature = 0;
    std::uint64_t object = 0;
    std::uint32_t size = 0;
    std::uint32_t count = 0;
    std::uint64_t generation = 0;
    std::uint64_t value = 0;
    std::uint64_t pc = 0;
    std::uint64_t calls = 0;
    std::uint64_t arrived = 0;  // when, in arrivals of the task
    bool is_memory = false;
  };

  Entry& find(std::uint64_t signature) {
    Entry* oldest = &entries_[0];
    for (Entry& entry : entries_) {
      if (entry.generation == generation_ && entry.signature == signature) return entry;
      const bool dead = entry.generation != generation_;
      if (dead ? oldest->generation == generation_ || entry.arrived < oldest->arrived
               : oldest->generation == generation_ && entry.arrived < oldest->arrived) {
        oldest = &entry;
      }
    }
    return *oldest;
  }

  // The same place has seen something else since.
  bool seen_again(const Entry& entry) const {
    for (const Entry& other : entries_) {
      if (other.generation == generation_ && other.pc == entry.pc && other.calls == entry.calls &&
          other.object == entry.object && other.arrived > entry.arrived)
        return true;
    }
    return false;
  }

  Entry entries_[kEntries] = {};
  std::uint64_t arrivals_ = 0;
  std::uint64_t generation_ = 0;
};

}  // namespace ravel
