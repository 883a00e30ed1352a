// SPDX-License-Identifier: Apache-2.0
//
// SharedMemoryMap: which code locations touch memory that several tasks use. For every 8 bytes of the program's memory
// (a granule) it keeps the last writer, the last reader and all code locations that touched it.
//
// A granule becomes shared when two tasks touch it, at least one of them writes, and the two accesses are not ordered
// by the creation or the join of tasks (TaskOrder). Then every location that touched it is marked shared, and so is
// every one that touches it later. Read-only sharing is not shared; memory handed to a new task or taken back by a join
// is not either. Locks do not count: accesses under one lock are shared, since their order is a choice of the schedule.
//
// Two simplifications, both towards more points, never fewer: readers that are not ordered among themselves are
// remembered as "several", and a later write makes the granule shared even if all of them had been joined one by one;
// and locations stay in a granule's set when another task takes it over.
//
// Who calls it: runtime/interpose/memory_operations for each instrumented access while at least two tasks are live.
// With one live task there is nothing to interleave: such accesses are neither tracked nor points.
//
// Layout: a directory of 4-byte numbers, one per 256 KB region of the program, leads to a leaf with one 16-byte cell
// per granule. Both live in address space reserved once, before the fork server forks; executions make no system call
// here, and pay one page fault per 2 KB of memory they touch. Fresh leaves are packed side by side, so that the stacks
// of many tasks, which lie far apart, share page tables.
//
// Thread safety: none; only the running task calls.
//
// Invariants:
//  1. A cell of zeroes is memory nobody touched.
//  2. When a cell is shared, all locations that ever touched it since it was last settled are marked shared.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "runtime/memory/code_locations.h"
#include "runtime/memory/location_sets.h"
#include "runtime/memory/task_order.h"

namespace ravel {

class SharedMemoryMap {
 public:
  // Reserves the address space. Once, before the first access and before any fork.
  void prepare();

  // An access of `task` to [address, address + size), size > 0. Returns whether it is a scheduling point.
  bool note(std::uint64_t address, std::uint64_t size, bool is_write, std::uint64_t pc, TaskId task);

  // The memory was given back: what happens at these addresses later has nothing to do with what was there.
  void forget(std::uint64_t address, std::uint64_t size);

  CodeLocations& locations() { return locations_; }
  TaskOrder& order() { return order_; }

 private:
  struct Cell {
    Stamp write;
    Stamp read;
    std::uint32_t locations;  // LocationSets number
    std::uint16_t shared;
    std::uint16_t several_readers;
  };
  static_assert(sizeof(Cell) == 16);

  static constexpr unsigned kGranuleBits = 3;
  static constexpr unsigned kRegionBits = 18;
  static constexpr unsigned kAddressBits = 47;
  static constexpr std::size_t kRegions = std::size_t{1} << (kAddressBits - kRegionBits);
  static constexpr std::size_t kCellsPerLeaf = std::size_t{1} << (kRegionBits - kGranuleBits);
  static constexpr std::size_t kMostLeaves = std::size_t{1} << 17;  // covers 32 GB of touched program memory
  static constexpr std::size_t kFewestLeaves = 64;

  Cell* leaf_of(std::uint64_t address, bool make);
  bool touch(Cell& cell, Stamp now, bool is_write, CodeLocations::State& location);
  bool touch_slowly(Cell& cell, Stamp now, bool is_write, CodeLocations::State& location);
  void remember(Cell& cell, CodeLocations::State& location);
  void become_shared(Cell& cell);

  std::uint32_t* directory_ = nullptr;  // leaf number by region; 0: none yet
  Cell* leaves_ = nullptr;
  std::size_t leaf_capacity_ = 0;
  std::size_t leaf_count_ = 1;  // leaf 0 is never handed out
  bool busy_ = false;           // a signal handler of the program may come back in here
  CodeLocations locations_;
  LocationSets sets_;
  TaskOrder order_;
};

}  // namespace ravel
