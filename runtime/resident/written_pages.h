// SPDX-License-Identifier: Apache-2.0
// WrittenPages: which pages of this process were written to since they were last protected. The kernel does it: pages
// of watched memory are write-protected, the first write to one lifts that without telling anybody (userfaultfd with
// WP_ASYNC), and a scan of the page tables lists the pages that are no longer protected (PAGEMAP_SCAN). Linux 6.7 has
// both.
//
// A page that comes into being is never protected, so it counts as written, whether it was written to or only read.
//
// Who calls it: Snapshot. Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ravel {

inline constexpr std::uint64_t kPageBytes = 4096;

struct PageRange {
  std::uint64_t start;
  std::uint64_t end;

  std::uint64_t pages() const { return (end - start) / kPageBytes; }
};

class WrittenPages {
 public:
  // The descriptors it needs get numbers from `lowest` on. False: this kernel, or its settings, do not allow it.
  bool open(int lowest);

  // Every page of the range that exists is protected from now on. False: such memory cannot be watched.
  bool watch(const PageRange& range);

  // Lists the written pages of all watched memory in [from, all.end), at most `capacity` runs of them. Returns how many
  // runs there are; `from` is where to go on. Negative: the kernel refused.
  long list(const PageRange& all, std::uint64_t& from, PageRange* runs, std::size_t capacity) const;

  // Protects again what is written in the range.
  bool protect(const PageRange& range) const;

  // Is all memory in the range still watched? It is not when something else was mapped there.
  bool still_watches(const PageRange& range) const;

 private:
  int faults_ = -1;   // userfaultfd
  int pagemap_ = -1;  // /proc/self/pagemap
};

}  // namespace ravel
