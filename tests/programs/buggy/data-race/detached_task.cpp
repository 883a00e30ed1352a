// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: a detached task cannot be joined, and sleeping "long enough" is no order.
#include <chrono>
#include <thread>

static int result = 0;

int main() {
  std::thread([] { result = 42; }).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return result < 0;
}
