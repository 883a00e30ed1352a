// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: the contents have a lock of their own; the last owner, whichever task it is, destroys them.
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

struct Total {
  std::mutex lock;
  int value = 0;
  ~Total() { assert(value == 2); }
};

int main() {
  auto total = std::make_shared<Total>();
  auto add = [](std::shared_ptr<Total> mine) {
    std::lock_guard lock(mine->lock);
    mine->value += 1;
  };
  std::thread first(add, total);
  std::thread second(add, total);
  total.reset();
  first.join();
  second.join();
}
