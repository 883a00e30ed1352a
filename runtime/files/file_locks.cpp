// SPDX-License-Identifier: Apache-2.0
#include "runtime/files/file_locks.h"

#include <stdio.h>
#include <sys/file.h>

#include "runtime/files/raw_files.h"
#include "runtime/files/words.h"

namespace ravel {
namespace {

// "lock:	1: POSIX  ADVISORY  WRITE 359 00:13:11691 0 EOF". False: it is no lock of these kinds.
bool read_lock(std::string_view line, FileLock& lock) {
  if (!line.starts_with("lock:")) return false;
  take_word(line);
  take_word(line);  // its number
  const std::string_view kind = take_word(line);
  if (kind == "POSIX") {
    lock.kind = FileLockKind::record;
  } else if (kind == "OFDLCK") {
    lock.kind = FileLockKind::open_file;
  } else if (kind == "FLOCK") {
    lock.kind = FileLockKind::whole_file;
  } else {
    return false;  // a lease, or somebody who waits ("->")
  }
  take_word(line);  // ADVISORY
  lock.exclusive = take_word(line) == "WRITE";
  take_word(line);  // whose
  take_word(line);  // the file
  std::string_view start = take_word(line);
  std::string_view end = take_word(line);
  lock.start = static_cast<std::int64_t>(take_number(start));
  lock.length = end == "EOF" ? 0 : static_cast<std::int64_t>(take_number(end)) - lock.start + 1;
  return true;
}

void set(const FileLock& lock, bool held) {
  if (lock.kind == FileLockKind::whole_file) {
    const int wanted = held ? (lock.exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB : LOCK_UN;
    raw_syscall(SYS_flock, lock.descriptor, wanted);
    return;
  }
  struct flock range {};
  range.l_type = static_cast<short>(!held ? F_UNLCK : lock.exclusive ? F_WRLCK : F_RDLCK);
  range.l_whence = SEEK_SET;
  range.l_start = lock.start;
  range.l_len = lock.length;
  raw_fcntl(lock.descriptor, lock.kind == FileLockKind::record ? F_SETLK : F_OFD_SETLK, raw_of(&range));
}

}  // namespace

void FileLocks::add(int descriptor) {
  char path[64];
  char text[4096];
  snprintf(path, sizeof path, "/proc/self/fdinfo/%d", descriptor);
  add(descriptor, {text, raw_read_text(path, text, sizeof text)});
}

void FileLocks::add(int descriptor, std::string_view description) {
  while (!description.empty() && count_ < kMost) {
    FileLock lock{descriptor};
    if (read_lock(take_line(description), lock)) locks_[count_++] = lock;
  }
}

void FileLocks::give_up() const {
  for (std::size_t i = 0; i < count_; ++i) set(locks_[i], false);
}

void FileLocks::take() const {
  for (std::size_t i = 0; i < count_; ++i) set(locks_[i], true);
}

bool FileLocks::belong_to_file(int descriptor) const {
  for (std::size_t i = 0; i < count_; ++i) {
    if (locks_[i].descriptor == descriptor && locks_[i].kind != FileLockKind::record) return true;
  }
  return false;
}

}  // namespace ravel
