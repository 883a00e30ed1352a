// SPDX-License-Identifier: Apache-2.0
// Two tasks allocate and free far more than they ever have: what is held back stays within the bound, and the rest goes
// back. Fails when the process grew by much more than that.
#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

#include <cassert>
#include <cstdlib>
#include <cstring>
#include <thread>

std::size_t resident_bytes() {
  FILE* file = fopen("/proc/self/statm", "r");
  long pages = 0;
  long resident = 0;
  assert(fscanf(file, "%ld %ld", &pages, &resident) == 2);
  fclose(file);
  return static_cast<std::size_t>(resident) * static_cast<std::size_t>(getpagesize());
}

void work(int rounds) {
  void* kept[64] = {};
  unsigned state = 1;
  for (int i = 0; i < rounds; ++i) {
    state = state * 1103515245U + 12345U;
    const std::size_t size = (state >> 16) % (i % 1000 == 0 ? 1000000U : 2000U);
    free(kept[i % 64]);
    kept[i % 64] = malloc(size);
    memset(kept[i % 64], 1, size);
  }
  for (void* block : kept) free(block);
}

int main(int, char** arguments) {
  const int rounds = atoi(arguments[1]);
  const std::size_t most = static_cast<std::size_t>(atoi(arguments[2])) << 20;
  std::thread other(work, 1000);
  work(1000);
  other.join();
  const std::size_t before = resident_bytes();
  std::thread a(work, rounds);
  std::thread b(work, rounds);
  a.join();
  b.join();
  const std::size_t after = resident_bytes();
  fprintf(stderr, "%zu KB before, %zu KB after\n", before >> 10, after >> 10);
  assert(after < before + most);
}
