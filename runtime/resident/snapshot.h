// SPDX-License-Identifier: Apache-2.0
// Snapshot: the private memory of this process as it was at one moment, and the way back to it. The kernel says which
// pages were written since (WrittenPages). Their contents come from `image`, a process that was forked from the same
// place and stands still there: they are read when a page is first found written, kept, and copied back from then on.
//
// Pages that were found written are not protected any more, and copied back each time: a copy costs less than the fault
// that lifts the protection, and far less than to look through the page tables. That is needed only after an execution
// with faults: one without has written to no other page. When too many pages are like that, only those are that are
// found again and again.
//
// Who calls it: Residence, on a stack outside of the snapshot. Thread safety: none; the process has one thread.
//
// Invariants:
//  1. The object and everything it keeps lie in memory that is not part of the snapshot.
//  2. After restore() every watched page has the contents of the snapshot. Those that exist are protected, but for the
//     open ones, which thus count as written.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "runtime/resident/written_pages.h"

namespace ravel {

// In nanoseconds.
inline std::uint64_t processor_time(const rusage& usage) {
  const auto seconds = static_cast<std::uint64_t>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec);
  const auto micro = static_cast<std::uint64_t>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  return seconds * 1'000'000'000 + micro * 1'000;
}

class Snapshot {
 public:
  // What is not part of it: [apart.start, apart.end). `room`: memory for contents, inside of `apart`, zero.
  // `own`: memory in which this process differs from its image; taken from here. `shared`: the one writable mapping
  // that is shared with others and may exist. Descriptors get numbers from `lowest` on.
  struct Settings {
    PageRange apart;
    PageRange room;
    PageRange own;
    PageRange shared;
    pid_t image;
    int lowest_descriptor;
  };

  // False: this process cannot be put back.
  bool take(const Settings& settings);

  // The memory is as it was. False: it could not be put back, or more processor time than `most_time` (nanoseconds) was
  // used since the last time; the process must end.
  bool restore(std::uint64_t most_time);

  // What was written since belongs to the snapshot from now on. False: it cannot, because memory was mapped, too.
  bool keep();

  // Is the memory of the snapshot still mapped as it was? What was mapped in addition is unmapped, the heap gets its
  // former size. False: something was unmapped or replaced. To be asked before restore(). A mapping that was replaced
  // by one of the same size is noticed only if `replaced` says that there may be such.
  bool same_mappings(bool replaced);

  // How many pages the last restore() copied.
  std::uint64_t last_pages() const { return last_pages_; }
  // Processor time of this process, in nanoseconds, when it was last asked to restore().
  std::uint64_t time() const { return time_; }

 private:
  struct Page {
    std::uint64_t address;  // 0: none
    char* contents;
    std::uint32_t found;  // how often it was found written
    std::uint32_t open;   // 1: not protected, and copied back each time
  };
  struct Mapping {
    PageRange range;
    bool watched;
  };
  static constexpr std::size_t kMostRuns = 256;

  static constexpr std::size_t kTableSize = std::size_t{1} << 18;  // pages it can hold: three quarters of this
  static constexpr std::size_t kMostMappings = 2048;
  static constexpr std::size_t kMapsBytes = std::size_t{1} << 20;
  static constexpr std::size_t kMostOpen = 4096;
  static constexpr std::size_t kOpenAtOnce = 256;  // so many are open when first found; the others when found often
  static constexpr std::uint32_t kOften = 4;

  Page* find(std::uint64_t address);
  char* new_contents();
  bool watch_mappings();
  template <typename Visit>
  bool for_each_mapping(Visit visit);
  bool read_originals(const PageRange& run);
  bool keep_own(const PageRange& range);
  bool put_back(const PageRange& run);
  bool opens(Page& page);
  template <typename Visit>
  bool for_each_run(Visit visit);
  bool unmap_additions();
  std::uint64_t address_space_pages() const;

  WrittenPages written_;
  Settings settings_{};
  PageRange all_{};
  std::uint64_t break_ = 0;  // where the heap ends
  std::uint64_t size_ = 0;   // pages of the address space
  int statm_ = -1;
  std::uint64_t last_pages_ = 0;
  std::uint64_t faults_ = 0;  // of this process, when the memory was last put back, or earlier
  std::uint64_t time_ = 0;
  std::size_t open_ = 0;
  std::size_t used_ = 0;  // entries of table_
  std::size_t mappings_ = 0;
  char* next_contents_ = nullptr;
  Page* table_ = nullptr;
  char* maps_ = nullptr;
  Page* open_pages_[kMostOpen] = {};
  Mapping mapping_[kMostMappings] = {};
};

}  // namespace ravel
