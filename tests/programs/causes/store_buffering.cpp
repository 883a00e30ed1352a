// SPDX-License-Identifier: Apache-2.0
// Two threads each raise a flag and look at the other's, so that at least one sees that it is not alone; not with
// release and acquire.
// FINDING: assertion
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> left_busy{false};
static std::atomic<bool> right_busy{false};

int main() {
  bool left_alone = false;
  bool right_alone = false;
  std::thread left([&] {
    left_busy.store(true, std::memory_order_release);          // CAUSE: first
    left_alone = !right_busy.load(std::memory_order_acquire);  // CAUSE: second
  });
  std::thread right([&] {
    right_busy.store(true, std::memory_order_release);         // CAUSE: first
    right_alone = !left_busy.load(std::memory_order_acquire);  // CAUSE: second
  });
  left.join();
  right.join();
  assert(!(left_alone && right_alone));
}
