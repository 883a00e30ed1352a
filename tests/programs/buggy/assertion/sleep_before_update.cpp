// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: assertion
// Reads and writes under a lock, but not both under the same: an update is lost. The short sleep of one task does not
// make it come last.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

std::mutex mutex;
int balance = 0;

int get() {
  const std::lock_guard<std::mutex> lock(mutex);
  return balance;
}

void set(int value) {
  const std::lock_guard<std::mutex> lock(mutex);
  balance = value;
}

int main() {
  std::thread first([] {
    std::this_thread::sleep_for(std::chrono::microseconds(500));
    set(get() + 1);
  });
  std::thread second([] { set(get() + 1); });
  first.join();
  second.join();
  assert(balance == 2);
}
