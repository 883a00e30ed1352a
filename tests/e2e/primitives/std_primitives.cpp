// SPDX-License-Identifier: Apache-2.0
// The C++ library on top: futures, atomic waiting, latch, barrier, semaphore, jthread, shared and timed mutexes.
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "expect.h"

using namespace std::chrono_literals;

namespace {

void futures() {
  std::future<int> number = std::async(std::launch::async, [] { return 42; });
  EXPECT_EQ(number.get(), 42);
  std::future<void> failing = std::async(std::launch::async, [] { throw std::runtime_error("as expected"); });
  bool caught = false;
  try {
    failing.get();
  } catch (const std::runtime_error& error) {
    caught = std::string(error.what()) == "as expected";
  }
  EXPECT(caught);
  std::promise<int> promise;
  std::shared_future<int> shared = promise.get_future().share();
  EXPECT(shared.wait_for(1ms) == std::future_status::timeout);
  EXPECT(shared.wait_until(std::chrono::steady_clock::now() + 1ms) == std::future_status::timeout);
  std::thread reader([shared] { EXPECT_EQ(shared.get(), 7); });
  promise.set_value(7);
  EXPECT_EQ(shared.get(), 7);
  reader.join();
  std::packaged_task<int(int)> task([](int value) { return value + 1; });
  std::future<int> result = task.get_future();
  std::thread(std::move(task), 1).join();
  EXPECT_EQ(result.get(), 2);
}

void atomic_waiting() {
  std::atomic<int> stage = 0;
  std::thread other([&] {
    stage.wait(0);
    EXPECT_EQ(stage.load(), 1);
    stage = 2;
    stage.notify_one();
  });
  stage = 1;
  stage.notify_all();
  stage.wait(1);
  EXPECT_EQ(stage.load(), 2);
  other.join();
  std::atomic_flag flag;
  std::thread setter([&] {
    flag.test_and_set();
    flag.notify_one();
  });
  flag.wait(false);
  setter.join();
}

void latch_barrier_semaphore() {
  std::latch latch(2);
  std::counting_semaphore<3> semaphore(0);
  int completions = 0;
  std::barrier barrier(2, [&]() noexcept { ++completions; });
  std::thread other([&] {
    latch.arrive_and_wait();
    barrier.arrive_and_wait();
    barrier.arrive_and_wait();
    semaphore.release(2);
  });
  latch.arrive_and_wait();
  EXPECT(!semaphore.try_acquire());
  barrier.arrive_and_wait();
  EXPECT_EQ(completions, 1);
  EXPECT(!semaphore.try_acquire_for(1ms));
  barrier.arrive_and_wait();
  semaphore.acquire();
  semaphore.acquire();
  EXPECT_EQ(completions, 2);
  other.join();
}

void stopping() {
  std::mutex mutex;
  std::condition_variable_any condition;
  bool stopped = false;
  {
    std::jthread worker([&](std::stop_token token) {
      std::unique_lock<std::mutex> lock(mutex);
      condition.wait(lock, token, [] { return false; });
      stopped = token.stop_requested();
    });
    std::stop_callback callback(worker.get_stop_token(), [] {});
  }
  EXPECT(stopped);
}

void locks() {
  std::timed_mutex timed;
  std::recursive_timed_mutex recursive;
  std::shared_timed_mutex shared;
  timed.lock();
  recursive.lock();
  EXPECT(recursive.try_lock_for(1ms));
  shared.lock_shared();
  std::thread([&] {
    EXPECT(!timed.try_lock());
    EXPECT(!timed.try_lock_for(1ms));
    EXPECT(!timed.try_lock_until(std::chrono::system_clock::now() + 1ms));
    EXPECT(!recursive.try_lock_for(1ms));
    EXPECT(!shared.try_lock_for(1ms));
    EXPECT(shared.try_lock_shared_for(1ms));
    shared.unlock_shared();
  }).join();
  shared.unlock_shared();
  recursive.unlock();
  recursive.unlock();
  timed.unlock();

  std::mutex a;
  std::mutex b;
  int moved = 0;
  std::thread forth([&] {
    std::scoped_lock lock(a, b);
    ++moved;
  });
  {
    std::scoped_lock lock(b, a);
    ++moved;
  }
  forth.join();
  EXPECT_EQ(moved, 2);
}

void condition_with_timeout() {
  std::mutex mutex;
  std::condition_variable condition;
  bool ready = false;
  std::unique_lock<std::mutex> lock(mutex);
  EXPECT(!condition.wait_for(lock, 1ms, [&] { return ready; }));
  EXPECT(!condition.wait_until(lock, std::chrono::system_clock::now() + 1ms, [&] { return ready; }));
  std::thread other([&] {
    const std::lock_guard<std::mutex> guard(mutex);
    ready = true;
    condition.notify_all();
  });
  condition.wait(lock, [&] { return ready; });
  lock.unlock();
  other.join();
}

void shared_ownership() {
  auto shared = std::make_shared<int>(3);
  std::weak_ptr<int> weak = shared;
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) threads.emplace_back([copy = shared] { EXPECT_EQ(*copy, 3); });
  shared.reset();
  for (std::thread& thread : threads) thread.join();
  EXPECT(weak.expired());
}

}  // namespace

int main() {
  futures();
  atomic_waiting();
  latch_barrier_semaphore();
  stopping();
  locks();
  condition_with_timeout();
  shared_ownership();
  return 0;
}
