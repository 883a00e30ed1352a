// SPDX-License-Identifier: Apache-2.0
// A wait without a condition to check. If the notification comes first it is lost, and the waiter waits for ever: 1
// of the 2 classes is a deadlock.
//
//   sc: 2
//   c11: 2
//   finding: lost-wakeup
#include <condition_variable>
#include <mutex>

#include "together.h"

std::mutex m;
std::condition_variable changed;

int main() {
  together(
      [] {
        std::unique_lock lock(m);
        changed.wait(lock);
      },
      [] {
        const std::lock_guard guard(m);
        changed.notify_one();
      });
}
