// SPDX-License-Identifier: Apache-2.0
// Mutex, MutexLock and ConditionVariable: those of the standard library, with annotations from which clang checks at
// compile time that what a lock guards is touched only under it. Driver-side only.
//
// Who uses it: every class of the driver that several threads share. Members say RAVEL_GUARDED_BY(mutex_); private
// functions that expect the lock to be held say RAVEL_REQUIRES(mutex_), public ones that take it
// RAVEL_EXCLUDES(mutex_). Our own compiler is g++, which ignores all this; clang-tidy, which reads every source in the
// tests, checks it (https://clang.llvm.org/docs/ThreadSafetyAnalysis.html).
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define RAVEL_THREAD_SAFETY(attribute) __attribute__((attribute))
#else
#define RAVEL_THREAD_SAFETY(attribute)
#endif
#define RAVEL_CAPABILITY(name) RAVEL_THREAD_SAFETY(capability(name))
#define RAVEL_SCOPED_CAPABILITY RAVEL_THREAD_SAFETY(scoped_lockable)
#define RAVEL_GUARDED_BY(mutex) RAVEL_THREAD_SAFETY(guarded_by(mutex))
#define RAVEL_REQUIRES(...) RAVEL_THREAD_SAFETY(requires_capability(__VA_ARGS__))
#define RAVEL_ACQUIRE(...) RAVEL_THREAD_SAFETY(acquire_capability(__VA_ARGS__))
#define RAVEL_RELEASE(...) RAVEL_THREAD_SAFETY(release_capability(__VA_ARGS__))
#define RAVEL_EXCLUDES(...) RAVEL_THREAD_SAFETY(locks_excluded(__VA_ARGS__))

namespace ravel {

class RAVEL_CAPABILITY("mutex") Mutex {
 public:
  // What our locks guard takes microseconds, and to sleep and be woken takes as long: so it is tried for a while first.
  void lock() RAVEL_ACQUIRE() {
    constexpr int kTries = 100;
    constexpr int kPauses = 10;
    for (int i = 0; i < kTries; ++i) {
      if (mutex_.try_lock()) return;
      for (int pause = 0; pause < kPauses; ++pause) __builtin_ia32_pause();
    }
    mutex_.lock();
  }
  void unlock() RAVEL_RELEASE() { mutex_.unlock(); }

 private:
  friend class ConditionVariable;
  std::mutex mutex_;
};

// Holds the mutex from here to the end of the scope.
class RAVEL_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) RAVEL_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() RAVEL_RELEASE() { mutex_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

class ConditionVariable {
 public:
  // Releases the mutex, waits, and holds it again. Returns when it is notified, when the time is over, or for no reason
  // at all: call it in a loop that looks at what is waited for.
  void wait_for(Mutex& mutex, std::chrono::nanoseconds time) RAVEL_REQUIRES(mutex) {
    std::unique_lock lock(mutex.mutex_, std::adopt_lock);
    condition_.wait_for(lock, time);
    lock.release();
  }
  void notify_all() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace ravel
