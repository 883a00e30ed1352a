// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: assertion
// The worker uses the configuration that main reads only after it has started the worker.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> buffer_size{0};

int main() {
  std::thread worker([] { assert(buffer_size.load() != 0); });
  buffer_size.store(4096);
  worker.join();
}
