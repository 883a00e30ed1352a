// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: deadlock
// The worker answers only when it still sees the request; main may have withdrawn it and waits for the answer anyway.
#include <atomic>
#include <future>
#include <thread>

int main() {
  std::promise<int> answer;
  std::future<int> result = answer.get_future();
  std::atomic<bool> requested{true};
  std::thread worker([&] {
    if (requested.load()) answer.set_value(42);
  });
  requested.store(false);
  result.get();
  worker.join();
}
