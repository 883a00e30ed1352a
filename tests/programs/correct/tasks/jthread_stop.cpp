// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// STANDARD: c++20
// jthread, stop_token and stop_callback: the callback runs exactly once, wherever the request falls.
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

int main() {
  std::atomic<int> callbacks{0};
  std::atomic<int> rounds{0};
  {
    std::jthread worker([&](std::stop_token stop) {
      std::stop_callback on_stop(stop, [&] { callbacks.fetch_add(1); });
      while (!stop.stop_requested()) {
        rounds.fetch_add(1);
        std::this_thread::yield();
      }
    });
    std::jthread stopper([&] { worker.request_stop(); });
  }
  assert(callbacks.load() == 1);
}
