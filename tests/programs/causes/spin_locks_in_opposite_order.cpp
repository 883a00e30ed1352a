// SPDX-License-Identifier: Apache-2.0
// Two spin locks that are taken in opposite orders: each task has one and tries the other for ever.
// FINDING: livelock
// OPTIONS: --max-steps 200000
#include <atomic>
#include <thread>

class SpinLock {
 public:
  bool try_lock() { return !held_.exchange(true); }
  void unlock() { held_.store(false); }

 private:
  std::atomic<bool> held_{false};
};

static SpinLock left;
static SpinLock right;
static std::atomic<int> dined{0};

static void dine(SpinLock& first, SpinLock& second) {
  while (!first.try_lock()) std::this_thread::yield();
  while (!second.try_lock()) std::this_thread::yield();  // CAUSE: first, second
  dined.fetch_add(1);
  second.unlock();
  first.unlock();
}

int main() {
  std::thread one([] { dine(left, right); });
  std::thread two([] { dine(right, left); });
  one.join();
  two.join();
  return dined.load() == 2 ? 0 : 1;
}
