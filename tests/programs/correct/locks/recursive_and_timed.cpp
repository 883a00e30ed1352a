// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Recursive locks taken twice, timed locks that may or may not be had in time: both outcomes are handled.
// (The sanitizer of g++ 12 does not know pthread_mutex_clocklock, which std::timed_mutex uses, and complains wrongly.)
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

static std::recursive_mutex tree_mutex;
static std::recursive_timed_mutex both_mutex;
static std::timed_mutex slow_mutex;
static int nodes = 0;
static int updates = 0;
static int skipped = 0;
static std::mutex count_mutex;

static void grow(int depth) {
  std::lock_guard lock(tree_mutex);
  ++nodes;
  if (depth > 1) grow(depth - 1);
}

static void update() {
  using namespace std::chrono_literals;
  grow(3);
  if (slow_mutex.try_lock_for(1ms)) {
    std::lock_guard count(count_mutex);
    ++updates;
    slow_mutex.unlock();
  } else {
    std::lock_guard count(count_mutex);
    ++skipped;
  }
  if (both_mutex.try_lock_until(std::chrono::steady_clock::now() + 1ms)) {
    const bool again = both_mutex.try_lock();  // the owner always gets it again
    assert(again);
    both_mutex.unlock();
    both_mutex.unlock();
  }
}

int main() {
  std::thread first(update);
  std::thread second(update);
  first.join();
  second.join();
  assert(nodes == 6);
  assert(updates + skipped == 2);
}
