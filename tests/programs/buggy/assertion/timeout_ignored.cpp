// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: assertion
// The result of a timed wait is ignored: when it times out, the reply is not there yet.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable arrived;
  int reply = 0;
  std::thread server([&] {
    std::lock_guard lock(mutex);
    reply = 7;
    arrived.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    arrived.wait_for(lock, std::chrono::milliseconds(2), [&] { return reply != 0; });
    assert(reply == 7);
  }
  server.join();
}
