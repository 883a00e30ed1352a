// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// std::async, packaged_task, promise and shared_future hand values between tasks.
#include <cassert>
#include <future>
#include <thread>

int main() {
  std::future<int> sum = std::async(std::launch::async, [] { return 40 + 2; });
  std::future<int> lazy = std::async(std::launch::deferred, [] { return 1; });
  std::packaged_task<int(int)> twice([](int n) { return 2 * n; });
  std::future<int> doubled = twice.get_future();
  std::thread runner(std::move(twice), 21);
  std::promise<int> promise;
  std::shared_future<int> shared = promise.get_future().share();
  std::thread first([shared] { assert(shared.get() == 7); });
  std::thread second([shared] { assert(shared.get() == 7); });
  promise.set_value(7);
  assert(sum.get() == 42);
  assert(doubled.get() == 42);
  assert(lazy.get() == 1);
  runner.join();
  first.join();
  second.join();
}
