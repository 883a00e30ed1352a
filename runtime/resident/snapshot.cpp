// SPDX-License-Identifier: Apache-2.0
#include "runtime/resident/snapshot.h"

#include <sys/resource.h>
#include <sys/uio.h>

#include <string_view>

#include "runtime/files/raw_files.h"
#include "runtime/files/words.h"

namespace ravel {
namespace {

std::uint64_t current_break() { return static_cast<std::uint64_t>(raw_syscall(SYS_brk, 0)); }

std::uint64_t page_of(std::uint64_t address) { return address & ~(kPageBytes - 1); }

// Of a line of /proc/self/maps: "7f0000000000-7f0000001000 rw-s 00000000 08:01 123   /path".
struct MapsLine {
  PageRange range;
  bool writable;
  bool shared;
};

MapsLine read_line(std::string_view line) {
  MapsLine read{};
  read.range.start = take_number(line, 16);
  if (!line.empty()) line.remove_prefix(1);
  read.range.end = take_number(line, 16);
  const std::string_view access = take_word(line);
  read.writable = access.size() >= 4 && access[1] == 'w';
  read.shared = access.size() >= 4 && access[3] == 's';
  return read;
}

void copy_page(void* to, const void* from) {
  std::uint64_t words = kPageBytes / sizeof(std::uint64_t);
  __asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(words) : : "memory");
}

// Of this thread so far.
rusage usage_so_far() {
  rusage usage{};
  raw_syscall(SYS_getrusage, RUSAGE_THREAD, raw_of(&usage));
  return usage;
}

// The kernel's own accesses count as well.
std::uint64_t page_faults(const rusage& usage) { return static_cast<std::uint64_t>(usage.ru_minflt + usage.ru_majflt); }

bool overlap(const PageRange& a, const PageRange& b) { return a.start < b.end && b.start < a.end; }

}  // namespace

// Calls visit(MapsLine) for each mapping, in ascending order, while it returns true.
template <typename Visit>
bool Snapshot::for_each_mapping(Visit visit) {
  const std::size_t size = raw_read_text("/proc/self/maps", maps_, kMapsBytes);
  if (size == 0 || size + 1 == kMapsBytes) return false;
  std::string_view rest(maps_, size);
  while (!rest.empty()) {
    if (!visit(read_line(take_line(rest)))) return false;
  }
  return true;
}

bool Snapshot::take(const Settings& settings) {
  settings_ = settings;
  char* const room = reinterpret_cast<char*>(settings.room.start);
  table_ = reinterpret_cast<Page*>(room);
  maps_ = room + kTableSize * sizeof(Page);
  next_contents_ = maps_ + kMapsBytes;
  if (reinterpret_cast<std::uint64_t>(next_contents_) >= settings.room.end) return false;
  if (!written_.open(settings.lowest_descriptor)) return false;
  const int statm = raw_open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (statm < 0) return false;
  statm_ = static_cast<int>(raw_fcntl(statm, F_DUPFD_CLOEXEC, settings.lowest_descriptor));
  raw_close(statm);
  break_ = current_break();
  size_ = address_space_pages();
  if (statm_ < 0 || size_ == 0 || !keep_own(settings.own) || !watch_mappings()) return false;
  time_ = processor_time(usage_so_far());
  return true;
}

bool Snapshot::watch_mappings() {
  const bool listed = for_each_mapping([this](const MapsLine& line) {
    if (mappings_ == kMostMappings) return false;
    if (line.writable && line.shared && !overlap(line.range, settings_.shared)) return false;
    const bool watched = line.writable && !line.shared && !overlap(line.range, settings_.apart);
    Mapping* const last = mappings_ > 0 ? &mapping_[mappings_ - 1] : nullptr;
    if (last != nullptr && last->range.end == line.range.start && last->watched == watched) {
      last->range.end = line.range.end;
    } else {
      mapping_[mappings_++] = {line.range, watched};
    }
    return true;
  });
  if (!listed) return false;
  for (std::size_t i = 0; i < mappings_; ++i) {
    const Mapping& mapping = mapping_[i];
    if (!mapping.watched) continue;
    if (!written_.watch(mapping.range)) return false;
    if (all_.end == 0) all_.start = mapping.range.start;
    all_.end = mapping.range.end;
  }
  return all_.end != 0;
}

Snapshot::Page* Snapshot::find(std::uint64_t address) {
  std::size_t at = (address * 0x9e3779b97f4a7c15ULL) >> 46;
  static_assert(kTableSize == std::size_t{1} << (64 - 46));
  while (table_[at].address != address) {
    if (table_[at].address == 0) {
      if (used_ >= kTableSize / 4 * 3) return nullptr;
      ++used_;
      table_[at].address = address;
      break;
    }
    at = (at + 1) % kTableSize;
  }
  return &table_[at];
}

char* Snapshot::new_contents() {
  if (reinterpret_cast<std::uint64_t>(next_contents_) + kPageBytes > settings_.room.end) return nullptr;
  char* const contents = next_contents_;
  next_contents_ += kPageBytes;
  return contents;
}

bool Snapshot::keep_own(const PageRange& range) {
  for (std::uint64_t at = page_of(range.start); at < range.end; at += kPageBytes) {
    Page* const page = find(at);
    if (page == nullptr) return false;
    if (page->contents == nullptr) page->contents = new_contents();
    if (page->contents == nullptr) return false;
    copy_page(page->contents, reinterpret_cast<const void*>(at));
  }
  return true;
}

