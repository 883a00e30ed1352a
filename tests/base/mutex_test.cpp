// SPDX-License-Identifier: Apache-2.0
#include "base/mutex.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace ravel {
namespace {

class Counter {
 public:
  void add() RAVEL_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    count_locked();
    changed_.notify_all();
  }

  void wait_until(int count) RAVEL_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    while (count_ < count) changed_.wait_for(mutex_, std::chrono::seconds(10));
  }

  int count() RAVEL_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return count_;
  }

 private:
  void count_locked() RAVEL_REQUIRES(mutex_) { ++count_; }

  Mutex mutex_;
  ConditionVariable changed_;
  int count_ RAVEL_GUARDED_BY(mutex_) = 0;
};

TEST(Mutex, LetsOneThreadInAtATime) {
  Counter counter;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&counter] {
      for (int n = 0; n < 1000; ++n) counter.add();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counter.count(), 4000);
}

TEST(Mutex, IsHeldAgainAfterAWait) {
  Counter counter;
  std::thread adds([&counter] { counter.add(); });
  counter.wait_until(1);
  adds.join();
  EXPECT_EQ(counter.count(), 1);
}

TEST(Mutex, AWaitEndsWithItsTime) {
  Mutex mutex;
  ConditionVariable never;
  const MutexLock lock(mutex);
  const auto before = std::chrono::steady_clock::now();
  never.wait_for(mutex, std::chrono::milliseconds(1));
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(10));
}

}  // namespace
}  // namespace ravel
