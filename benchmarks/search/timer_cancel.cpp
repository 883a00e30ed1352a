// SPDX-License-Identifier: Apache-2.0
// Timer cancelled while it fires. Cancelling disarms the timer and frees its data at once; firing looks at the arm
// first and uses the data after that.
// Shown by: the cancellation comes between the look and the use, in the one of three ticks in which the timer is due.
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  std::atomic<bool> armed{true};
  std::atomic<int> ticks{0};
  std::atomic<int> fired{0};
  auto* data = new int{5};
  std::thread clock([&] {
    for (int tick = 0; tick < 3; ++tick) {
      if (ticks.fetch_add(1) == 2 && armed.load()) {
        fired.fetch_add(1);
        assert(*data == 5);
      }
    }
  });
  std::thread owner([&] {
    if (ticks.load() < 3) {
      armed.store(false);
      delete data;
    }
  });
  clock.join();
  owner.join();
}
