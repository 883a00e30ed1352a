// SPDX-License-Identifier: Apache-2.0
// A file without a name that is open at the fork point: all executions write to the same one, and the second finds what
// the first wrote. With --fresh each has its own.
#include <sys/stat.h>
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <thread>

int main() {
  const int file = fileno(tmpfile());
  std::thread([&] {
    struct stat info {};
    assert(fstat(file, &info) == 0 && info.st_size == 0);
    assert(write(file, "text", 4) == 4);
  }).join();
}
