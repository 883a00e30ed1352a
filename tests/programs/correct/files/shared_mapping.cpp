// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// A file that is shared memory: mapped before the first thread, written to by threads. Each execution must find it as
// it was, in memory and on disk.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <new>
#include <thread>

int main() {
  const char* const path = "shared-mapping";
  const int file = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
  assert(file >= 0 && ftruncate(file, 4096) == 0);
  void* const memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  assert(memory != MAP_FAILED);
  close(file);
  auto& count = *new (memory) std::atomic<int>(40);

  std::thread first([&] { ++count; });
  std::thread second([&] { ++count; });
  first.join();
  second.join();
  assert(count == 42);
  int on_disk = 0;
  const int again = open(path, O_RDONLY);
  assert(read(again, &on_disk, sizeof on_disk) == sizeof on_disk && on_disk == 42);
  close(again);
  unlink(path);
}
