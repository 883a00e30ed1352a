// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Correct: a home-made lock tells the detector about its operations. While it is at work it looks at its own fields
// without any order, as locks do that guess first and make sure afterwards; the condition it evaluates for its caller
// is the caller's code, and is guarded by the lock.
#include <atomic>
#include <thread>

extern "C" {
void __tsan_mutex_pre_lock(void* lock, unsigned flags);
void __tsan_mutex_post_lock(void* lock, unsigned flags, int recursion);
int __tsan_mutex_pre_unlock(void* lock, unsigned flags);
void __tsan_mutex_post_unlock(void* lock, unsigned flags);
void __tsan_mutex_pre_divert(void* lock, unsigned flags);
void __tsan_mutex_post_divert(void* lock, unsigned flags);
}

class Lock {
 public:
  // Returns with the lock held and the condition true.
  void lock_when(bool (*condition)()) {
    __tsan_mutex_pre_lock(this, 0);
    for (;;) {
      ++guesses_;
      if (last_owner_ != 0) std::this_thread::yield();
      if (!held_.exchange(true)) {
        last_owner_ = guesses_;
        __tsan_mutex_pre_divert(this, 0);
        const bool met = condition();
        __tsan_mutex_post_divert(this, 0);
        if (met) break;
        held_ = false;
      }
      std::this_thread::yield();
    }
    __tsan_mutex_post_lock(this, 0, 0);
  }

  void unlock() {
    __tsan_mutex_pre_unlock(this, 0);
    held_ = false;
    __tsan_mutex_post_unlock(this, 0);
  }

 private:
  std::atomic<bool> held_ = false;
  int guesses_ = 0;
  int last_owner_ = 0;
};

static Lock lock;
static int ready = 0;

int main() {
  std::thread producer([] {
    lock.lock_when([] { return true; });
    ready = 1;
    lock.unlock();
  });
  std::thread consumer([] {
    lock.lock_when([] { return ready == 1; });
    lock.unlock();
  });
  producer.join();
  consumer.join();
}
