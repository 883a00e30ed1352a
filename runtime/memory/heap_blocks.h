// SPDX-License-Identifier: Apache-2.0
//
// HeapBlocks: the blocks of the heap, and which of them were freed and are held back. Quarantine: the order in which
// those go back to the allocator.
//
// Who calls it: runtime/interpose/heap_operations, at every allocation and free.
//
// Layout: the allocator returns addresses in steps of 16 bytes, so a block's entry is at a place computed from its
// address, 8 bytes for 16 of the heap. A directory leads to the leaf of each region.
// Entries of neighbouring blocks are neighbours: a short execution touches as few pages here as it does in its heap,
// and an entry costs no search. What an entry does not hold (the start of a large block seen from inside it) is in a
// list of large blocks.
//
// Thread safety: any thread may call HeapBlocks, for different blocks at the same time: OS threads that are not tasks
// allocate too. Two calls for one block at the same time are a double free by the program. Quarantine: only the running
// task calls.
//
// Invariants:
//  1. An entry of zeroes is not a block. No two blocks that have entries overlap.
//  2. Everything follows from the sequence of calls: the same execution has the same blocks at the same addresses.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "runtime/memory/region_directory.h"

namespace ravel {

// By which functions a block was allocated; the ones that free it must match.
enum class HeapKind : std::uint8_t { malloc, new_object, new_array, new_aligned, new_aligned_array };

struct HeapBlock {
  std::uint64_t start = 0;  // 0: there is no such block
  std::uint64_t size = 0;   // as the program asked for it
  HeapKind kind = HeapKind::malloc;
  bool freed = false;             // held back, not yet given to the allocator
  TaskId allocated_by = kNoTask;  // kNoTask: by a thread that is not a task
  TaskId freed_by = kNoTask;

  explicit operator bool() const { return start != 0; }
};

class HeapBlocks {
 public:
  // Reserves address space; once. False when there is none: nothing is known then, and nothing is held back.
  bool prepare();
  bool prepared() const { return leaves_ != nullptr; }

  // A new block. `start` is a multiple of 16.
  void allocated(std::uint64_t start, std::uint64_t size, HeapKind kind, TaskId task);

  // The block that starts at `start`, live or held back.
  HeapBlock at(std::uint64_t start) const;

  // The block that holds `address`; the byte after the end still belongs to a block of size 0.
  HeapBlock holding(std::uint64_t address) const;

  // A live block is held back from now on.
  void freed(std::uint64_t start, TaskId task);

  // A live block was allocated by a different function than first noted, or has a different size now.
  void change(std::uint64_t start, std::uint64_t size, HeapKind kind);

  // The block is gone.
  void forget(std::uint64_t start);

 private:
  enum class State : std::uint8_t { none, live, freed };

  static constexpr unsigned kStepBits = 4;
  static constexpr unsigned kRegionBits = RegionDirectory::kRegionBits;
  static constexpr std::size_t kEntriesPerLeaf = std::size_t{1} << (kRegionBits - kStepBits);
  static constexpr std::uint32_t kMostLeaves = 1U << 18;  // covers 64 GB of heap
  static constexpr std::uint32_t kFewestLeaves = 256;

  // Blocks of this size and more are in the list.
  static constexpr std::uint64_t kLarge = std::uint64_t{1} << 20;
  static constexpr std::uint32_t kMostLarge = 4096;
  struct Large {
    std::uint64_t start;  // 0: unused
    std::uint64_t size;
  };

  // An entry: state, kind, tasks, size.
  static constexpr unsigned kKindAt = 2;
  static constexpr unsigned kAllocatedByAt = 5;
  static constexpr unsigned kFreedByAt = 20;
  static constexpr unsigned kSizeAt = 35;
  static constexpr std::uint64_t kTaskMask = (1U << 15) - 1;  // also stands for kNoTask
  static constexpr std::uint64_t kSizeInList = (std::uint64_t{1} << 29) - 1;
  static_assert(kMaxTasks <= kTaskMask);

  static std::uint64_t packed(State state, HeapKind kind, TaskId allocated_by, TaskId freed_by, std::uint64_t size);
  static TaskId task_at(std::uint64_t entry, unsigned at) {
    const std::uint64_t task = (entry >> at) & kTaskMask;
    return task == kTaskMask ? kNoTask : static_cast<TaskId>(task);
  }
  static State state_of(std::uint64_t entry) { return static_cast<State>(entry & 3); }

  std::uint64_t* leaf_of(std::uint64_t address) const;
  std::uint64_t* make_leaf(std::uint64_t address);
  std::uint64_t* entry_of(std::uint64_t start) const {
    std::uint64_t* leaf = start % 16 == 0 ? leaf_of(start) : nullptr;
    return leaf == nullptr ? nullptr : leaf + (start >> kStepBits) % kEntriesPerLeaf;
  }
  HeapBlock block(std::uint64_t start, std::uint64_t entry) const;
  void list(std::uint64_t start, std::uint64_t size);
  void unlist(std::uint64_t start);
  std::uint64_t listed_size(std::uint64_t start) const;

  RegionDirectory directory_;  // leads to leaves
  std::uint64_t* leaves_ = nullptr;
  std::uint32_t leaf_capacity_ = 0;
  std::uint32_t leaf_count_ = 1;  // leaf 0 is never handed out
  Large* large_ = nullptr;
  std::uint32_t large_end_ = 0;  // entries from here on are unused
};

// Freed blocks, oldest first.
class Quarantine {
 public:
  struct Block {
    std::uint64_t start = 0;
    std::uint64_t bytes = 0;
  };

  // Holds back blocks of at most `bytes` together; 0: none. Once, before the first add and before any fork.
  void prepare(std::uint64_t bytes);

  // Lowers the bound, before the first add.
  void limit(std::uint64_t bytes);

  // May a block of this many bytes be held back at all?
  bool takes(std::uint64_t bytes) const { return charge(bytes) <= bound_; }

  // Requires takes(bytes). The caller then takes blocks out while must_leave().
  void add(std::uint64_t start, std::uint64_t bytes);

  // Is there more than the bound? leave() takes out the oldest block.
  bool must_leave() const { return held_ > bound_; }
  Block leave();

  std::uint64_t held() const { return held_; }
  std::uint64_t bound() const { return bound_; }

 private:
  // A block costs its memory and what is kept about it, so that tiny blocks do not make the list long.
  static constexpr std::uint64_t kLeastCharge = 64;
  static constexpr std::uint64_t charge(std::uint64_t bytes) { return bytes + 40 < kLeastCharge ? 64 : bytes + 40; }

  // Room for all blocks that fit, and one more. A power of two.
  static std::uint64_t capacity_for(std::uint64_t bytes);

  Block* ring_ = nullptr;
  std::uint64_t capacity_ = 0;
  std::uint64_t first_ = 0;  // only counts up
  std::uint64_t end_ = 0;
  std::uint64_t held_ = 0;
  std::uint64_t bound_ = 0;
};

}  // namespace ravel
