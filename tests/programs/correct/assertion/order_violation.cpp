// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Repaired: the configuration is read before the worker starts.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> buffer_size{0};

int main() {
  buffer_size.store(4096);
  std::thread worker([] { assert(buffer_size.load() != 0); });
  worker.join();
}
