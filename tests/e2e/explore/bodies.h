// SPDX-License-Identifier: Apache-2.0
// Bodies of ravel::explore, one for each kind of finding that a body can show, and one that shows none. BODIES lists
// them with the kind that is expected; the tests read it.
#pragma once

#include <ravel/explore.h>

#include <pthread.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

namespace bodies {

inline void data_race() {
  int balance = 0;
  std::thread other([&] { balance += 1; });
  balance += 2;
  other.join();
}

inline void deadlock() {
  std::mutex left;
  std::mutex right;
  std::thread other([&] {
    const std::lock_guard first(right);
    const std::lock_guard second(left);
  });
  {
    const std::lock_guard first(left);
    const std::lock_guard second(right);
  }
  other.join();
}

inline void lost_wakeup() {
  std::mutex mutex;
  std::condition_variable ready;
  std::thread other([&] {
    std::unique_lock lock(mutex);
    ready.wait(lock);  // nobody remembers that it was notified
  });
  ready.notify_one();
  other.join();
}

// 2, or 1.
inline int lost_update() {
  std::atomic<int> count{0};
  std::thread other([&] { count = count + 1; });
  count = count + 1;
  other.join();
  return count;
}

inline void assertion() { assert(lost_update() == 2); }

inline void aborts() {
  std::atomic<bool> flag{false};
  std::thread other([&] { flag = true; });
  if (flag) std::abort();
  other.join();
}

inline void crashes() {
  std::atomic<int*> place{nullptr};
  int value = 0;
  std::thread other([&] { place = &value; });
  *place.load() = 1;
  other.join();
}

inline void uncaught_exception() {
  std::atomic<bool> flag{false};
  std::thread other([&] { flag = true; });
  if (flag) throw std::runtime_error("too early");
  other.join();
}

inline void use_after_free() {
  std::atomic<int*> place{new int(1)};
  std::thread other([&] { delete place.exchange(nullptr); });
  int* const seen = place.load();
  if (seen != nullptr) *seen = 2;
  other.join();
}

inline void double_free() {
  std::atomic<int*> place{new int(1)};
  const auto give_back = [&] {
    int* const mine = place.load();
    if (mine == nullptr) return;
    place = nullptr;
    delete mine;
  };
  std::thread other(give_back);
  give_back();
  other.join();
}

inline void bad_free() {
  static int global = 0;
  int* volatile place = &global;
  std::thread other([&] { std::free(place); });
  other.join();
}

inline void lock_misuse() {
  std::mutex mutex;
  std::thread other([&] { mutex.lock(); });
  other.join();
  mutex.unlock();
}

inline void leak_of_lock() {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  std::thread other([] { pthread_mutex_lock(&mutex); });
  other.join();
}

inline void left_running() {
  static std::mutex mutex;
  mutex.lock();
  std::thread([] { const std::lock_guard lock(mutex); }).detach();
}

inline void user() {
  std::atomic<bool> flag{false};
  std::thread other([&] { flag = true; });
  if (flag) ravel::fail("seen too early");
  other.join();
}

inline void passes() {
  std::mutex mutex;
  int count = 0;
  std::thread other([&] {
    const std::lock_guard lock(mutex);
    ++count;
  });
  {
    const std::lock_guard lock(mutex);
    ++count;
  }
  other.join();
  assert(count == 2);
}

// Kinds that need an option: options_for().
inline void endless() {
  std::atomic<bool> flag{false};
  std::thread other([&] { flag = true; });
  other.join();
  volatile int rounds = 0;
  while (flag.load(std::memory_order_relaxed)) rounds = rounds + 1;
}

inline void both_insist() {
  static std::atomic<bool> wants[2];
  const auto enter = [](int self) {
    wants[self] = true;
    while (wants[1 - self]) std::this_thread::yield();
    wants[self] = false;
  };
  std::thread other(enter, 0);
  enter(1);
  other.join();
}

inline void reads_unwritten() {
  int* const value = static_cast<int*>(std::malloc(sizeof(int)));
  std::thread other([&] {
    if (*value == 7) std::abort();
  });
  other.join();
  std::free(value);
}

inline ravel::ExploreOptions options_for(const std::string& name) {
  ravel::ExploreOptions options;
  if (name == "endless") options.timeout = std::chrono::milliseconds(500);
  if (name == "both_insist") options.max_steps = 100'000;
  if (name == "reads_unwritten") options.more_arguments = {"--uninitialised"};
  options.shrink = name != "endless" && name != "both_insist";
  return options;
}

}  // namespace bodies

// BODY(function, test, kind)
#define BODIES(BODY)                                                \
  BODY(data_race, DataRace, "data-race")                            \
  BODY(deadlock, Deadlock, "deadlock")                              \
  BODY(lost_wakeup, LostWakeup, "lost-wakeup")                      \
  BODY(assertion, Assertion, "assertion")                           \
  BODY(aborts, Aborts, "abort")                                     \
  BODY(crashes, Crashes, "signal")                                  \
  BODY(uncaught_exception, UncaughtException, "uncaught-exception") \
  BODY(use_after_free, UseAfterFree, "use-after-free")              \
  BODY(double_free, DoubleFree, "double-free")                      \
  BODY(bad_free, BadFree, "bad-free")                               \
  BODY(lock_misuse, LockMisuse, "lock-misuse")                      \
  BODY(leak_of_lock, LeakOfLock, "leak-of-lock")                    \
  BODY(left_running, LeftRunning, "deadlock")                       \
  BODY(user, User, "user")                                          \
  BODY(passes, Passes, "none")

#define OPTION_BODIES(BODY)                 \
  BODY(endless, Endless, "timeout")         \
  BODY(both_insist, BothInsist, "livelock") \
  BODY(reads_unwritten, ReadsUnwritten, "uninitialised-read")
