// SPDX-License-Identifier: Apache-2.0
#include "runtime/files/moving.h"

#include <dirent.h>
#include <string.h>

#include <cerrno>

#include "runtime/files/copying.h"
#include "runtime/files/raw_files.h"

namespace ravel {
namespace {

int move_one(int from_directory, const char* from, int to_directory, const char* to);

// Entries vanish from a directory while it is read: begin again until there are none.
int move_entries(int source, int target) {
  alignas(dirent64) char entries[1024];
  for (;;) {
    raw_seek(source, 0, SEEK_SET);
    bool any = false;
    for (long size = 0; (size = raw_syscall(SYS_getdents64, source, raw_of(entries), sizeof entries)) > 0;) {
      for (long at = 0; at < size;) {
        const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
        at += entry->d_reclen;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        const int error = move_one(source, entry->d_name, target, entry->d_name);
        if (error != 0 && error != ENOENT) return error;
        any = any || error == 0;
      }
    }
    if (!any) return 0;
  }
}

int move_directory(int from_directory, const char* from, int to_directory, const char* to) {
  if (const int error = raw_error(raw_syscall(SYS_mkdirat, to_directory, raw_of(to), 0700)); error != 0) return error;
  const int source = raw_open_at(from_directory, from, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const int target = raw_open_at(to_directory, to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const int error = source < 0 ? -source : target < 0 ? -target : move_entries(source, target);
  if (source >= 0) raw_close(source);
  if (target >= 0) raw_close(target);
  return error;
}

int move_one(int from_directory, const char* from, int to_directory, const char* to) {
  const int renamed = raw_error(raw_syscall(SYS_renameat, from_directory, raw_of(from), to_directory, raw_of(to)));
  if (renamed != EXDEV) return renamed;
  struct stat info {};
  if (const int error = raw_stat_at(from_directory, from, info, AT_SYMLINK_NOFOLLOW); error != 0) return -error;
  const bool is_directory = S_ISDIR(info.st_mode);
  // What is there goes, as with a rename: a directory only if it is empty.
  const int gone = raw_error(raw_syscall(SYS_unlinkat, to_directory, raw_of(to), is_directory ? AT_REMOVEDIR : 0));
  if (gone != 0 && gone != ENOENT) return gone;
  int error = 0;
  if (is_directory) {
    error = move_directory(from_directory, from, to_directory, to);
  } else if (S_ISREG(info.st_mode)) {
    error = copy_file(from_directory, from, to_directory, to);
  } else if (S_ISLNK(info.st_mode)) {
    error = copy_link(from_directory, from, to_directory, to);
  } else {
    error =
        raw_error(raw_syscall(SYS_mknodat, to_directory, raw_of(to), info.st_mode, static_cast<long>(info.st_rdev)));
  }
  if (error != 0) return error;
  copy_attributes(info, to_directory, to);
  return raw_error(raw_syscall(SYS_unlinkat, from_directory, raw_of(from), is_directory ? AT_REMOVEDIR : 0));
}

}  // namespace

int move_by_copying(int from_directory, const char* from, int to_directory, const char* to) {
  return move_one(from_directory, from, to_directory, to);
}

}  // namespace ravel
