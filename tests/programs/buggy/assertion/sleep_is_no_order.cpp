// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: assertion
// "One millisecond is surely enough for the worker": nothing says so.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

int main() {
  std::atomic<bool> started{false};
  std::thread worker([&] { started.store(true); });
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  assert(started.load());
  worker.join();
}
