// SPDX-License-Identifier: Apache-2.0
// Two tasks fill a table, and a lock orders all of their accesses. No switch between two of them could show anything
// that a switch at the lock does not, so they are no scheduling points unless `--points all` asks for it.
#include <assert.h>

#include <mutex>
#include <thread>

std::mutex m;
int table[64];

void fill() {
  for (int round = 0; round < 4; ++round) {
    const std::lock_guard lock(m);
    for (int& entry : table) ++entry;
  }
}

int main() {
  std::thread first(fill);
  std::thread second(fill);
  first.join();
  second.join();
  for (const int entry : table) assert(entry == 8);
}
