// SPDX-License-Identifier: Apache-2.0
// Both tasks free the same block when both look before either has cleared the pointer: one interleaving of many.
// Each does its part under a lock, so there is no race in it.
#include <cstdlib>
#include <mutex>
#include <thread>

std::mutex m;
int* shared = nullptr;

void clean_up() {
  int* mine = nullptr;
  {
    const std::lock_guard lock(m);
    mine = shared;
  }
  {
    const std::lock_guard lock(m);
    shared = nullptr;
  }
  free(mine);
}

int main() {
  shared = static_cast<int*>(malloc(24));
  std::thread a(clean_up);
  std::thread b(clean_up);
  a.join();
  b.join();
}
