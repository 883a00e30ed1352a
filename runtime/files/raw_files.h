// SPDX-License-Identifier: Apache-2.0
// File system calls without libc, for code inside the target, where open(), fcntl() and the like are interposed. Each
// returns what the kernel returns: a negative errno on failure. None touches errno. Thread-safe.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>

#include <cstddef>

#include "base/raw_syscall.h"

namespace ravel {

inline long raw_of(const void* pointer) { return reinterpret_cast<long>(pointer); }

inline int raw_error(long result) { return result < 0 ? static_cast<int>(-result) : 0; }  // an errno, or 0

inline int raw_open_at(int directory, const char* path, int flags, mode_t mode = 0) {
  return static_cast<int>(raw_syscall(SYS_openat, directory, raw_of(path), flags, static_cast<long>(mode)));
}
inline int raw_open(const char* path, int flags, mode_t mode = 0) { return raw_open_at(AT_FDCWD, path, flags, mode); }
inline int raw_close(int descriptor) { return static_cast<int>(raw_syscall(SYS_close, descriptor)); }
inline long raw_read(int descriptor, void* buffer, std::size_t size) {
  return raw_syscall(SYS_read, descriptor, raw_of(buffer), static_cast<long>(size));
}
inline long raw_write(int descriptor, const void* buffer, std::size_t size) {
  return raw_syscall(SYS_write, descriptor, raw_of(buffer), static_cast<long>(size));
}
inline int raw_stat(int descriptor, struct stat& status) {
  return static_cast<int>(raw_syscall(SYS_fstat, descriptor, raw_of(&status)));
}
inline int raw_stat_at(int directory, const char* path, struct stat& status, int flags = 0) {
  return static_cast<int>(raw_syscall(SYS_newfstatat, directory, raw_of(path), raw_of(&status), flags));
}
inline long raw_fcntl(int descriptor, int command, long argument = 0) {
  return raw_syscall(SYS_fcntl, descriptor, command, argument);
}
inline long raw_seek(int descriptor, long offset, int whence) {
  return raw_syscall(SYS_lseek, descriptor, offset, whence);
}

// The text of a small file, terminated; cut where it does not fit. Empty when it cannot be read.
inline std::size_t raw_read_text(const char* path, char* text, std::size_t capacity) {
  std::size_t size = 0;
  const int file = raw_open(path, O_RDONLY | O_CLOEXEC);
  while (file >= 0 && size + 1 < capacity) {
    const long more = raw_read(file, text + size, capacity - 1 - size);
    if (more <= 0) break;
    size += static_cast<std::size_t>(more);
  }
  if (file >= 0) raw_close(file);
  text[size] = '\0';
  return size;
}

}  // namespace ravel
