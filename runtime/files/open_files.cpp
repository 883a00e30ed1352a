// SPDX-License-Identifier: Apache-2.0
#include "runtime/files/open_files.h"

#include <dirent.h>
#include <linux/kcmp.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/files/paths.h"
#include "runtime/files/raw_files.h"
#include "runtime/files/words.h"

namespace ravel {
namespace {

// Too large for the stack of a task. Only the running task is here.
struct Scratch {
  char entries[1U << 14];
  char path[kPathBytes];
  char maps[1U << 20];
};
constinit Scratch g_scratch = {};

// Calls visit(descriptor) for each descriptor below `limit`. Reading the list of them is cheaper than trying each.
template <typename Visit>
void for_each_descriptor(int limit, Visit visit) {
  const int list = raw_open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (list < 0) return;
  for (;;) {
    const long size = raw_syscall(SYS_getdents64, list, raw_of(g_scratch.entries), sizeof g_scratch.entries);
    if (size <= 0) break;
    for (long at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const dirent64*>(g_scratch.entries + at);
      std::string_view name = entry->d_name;
      const bool number = name.front() >= '0' && name.front() <= '9';
      const auto descriptor = static_cast<int>(take_number(name));
      if (number && descriptor < limit && descriptor != list) visit(descriptor);
      at += entry->d_reclen;
    }
  }
  raw_close(list);
}

// Does the name lead to the file? It may have been removed or replaced.
bool is_name_of(const char* path, const struct stat& file) {
  struct stat named {};
  return raw_stat_at(AT_FDCWD, path, named) == 0 && named.st_dev == file.st_dev && named.st_ino == file.st_ino;
}

constexpr std::string_view kRemoved = " (deleted)";

// A file whose name was removed may have another one in the same directory: sem_open makes a file, links it to the name
// that was asked for, and removes the first.
int open_by_number(std::string_view removed, std::uint64_t number) {
  while (!removed.empty() && removed.back() != '/') removed.remove_suffix(1);
  if (removed.empty() || removed.size() >= sizeof g_scratch.path) return -1;
  memcpy(g_scratch.path, removed.data(), removed.size());
  g_scratch.path[removed.size()] = '\0';
  const int list = raw_open(g_scratch.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (list < 0) return -1;
  int found = -1;
  for (long size = 0; found < 0;) {
    size = raw_syscall(SYS_getdents64, list, raw_of(g_scratch.entries), sizeof g_scratch.entries);
    if (size <= 0) break;
    for (long at = 0; at < size && found < 0;) {
      const auto* entry = reinterpret_cast<const dirent64*>(g_scratch.entries + at);
      at += entry->d_reclen;
      struct stat info {};
      if (raw_stat_at(list, entry->d_name, info) != 0 || !S_ISREG(info.st_mode) || info.st_ino != number) continue;
      found = raw_open_at(list, entry->d_name, O_PATH | O_CLOEXEC);
    }
  }
  raw_close(list);
  return found;
}

int flags_for_opening(long flags) { return static_cast<int>(flags) & ~(O_CREAT | O_EXCL | O_TRUNC); }

}  // namespace

int OpenFiles::first_with_open_file_of(int descriptor) const {
  const long self = raw_syscall(SYS_getpid);
  for (std::size_t i = 0; i < count_; ++i) {
    const int other = files_[i].descriptor;
    if (files_[i].same_as != other) continue;
    if (raw_syscall(SYS_kcmp, self, self, KCMP_FILE, other, descriptor) == 0) return other;
  }
  return descriptor;
}

void OpenFiles::add(int descriptor, bool regular) {
  if (count_ == kMost) return;
  File file{descriptor, raw_fcntl(descriptor, F_GETFL), -1, descriptor, false};
  file.position = raw_seek(descriptor, 0, SEEK_CUR);
  file.same_as = first_with_open_file_of(descriptor);
  if (regular && file.same_as == descriptor) {
    const std::size_t before = locks_.size();
    locks_.add(descriptor);
    file.own = (file.flags & O_ACCMODE) != O_RDONLY || locks_.size() > before;
  }
  files_[count_++] = file;
}

void OpenFiles::remember() {
  for_each_descriptor(kDescriptors, [this](int descriptor) {
    struct stat info {};
    raw_stat(descriptor, info);
    if (S_ISREG(info.st_mode)) {
      add(descriptor, true);
    } else if (descriptor <= STDERR_FILENO && count_ < kMost) {
      files_[count_++] = File{descriptor, raw_fcntl(descriptor, F_GETFL), -1, descriptor, false};
    }
  });
}

void OpenFiles::restore() const {
  for (std::size_t i = 0; i < count_; ++i) {
    const File& file = files_[i];
    if (file.position >= 0) raw_seek(file.descriptor, file.position, SEEK_SET);
    if (raw_fcntl(file.descriptor, F_GETFL) != file.flags) raw_fcntl(file.descriptor, F_SETFL, file.flags);
  }
}

void OpenFiles::replace(const File& file, int fresh) const {
  if (fresh < 0) return;
  if (file.position > 0) raw_seek(fresh, file.position, SEEK_SET);
  for (std::size_t i = 0; i < count_; ++i) {
    if (files_[i].same_as != file.descriptor) continue;
    const long kept_on_exec = raw_fcntl(files_[i].descriptor, F_GETFD);
    raw_syscall(SYS_dup3, fresh, files_[i].descriptor, (kept_on_exec & FD_CLOEXEC) != 0 ? O_CLOEXEC : 0);
  }
  raw_close(fresh);
}

void OpenFiles::open_by_names() const {
  for (std::size_t i = 0; i < count_; ++i) {
    const File& file = files_[i];
    if (file.position < 0 || file.same_as != file.descriptor) continue;
    const std::string_view name(g_scratch.path, name_of_descriptor(file.descriptor, g_scratch.path));
    if (name.empty()) continue;
    if (name.ends_with(kRemoved)) g_scratch.path[name.size() - kRemoved.size()] = '\0';
    replace(file, raw_open(g_scratch.path, flags_for_opening(file.flags)));
  }
}

void OpenFiles::take_locks() {
  for (std::size_t i = 0; i < count_; ++i) {
    const File& file = files_[i];
    if (file.same_as != file.descriptor || !locks_.belong_to_file(file.descriptor)) continue;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file.descriptor);
    replace(file, raw_open(path, flags_for_opening(file.flags)));
  }
  locks_.take();
}

void OpenFiles::remember_below(std::string_view directory) {
  count_ = 0;
  mapping_count_ = 0;
  locks_ = {};
  for_each_descriptor(kDescriptors, [&](int descriptor) {
    struct stat info {};
    raw_stat(descriptor, info);
    if (!S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) return;
    const std::size_t length = name_of_descriptor(descriptor, g_scratch.path);
    if (!lies_in({g_scratch.path, length}, directory) || !is_name_of(g_scratch.path, info)) return;
    add(descriptor, S_ISREG(info.st_mode));
  });
  remember_mappings(directory);
}

// "7f0000000000-7f0000001000 rw-s 00000000 08:01 123   /path": the letter s is what matters.
void OpenFiles::remember_mappings(std::string_view directory) {
  std::string_view rest(g_scratch.maps, raw_read_text("/proc/self/maps", g_scratch.maps, sizeof g_scratch.maps));
  while (!rest.empty() && mapping_count_ < kMostMappings) {
    std::string_view line = take_line(rest);
    Mapping mapping{};
    mapping.start = take_number(line, 16);
    if (!line.empty()) line.remove_prefix(1);
    mapping.end = take_number(line, 16);
    const std::string_view access = take_word(line);
    if (access.size() < 4 || access[3] != 's') continue;
    mapping.protection =
        (access[0] == 'r' ? PROT_READ : 0) | (access[1] == 'w' ? PROT_WRITE : 0) | (access[2] == 'x' ? PROT_EXEC : 0);
    std::string_view offset = take_word(line);
    mapping.offset = take_number(offset, 16);
    take_word(line);
    std::string_view inode = take_word(line);
    while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
    if (!lies_in(line, directory)) continue;
    if (line.ends_with(kRemoved)) {
      mapping.file = open_by_number({line.data(), line.size() - kRemoved.size()}, take_number(inode));
    } else {
      g_scratch.maps[line.data() + line.size() - g_scratch.maps] = '\0';  // it was the end of the line
      mapping.file = raw_open(line.data(), O_PATH | O_CLOEXEC);
    }
    if (mapping.file >= 0) mappings_[mapping_count_++] = mapping;
  }
}

void OpenFiles::open_again() {
  for (std::size_t i = 0; i < count_; ++i) {
    const File& file = files_[i];
    if (file.same_as != file.descriptor) continue;
    if (name_of_descriptor(file.descriptor, g_scratch.path) == 0) continue;
    replace(file, raw_open(g_scratch.path, flags_for_opening(file.flags)));
  }
  for (std::size_t i = 0; i < mapping_count_; ++i) {
    const Mapping& mapping = mappings_[i];
    name_of_descriptor(mapping.file, g_scratch.path);
    raw_close(mapping.file);
    int file = raw_open(g_scratch.path, O_RDWR | O_CLOEXEC);
    if (file < 0) file = raw_open(g_scratch.path, O_RDONLY | O_CLOEXEC);
    if (file < 0) continue;
    raw_syscall(SYS_mmap, static_cast<long>(mapping.start), static_cast<long>(mapping.end - mapping.start),
                mapping.protection, MAP_SHARED | MAP_FIXED, file, static_cast<long>(mapping.offset));
    raw_close(file);
  }
  locks_.take();
}

}  // namespace ravel
