// SPDX-License-Identifier: Apache-2.0
// A thread pool with work stealing: jobs are submitted by several tasks, their results come back through futures.
#include <atomic>
#include <cassert>
#include <condition_variable>  // the header below needs it and does not say so
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <thread_pool/thread_pool.hpp>
#include <utility>
#include <vector>

int main() {
  std::atomic<int> done{0};
  int plain = 1;
  {
    thread_pool::ThreadPool pool(2);
    auto square = [&done, &plain](int value) {
      done += 1;
      return value * value * plain;
    };
    std::future<int> other;
    std::thread submitter([&] { other = pool.Submit(square, 3); });
    std::future<int> mine = pool.Submit(square, 4);
    std::future<int> failing = pool.Submit([]() -> int { throw std::runtime_error("on purpose"); });
    assert(mine.get() == 16);
    submitter.join();
    assert(other.get() == 9);
    try {
      failing.get();
      assert(false);
    } catch (const std::runtime_error&) {
    }
    pool.Submit(square, 5);  // nobody waits for it, but the pool does before it ends
  }
  plain = 2;
  assert(done == 3);
}
