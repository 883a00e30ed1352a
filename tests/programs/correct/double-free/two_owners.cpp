// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// The repaired twin: exchange gives the pointer to one task only.
#include <atomic>
#include <memory>
#include <thread>

static std::atomic<int*> work{nullptr};

static void claim() { std::unique_ptr<int> mine(work.exchange(nullptr)); }

int main() {
  work.store(new int(1));
  std::thread first(claim);
  std::thread second(claim);
  first.join();
  second.join();
}
