// SPDX-License-Identifier: Apache-2.0
// What executions draw from random sources, compared through memory that the fork server shares with all of them. With
// the argument "seeded" it is the same in every execution: bugs that need other numbers need another --seed. With
// "device" the numbers come from /dev/urandom by read, with "uuid" from the kernel's file of random names, with
// "counter" from the time-stamp counter, with "file" from the time when a file was written: Ravel leaves them alone,
// and executions differ.
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cassert>
#include <random>
#include <thread>

struct Drawn {
  bool done;
  unsigned values[2];
};

int main(int, char** arguments) {
  const bool uuid = strcmp(arguments[1], "uuid") == 0;
  const bool device = uuid || strcmp(arguments[1], "device") == 0;
  const bool counter = strcmp(arguments[1], "counter") == 0;
  const bool file = strcmp(arguments[1], "file") == 0;
  void* shared = mmap(nullptr, sizeof(Drawn), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 2;
  auto* first = static_cast<Drawn*>(shared);
  std::thread([=] {
    unsigned values[2] = {};
    if (counter) {
      values[0] = static_cast<unsigned>(__builtin_ia32_rdtsc());
    } else if (file) {
      const int written = open("random_sources.written", O_CREAT | O_TRUNC | O_WRONLY, 0600);
      struct stat status = {};
      if (write(written, "1", 1) != 1 || fstat(written, &status) != 0) _exit(2);
      values[0] = static_cast<unsigned>(status.st_mtim.tv_sec);
      values[1] = static_cast<unsigned>(status.st_mtim.tv_nsec);
      close(written);
    } else if (device) {
      const int source = open(uuid ? "/proc/sys/kernel/random/uuid" : "/dev/urandom", O_RDONLY);
      if (read(source, values, sizeof values) != sizeof values) _exit(2);
      close(source);
    } else {
      values[0] = std::random_device()();
      if (getrandom(&values[1], sizeof values[1], 0) != sizeof values[1]) _exit(2);
    }
    if (!first->done) {
      memcpy(first->values, values, sizeof values);
      first->done = true;
    }
    assert(memcmp(first->values, values, sizeof values) == 0);
  }).join();
}
