// SPDX-License-Identifier: Apache-2.0
//
// StoreHistories: what an atomic operation may see under the C++20 memory model. Per atomic location it keeps the
// newest stores in modification order; a load may return any of them that coherence, happens-before and the order of
// seq_cst operations allow, and a store may take any such place.
//
// Who calls it: runtime/interpose/atomic_operations, once per atomic operation, after its scheduling point:
//
//   histories.begin(access, what memory holds)    how many possibilities there are; 0 is always the newest
//   histories.choose(n)                           the value of the store that possibility n reads or is placed after
//   histories.acquire_for_load() / acquire_for_read_modify_write(); a store acquires nothing
//   histories.finish_load() / finish_store(v) / finish_read_modify_write(v)
//
// Between the last two, the task has acquired what the access gives it, and has not yet released what comes with it:
// that is where the race detector checks the access.
//
// The rules. Every operation has a bound: the newest store of the location, in modification order, that an operation
// which must come before it has read or written. A load returns the bound or something newer. A store is placed after
// the bound or later, never between a store and the read-modify-write that read it. A read-modify-write reads a store
// at the bound or newer that no other one has read, and is placed right after it. "Must come before" are, for
// operation A:
//
//   (hb) operations that happen before A, or could do so by order that is not seen (HiddenOrder): where that is not
//        certain, less is shown rather than something impossible;
//   (1)  A seq_cst: all seq_cst operations so far;
//   (2)  A seq_cst: operations that happen before some seq_cst fence performed so far;
//   (3)  X being the latest seq_cst fence that happens before A: seq_cst operations performed before X;
//   (4)  the same X: operations that happen before a seq_cst fence performed before X.
//
// 1 to 4 are [atomics.order]/4 with the order in which Ravel performs seq_cst operations as the total order S. A new
// operation can only break a rule by being ordered before an earlier one, so checking each when it is performed is
// enough, and every execution whose sequenced-before, reads-from and S have no cycle can be reached: perform it in an
// order that follows all three.
//
// How the bound is found: each store knows who touched it first, as epochs: the writer, and those readers that did not
// know of an earlier one. The walk goes from the newest store to older ones and ends at the first one touched by an
// operation that must come before. Usually that is the newest, and nothing else is visited.
//
// What is remembered is bounded: `limit` stores per location, and the past of the latest kFences seq_cst fences; for
// older fences that of the oldest one kept is used. Both only remove possibilities.
//
// Memory always holds the newest value. When it does not hold what the history says, something else wrote there (a
// plain write, code that is not instrumented, new use of the memory): the history starts over with what is there, as a
// store that happens before everything.
//
// Thread safety: none; only the running task calls, and a second access must not begin before the first has finished.
//
// Invariants:
//  1. A location with a history has at least one store, and the newest has not been read by a read-modify-write.
//  2. Everything follows from the sequence of calls, never from addresses that the kernel gave to tables.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "model/operation.h"
#include "runtime/memory/growing_table.h"
#include "runtime/memory/happens_before.h"
#include "runtime/memory/hidden_order.h"
#include "runtime/memory/open_table.h"

namespace ravel {

// Up to 16 bytes; what lies beyond the size of the access is zero.
struct AtomicValue {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  friend constexpr bool operator==(const AtomicValue&, const AtomicValue&) = default;
};

struct AtomicAccess {
  enum class Kind : std::uint8_t { load, store, read_modify_write, compare_exchange };

  TaskId task = 0;
  Kind kind = Kind::load;
  MemoryOrder order = MemoryOrder::seq_cst;
  MemoryOrder failure_order = MemoryOrder::seq_cst;  // of a compare_exchange that finds another value
  std::uint8_t size = 0;                             // 1, 2, 4, 8 or 16
  bool newest_only = false;                          // there is no chooser to ask
  std::uint64_t address = 0;
  std::uint64_t pc = 0;
  std::uint64_t step = 0;  // of the execution: names the store it makes
  AtomicValue expected;    // of a compare_exchange
};

// A store as reports name it.
struct StoreOrigin {
  AtomicValue value;
  TaskId task = kNoTask;  // kNoTask: it was there before any store seen
  std::uint64_t pc = 0;
  std::uint64_t step = 0;  // AtomicAccess::step
};

class StoreHistories {
 public:
  // Reserves address space. Once, before any fork. `limit`: stores kept per location; 1 is sequential consistency.
  void prepare(HappensBefore& order, HiddenOrder& hidden, std::uint32_t limit);
  bool prepared() const { return stores_.prepared(); }

  // -- one access -----------------------------------------------------------------------------------------------------

  // How many possibilities `access` has; `in_memory` is what its address holds now.
  std::uint32_t begin(const AtomicAccess& access, const AtomicValue& in_memory);
  // Nothing was known of the location when the access began; and another value was expected there.
  bool history_restarted() const { return history_restarted_; }
  bool was_changed() const { return was_changed_; }
  // Settles for possibility n < begin(). What a load returns, a read-modify-write reads, a store is placed behind.
  AtomicValue choose(std::uint32_t n);
  // The store that was chosen, and the newest one, for reports.
  StoreOrigin chosen_store() const { return origin_of(chosen_); }
  StoreOrigin newest_store() const { return origin_of(at_->newest); }
  // The task learns what the chosen store releases, now or at its next acquire fence.
  void acquire_for_load();
  void acquire_for_read_modify_write();
  // A load, or a compare-exchange that did not find what it expected.
  void finish_load();
  // True: the value is the newest, so memory has to get it.
  bool finish_store(const AtomicValue& value);
  bool finish_read_modify_write(const AtomicValue& value);

