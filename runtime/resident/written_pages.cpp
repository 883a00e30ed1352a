// SPDX-License-Identifier: Apache-2.0
#include "runtime/resident/written_pages.h"

#include <errno.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>

#include "runtime/files/raw_files.h"

namespace ravel {
namespace {

// From the headers of Linux 6.7; those that this is compiled with may be older.
constexpr std::uint64_t kUserModeOnly = 1;  // UFFD_USER_MODE_ONLY: what an unprivileged process may have
constexpr std::uint64_t kFeatureAsync = std::uint64_t{1} << 15;
constexpr std::uint64_t kPageIsWpAllowed = 1U << 0;
constexpr std::uint64_t kPageIsWritten = 1U << 1;
constexpr std::uint64_t kPageIsPresent = 1U << 3;
constexpr std::uint64_t kPageIsSwapped = 1U << 4;
constexpr std::uint64_t kScanProtect = 1U << 0;       // PM_SCAN_WP_MATCHING
constexpr std::uint64_t kScanCheckWatched = 1U << 1;  // PM_SCAN_CHECK_WPASYNC

struct Region {
  std::uint64_t start;
  std::uint64_t end;
  std::uint64_t categories;
};
struct ScanArguments {
  std::uint64_t size;
  std::uint64_t flags;
  std::uint64_t start;
  std::uint64_t end;
  std::uint64_t walk_end;
  std::uint64_t regions;
  std::uint64_t region_count;
  std::uint64_t max_pages;
  std::uint64_t category_inverted;
  std::uint64_t category_mask;
  std::uint64_t category_anyof_mask;
  std::uint64_t return_mask;
};
constexpr unsigned long kPagemapScan = _IOWR('f', 16, ScanArguments);

long control(int descriptor, unsigned long command, void* argument) {
  return raw_syscall(SYS_ioctl, descriptor, static_cast<long>(command), raw_of(argument));
}

int moved_up(int descriptor, int lowest) {
  if (descriptor < 0) return -1;
  const auto moved = static_cast<int>(raw_fcntl(descriptor, F_DUPFD_CLOEXEC, lowest));
  raw_close(descriptor);
  return moved;
}

}  // namespace

bool WrittenPages::open(int lowest) {
  faults_ = moved_up(static_cast<int>(raw_syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | kUserModeOnly)), lowest);
  if (faults_ < 0) return false;
  uffdio_api api{};
  api.api = UFFD_API;
  api.features = kFeatureAsync;
  if (control(faults_, UFFDIO_API, &api) != 0) return false;
  pagemap_ = moved_up(raw_open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC), lowest);
  return pagemap_ >= 0;
}

bool WrittenPages::watch(const PageRange& range) {
  uffdio_register watched{};
  watched.range.start = range.start;
  watched.range.len = range.end - range.start;
  watched.mode = UFFDIO_REGISTER_MODE_WP;
  if (control(faults_, UFFDIO_REGISTER, &watched) != 0) return false;
  // Not the whole range: that would make page tables for all of it, and there are reservations of terabytes.
  ScanArguments scan{};
  scan.size = sizeof scan;
  scan.flags = kScanProtect | kScanCheckWatched;
  scan.start = range.start;
  scan.end = range.end;
  scan.category_anyof_mask = kPageIsPresent | kPageIsSwapped;
  return control(pagemap_, kPagemapScan, &scan) >= 0;
}

long WrittenPages::list(const PageRange& all, std::uint64_t& from, PageRange* runs, std::size_t capacity) const {
  constexpr std::size_t kMost = 256;
  Region regions[kMost];
  ScanArguments scan{};
  scan.size = sizeof scan;
  scan.start = from;
  scan.end = all.end;
  scan.regions = reinterpret_cast<std::uint64_t>(regions);
  scan.region_count = capacity < kMost ? capacity : kMost;
  scan.category_mask = kPageIsWpAllowed | kPageIsWritten;
  scan.category_anyof_mask = kPageIsPresent | kPageIsSwapped;  // a page that does not exist counts as written, too
  scan.return_mask = kPageIsWritten;
  const long count = control(pagemap_, kPagemapScan, &scan);
  for (long i = 0; i < count; ++i) runs[i] = {regions[i].start, regions[i].end};
  from = scan.walk_end;
  return count;
}

bool WrittenPages::protect(const PageRange& range) const {
  uffdio_writeprotect protect{};
  protect.range.start = range.start;
  protect.range.len = range.end - range.start;
  protect.mode = UFFDIO_WRITEPROTECT_MODE_WP;
  for (;;) {
    const long result = control(faults_, UFFDIO_WRITEPROTECT, &protect);
    if (result != -EAGAIN) return result == 0;
  }
}

bool WrittenPages::still_watches(const PageRange& range) const {
  ScanArguments scan{};
  scan.size = sizeof scan;
  scan.flags = kScanCheckWatched;
  scan.start = range.start;
  scan.end = range.end;
  scan.category_mask = kPageIsPresent | kPageIsSwapped;  // no page is both: nothing is listed
  return control(pagemap_, kPagemapScan, &scan) >= 0;
}

}  // namespace ravel
