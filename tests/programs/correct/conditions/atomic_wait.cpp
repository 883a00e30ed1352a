// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// STANDARD: c++20
// std::atomic wait and notify: the waiter looks at the value again after every wake-up.
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  std::atomic<int> stage{0};
  int data = 0;
  std::thread follower([&] {
    stage.wait(0, std::memory_order_acquire);
    assert(data == 1);
    data = 2;
    stage.store(2, std::memory_order_release);
    stage.notify_one();
  });
  data = 1;
  stage.store(1, std::memory_order_release);
  stage.notify_all();
  for (int seen = 1; (seen = stage.load(std::memory_order_acquire)) != 2;) stage.wait(seen);
  assert(data == 2);
  follower.join();
}