  void fence(TaskId task, MemoryOrder order);

  // -- memory ---------------------------------------------------------------------------------------------------------

  // The task wrote `value` itself, as a release: from now on the location has only this store.
  void publish(TaskId task, std::uint64_t address, std::uint8_t size, const AtomicValue& value);
  // What is in this memory from now on is unrelated to what was there. Cheap where there were no atomics.
  void forget(std::uint64_t address, std::uint64_t size);

  // A task could have seen a store that was dropped because of the limit.
  bool cut() const { return cut_; }
  // Locations with a history.
  std::size_t locations() const { return live_locations_; }

 private:
  using Index = std::uint32_t;  // into one of the pools; 0: none

  struct Store {
    AtomicValue value;
    ReleaseClock clock;  // what an acquire of it learns; owned
    Index older;         // towards the beginning of modification order
    Index newer;
    std::uint64_t pc;
    std::uint64_t step;
    Index touched;         // Touch chain: readers, but for those who knew of an earlier toucher
    Epoch writer;          // none: the store happens before everything
    Index sequential;      // 1 + seq_cst fences before the first seq_cst access of it; 0: there was none
    std::uint32_t passed;  // loads that returned an older store while this was the newest
    bool taken;            // a read-modify-write has read it, and is the next newer store
  };
  struct Touch {
    Epoch epoch;
    Index next;
  };
  struct Location {
    std::uint64_t address;
    Index newest;  // 0: no history
    Index oldest;
    std::uint32_t count;
    Index next_in_granule;
    std::uint8_t size;
    bool dropped;  // there was an older store than the oldest
  };
  struct Stale {
    Index location;
    Index store;
    std::uint32_t times;
  };
  static constexpr std::uint32_t kStaleSlots = 4;
  struct TaskState {
    ReleaseClock seen;      // of stores read by relaxed loads, for the next acquire fence; owned
    ReleaseClock released;  // past of the latest release fence; owned
    Stale stale[kStaleSlots];
  };
  // The latest access: what is needed to judge stores for it.
  struct View {
    TaskId task;
    bool sequential;
    std::uint32_t fence;  // X, 0: none
  };

  // [intro.progress]/18: what is stored becomes visible within a finite time. A loop is not shown the same old store
  // more than kPatience times in a row, as far as the slots tell. And whichever tasks load, from however many
  // locations, and whichever old stores they see in turn: after kMostPassed loads have passed over a newest store,
  // loads return it.
  static constexpr std::uint32_t kPatience = 8;
  static constexpr std::uint32_t kMostPassed = 256;
  static constexpr std::uint32_t kFences = 1024;
  static constexpr std::size_t kMostStores = std::size_t{1} << 25;
  static constexpr std::size_t kMostTouches = std::size_t{1} << 25;
  static constexpr std::size_t kMostLocations = std::size_t{1} << 24;
  static constexpr unsigned kGranuleBits = 3;
  static constexpr unsigned kLineBits = 6;
  static constexpr unsigned kPageBits = 12;

  StoreOrigin origin_of(Index store) const {
    const Store& it = stores_[store];
    return {it.value, it.writer ? it.writer.task() : kNoTask, it.pc, it.step};
  }
  View view_of(TaskId task, MemoryOrder order) const;
  bool known(const Store& store, TaskId task) const;
  bool bounds(const Store& store, const View& view) const;
  bool bounds(Epoch epoch, const View& view) const;
  const ReleaseClock& past_of_fence(std::uint32_t number) const;
  std::uint32_t count_possibilities(const Location& location);
  bool possible(const Store& store, bool stored, bool seen) const;

  Location& location_at(std::uint64_t address);
  void restart_history(Location& location, std::uint8_t size, const AtomicValue& value);
  void clear(Location& location);
  void forget_granule(std::uint64_t granule, std::uint64_t address, std::uint64_t end);
  Index add_store(const AtomicValue& value);
  void place(Location& location, Index store, Index behind);
  void drop_oldest(Location& location);
  void free_store(Index store);

  void acquire(const Store& store, MemoryOrder order);
  void note_read(Store& store);
  ReleaseClock release_clock(MemoryOrder order);
  ReleaseClock both(const ReleaseClock& a, const ReleaseClock& b);
  void replace(ReleaseClock& old, const ReleaseClock& fresh);
  TaskState& state_of(TaskId task) {
    tasks_.make_room(task);
    return tasks_[task];
  }

  HappensBefore* order_ = nullptr;
  HiddenOrder* hidden_ = nullptr;
  std::uint32_t limit_ = 0;
  bool cut_ = false;

  GrowingTable<Store> stores_;
  GrowingTable<Touch> touches_;
  GrowingTable<Location> pool_;
  GrowingTable<TaskState> tasks_;
  ReleaseClock* fence_pasts_ = nullptr;  // by number modulo kFences: what happened before fences before it; owned
  Index store_count_ = 0;
  Index touch_count_ = 0;
  Index location_count_ = 0;
  Index free_stores_ = 0;
  Index free_touches_ = 0;
  std::size_t live_locations_ = 0;
  std::uint32_t fences_ = 0;
  ReleaseClock all_fences_;  // what happens before any seq_cst fence so far; owned

  // The access that has begun.
  AtomicAccess access_;
  bool history_restarted_ = false;
  bool was_changed_ = false;
  Location* at_ = nullptr;
  Index chosen_ = 0;

  OpenTable<Index> granules_;  // by address / 8, plus 1: the locations in it
  // Where forget need not look, by hash of page and of line.
  std::uint64_t pages_[64] = {};
  std::uint64_t lines_[256] = {};
};

}  // namespace ravel
