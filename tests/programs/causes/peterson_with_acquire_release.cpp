// SPDX-License-Identifier: Apache-2.0
// Peterson's lock with acquire and release instead of sequential consistency: each can read an older value of the
// other's flag, and both enter.
// FINDING: assertion
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

class Peterson {
 public:
  void lock(std::size_t self) {
    const std::size_t other = 1 - self;
    wants_[self].store(true, std::memory_order_release);  // CAUSE: first
    turn_.store(other, std::memory_order_release);
    while (wants_[other].load(std::memory_order_acquire) &&   // CAUSE: second
           turn_.load(std::memory_order_acquire) == other) {  // CAUSE: second
      std::this_thread::yield();
    }
  }
  void unlock(std::size_t self) { wants_[self].store(false, std::memory_order_release); }

 private:
  std::array<std::atomic<bool>, 2> wants_{};
  std::atomic<std::size_t> turn_{0};
};

int main() {
  Peterson mutex;
  std::atomic<int> inside{0};
  const auto work = [&](std::size_t self) {
    mutex.lock(self);
    const int others = inside.fetch_add(1, std::memory_order_relaxed);
    assert(others == 0);
    inside.fetch_sub(1, std::memory_order_relaxed);
    mutex.unlock(self);
  };
  std::thread one(work, 0);
  std::thread two(work, 1);
  one.join();
  two.join();
}