// Those of the pages whose contents are not known yet, in one call of the kernel.
bool Snapshot::read_originals(const PageRange& run) {
  constexpr std::size_t kMost = 64;
  iovec here[kMost];
  iovec there[kMost];
  for (std::uint64_t at = run.start; at < run.end;) {
    std::size_t count = 0;
    for (; at < run.end && count < kMost; at += kPageBytes) {
      Page* const page = find(at);
      if (page == nullptr) return false;
      if (page->contents != nullptr) continue;
      page->contents = new_contents();
      if (page->contents == nullptr) return false;
      here[count] = {page->contents, kPageBytes};
      there[count++] = {reinterpret_cast<void*>(at), kPageBytes};
    }
    if (count == 0) continue;
    const long bytes = raw_syscall(SYS_process_vm_readv, settings_.image, raw_of(here), static_cast<long>(count),
                                   raw_of(there), static_cast<long>(count), 0);
    if (bytes != static_cast<long>(count * kPageBytes)) return false;
  }
  return true;
}

// Is the page, which was just found written, to be copied back each time from now on?
bool Snapshot::opens(Page& page) {
  ++page.found;
  if (page.open == 0 && open_ < kMostOpen && (open_ < kOpenAtOnce || page.found >= kOften)) {
    page.open = 1;
    open_pages_[open_++] = &page;
  }
  return page.open != 0;
}

bool Snapshot::put_back(const PageRange& run) {
  if (!read_originals(run)) return false;
  std::uint64_t closed = run.start;  // pages from here to `at` are to be protected again
  for (std::uint64_t at = run.start; at < run.end; at += kPageBytes) {
    Page& page = *find(at);
    if (opens(page)) {
      if (closed < at && !written_.protect({closed, at})) return false;
      closed = at + kPageBytes;
      continue;
    }
    copy_page(reinterpret_cast<void*>(at), page.contents);
    ++last_pages_;
  }
  return closed >= run.end || written_.protect({closed, run.end});
}

// Calls visit(PageRange) for each run of written pages, while it returns true.
template <typename Visit>
bool Snapshot::for_each_run(Visit visit) {
  PageRange runs[kMostRuns];
  for (std::uint64_t from = all_.start; from < all_.end;) {
    const long count = written_.list(all_, from, runs, kMostRuns);
    if (count < 0) return false;
    for (long i = 0; i < count; ++i) {
      if (!visit(runs[i])) return false;
    }
  }
  return true;
}

bool Snapshot::restore(std::uint64_t most_time) {
  last_pages_ = 0;
  const rusage used = usage_so_far();
  const std::uint64_t before = time_;
  time_ = processor_time(used);
  if (time_ - before > most_time) return false;
  // Faults of the copying below count for the next execution, which is then looked at for nothing.
  const bool faulted = page_faults(used) != faults_;
  if (faulted && !for_each_run([this](const PageRange& run) { return put_back(run); })) return false;
  for (std::size_t i = 0; i < open_; ++i) {
    copy_page(reinterpret_cast<void*>(open_pages_[i]->address), open_pages_[i]->contents);
  }
  last_pages_ += open_;
  if (faulted) faults_ = page_faults(usage_so_far());
  return true;
}

bool Snapshot::keep() {
  if (address_space_pages() != size_) return false;  // what is kept may refer to what would be unmapped
  return for_each_run([this](const PageRange& run) { return keep_own(run) && written_.protect(run); });
}

std::uint64_t Snapshot::address_space_pages() const {
  char text[128];
  const long size = raw_syscall(SYS_pread64, statm_, raw_of(text), sizeof text, 0);
  if (size <= 0) return 0;
  std::string_view words(text, static_cast<std::size_t>(size));
  return take_number(words);
}

bool Snapshot::unmap_additions() {
  PageRange additions[64];
  std::size_t count = 0;
  std::size_t known = 0;
  const bool listed = for_each_mapping([&](const MapsLine& line) {
    std::uint64_t at = line.range.start;
    while (at < line.range.end) {
      while (known < mappings_ && mapping_[known].range.end <= at) ++known;
      const std::uint64_t begins = known < mappings_ ? mapping_[known].range.start : ~std::uint64_t{0};
      if (begins <= at) {
        at = mapping_[known].range.end;
        continue;
      }
      const std::uint64_t end = begins < line.range.end ? begins : line.range.end;
      if (count == sizeof additions / sizeof additions[0]) return false;
      additions[count++] = {at, end};
      at = end;
    }
    return true;
  });
  if (!listed) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const PageRange& range = additions[i];
    if (raw_syscall(SYS_munmap, static_cast<long>(range.start), static_cast<long>(range.end - range.start)) != 0) {
      return false;
    }
  }
  return true;
}

bool Snapshot::same_mappings(bool replaced) {
  const std::uint64_t end = current_break();
  if (end < break_) return false;
  if (end > break_) raw_syscall(SYS_brk, static_cast<long>(break_));
  if (address_space_pages() != size_) {
    if (!unmap_additions() || address_space_pages() != size_) return false;
    replaced = true;
  }
  for (std::size_t i = 0; replaced && i < mappings_; ++i) {
    if (mapping_[i].watched && !written_.still_watches(mapping_[i].range)) return false;
  }
  return true;
}

}  // namespace ravel
