// SPDX-License-Identifier: Apache-2.0
// The program is linked with an allocator of its own, allocator_library.cpp. Under Ravel malloc goes to glibc, and the
// library is never called; outside Ravel the assertion fails.
#include <stdlib.h>

#include <cassert>
#include <thread>

extern "C" int allocator_calls();

int main() {
  std::thread([] {
    void* volatile block = malloc(100);
    free(block);
  }).join();
  assert(allocator_calls() == 0);
}
