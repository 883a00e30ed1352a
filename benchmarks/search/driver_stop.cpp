// SPDX-License-Identifier: Apache-2.0
// Stop flag against an operation in flight. The driver refuses work once it stops, and stops when no work is pending.
// Shown by: a request sees the driver running; the stopper sets the flag, finds nothing pending and frees the device;
// then the request enters.
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  std::atomic<bool> stopping{false};
  std::atomic<bool> stopped{false};
  std::atomic<int> pending{1};
  auto leave = [&] {
    if (pending.fetch_sub(1) == 1) {
      stopped.store(true);
    }
  };
  std::thread request([&] {
    if (!stopping.load()) {
      pending.fetch_add(1);
      assert(!stopped.load());
      leave();
    }
  });
  std::thread stopper([&] {
    stopping.store(true);
    leave();
  });
  request.join();
  stopper.join();
}
