// SPDX-License-Identifier: Apache-2.0
// FileLocks: the locks on files that a process has, as the kernel lists them with each descriptor: POSIX record locks
// (fcntl F_SETLK), those of an open file (F_OFD_SETLK) and those of flock().
//
// Who calls it: OpenFiles, for the locks that the program took before its first thread. Record locks belong to a
// process, the others to an open file; what the fork server has, no execution could take or give back. So the server
// gives them up, and each execution takes them again.
//
// Thread safety: none; one thread of the process uses it. Invariant: it lists at most kMost locks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ravel {

enum class FileLockKind : std::uint8_t { record, open_file, whole_file };  // fcntl, fcntl OFD, flock

// An unused one is all zeros: so large tables of them need not be read from the library.
struct FileLock {
  int descriptor = 0;
  FileLockKind kind = FileLockKind::record;
  bool exclusive = false;
  std::int64_t start = 0;
  std::int64_t length = 0;  // 0: to the end, however far that is
};

class FileLocks {
 public:
  // Adds those of a descriptor.
  void add(int descriptor);
  // Adds those in the text of /proc/self/fdinfo/DESCRIPTOR.
  void add(int descriptor, std::string_view description);

  void give_up() const;  // all of them
  void take() const;     // all of them, through the same descriptors

  std::size_t size() const { return count_; }
  const FileLock& operator[](std::size_t i) const { return locks_[i]; }
  // Has the descriptor a lock that belongs to its open file?
  bool belong_to_file(int descriptor) const;

 private:
  static constexpr std::size_t kMost = 128;
  FileLock locks_[kMost] = {};
  std::size_t count_ = 0;
};

}  // namespace ravel
