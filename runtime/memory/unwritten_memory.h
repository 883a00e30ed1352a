// SPDX-License-Identifier: Apache-2.0
//
// UnwrittenMemory: heap memory that has not been written since it was allocated, 8 bytes (a granule) at a time.
//
// Writes of code that is not instrumented are not seen. So the memory is also filled with a pattern when it is
// allocated, and counts as unwritten only while the pattern is still there. A write of any byte of a granule makes the
// whole granule written: that gives fewer reports, never wrong ones.
//
// Who calls it: runtime/interpose/heap_operations, if the user asked for it; otherwise it costs nothing.
//
// Layout: one bit per granule, in leaves like those of HeapBlocks.
//
// Thread safety: none for the same memory; threads that are not tasks may call handed_out and written for their own
// blocks, whose bits share no word with others except at the edges, where a lost bit means one report fewer.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/memory/region_directory.h"

namespace ravel {

class UnwrittenMemory {
 public:
  // Reserves address space; once. False when there is none: all memory counts as written.
  bool prepare();

  // Fills [start, start + size) with the pattern; nothing has been written there. start is a multiple of 8; up to 7
  // bytes after the end belong to the same block and are filled as well.
  void handed_out(std::uint64_t start, std::uint64_t size);

  // The memory is written, or handed out with contents.
  void written(std::uint64_t address, std::uint64_t size);

  // Is all of [address, address + size) unwritten? size > 0. Reads the memory.
  bool unwritten(std::uint64_t address, std::uint64_t size) const;

 private:
  static constexpr std::uint64_t kPattern = 0xe7b9'c5d3'8ff6'a1ebULL;  // no small numbers, no text, no addresses
  static constexpr unsigned kGranuleBits = 3;
  static constexpr std::size_t kGranulesPerLeaf = std::size_t{1} << (RegionDirectory::kRegionBits - kGranuleBits);
  static constexpr std::size_t kWordsPerLeaf = kGranulesPerLeaf / 64;
  static constexpr std::uint32_t kMostLeaves = 1U << 18;

  std::uint64_t* word_of(std::uint64_t granule) const;
  std::uint64_t* make_word(std::uint64_t granule);

  RegionDirectory directory_;
  std::uint64_t* leaves_ = nullptr;
  std::uint32_t leaf_count_ = 1;  // leaf 0 is never handed out
};

}  // namespace ravel
