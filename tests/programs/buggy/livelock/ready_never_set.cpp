// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: livelock
// The sender says "ready" only to a listener it can see; one that comes later polls a flag nobody will set.
#include <atomic>
#include <thread>

int main() {
  std::atomic<bool> listening{false};
  std::atomic<bool> ready{false};
  std::thread listener([&] {
    listening.store(true);
    while (!ready.load()) {
    }
  });
  std::thread sender([&] {
    if (listening.load()) ready.store(true);
  });
  listener.join();
  sender.join();
}
