// SPDX-License-Identifier: Apache-2.0
// One task waits until a flag is set, the other sets it and notifies, under the mutex. If the setter has the mutex
// first, there is no wait; else the wait is ended by the notification, and the mutex is taken again after the setter
// gave it up. 2.
//
//   sc: 2
//   c11: 2
#include <condition_variable>
#include <mutex>

#include "together.h"

std::mutex m;
std::condition_variable changed;
bool ready = false;

int main() {
  together(
      [] {
        std::unique_lock lock(m);
        while (!ready) changed.wait(lock);
      },
      [] {
        const std::lock_guard guard(m);
        ready = true;
        changed.notify_one();
      });
}
