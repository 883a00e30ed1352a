// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Locks on files, of each kind, that are taken before the first thread, given back after it and taken again. They
// belong to the process or to its open file: in an execution that is not the one that took them.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cassert>
#include <cstdlib>
#include <string>
#include <thread>

namespace {

enum class Kind { record, open_file, whole_file };

bool take(Kind kind, int file) {
  struct flock all {};
  all.l_type = F_WRLCK;
  if (kind == Kind::whole_file) return flock(file, LOCK_EX | LOCK_NB) == 0;
  return fcntl(file, kind == Kind::record ? F_SETLK : F_OFD_SETLK, &all) == 0;
}

struct LockedFile {
  explicit LockedFile(Kind how) : kind(how) {
    file = mkstemp(path);
    assert(file >= 0 && take(kind, file));
    copy = dup(file);
    assert(write(file, "before", 6) == 6);
  }

  // A second open file cannot have it, until every descriptor of the first is closed.
  void check_and_give_back() {
    const int other = open(path, O_RDWR);
    if (kind != Kind::record) assert(!take(kind, other));
    assert(lseek(copy, 0, SEEK_CUR) == 6);
    assert(write(file, "after", 5) == 5 && lseek(copy, 0, SEEK_CUR) == 11);
    close(file);
    if (kind != Kind::record) assert(!take(kind, other));
    close(copy);
    assert(take(kind, other));
    close(other);
    unlink(path);
  }

  Kind kind;
  char path[32] = "/tmp/record-lock-XXXXXX";
  int file = -1;
  int copy = -1;
};

}  // namespace

int main() {
  LockedFile files[] = {LockedFile(Kind::record), LockedFile(Kind::open_file), LockedFile(Kind::whole_file)};
  std::thread([&] {
    for (LockedFile& file : files) file.check_and_give_back();
  }).join();
}
