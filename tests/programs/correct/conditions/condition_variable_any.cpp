// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// STANDARD: c++20
// condition_variable_any over a shared lock and with a stop token: a stop request ends the wait.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <stop_token>
#include <thread>

int main() {
  std::shared_mutex shared;
  std::condition_variable_any published;
  int version = 0;
  std::thread reader([&] {
    std::shared_lock lock(shared);
    published.wait(lock, [&] { return version == 1; });
  });
  {
    std::unique_lock lock(shared);
    version = 1;
  }
  published.notify_all();
  reader.join();

  std::mutex mutex;
  std::condition_variable_any work_came;
  bool worked = false;
  {
    std::jthread worker([&](std::stop_token stop) {
      std::unique_lock lock(mutex);
      worked = work_came.wait(lock, stop, [] { return false; });
    });
  }
  assert(!worked);
}
