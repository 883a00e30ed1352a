// SPDX-License-Identifier: Apache-2.0
// Reader/writer upgrade. A reader that wants to write keeps its read lock and waits for the other readers to leave.
// Shown by: two readers want to write at the same time.
#include <condition_variable>
#include <mutex>
#include <thread>

class Lock {
 public:
  void read() {
    std::lock_guard lock(mutex_);
    ++readers_;
  }

  void upgrade() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return readers_ == 1; });
  }

  void leave() {
    std::lock_guard lock(mutex_);
    --readers_;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int readers_ = 0;
};

int main() {
  Lock lock;
  auto work = [&](bool writes) {
    lock.read();
    if (writes) {
      lock.upgrade();
    }
    lock.leave();
  };
  std::thread reader(work, false);
  std::thread first(work, true);
  std::thread second(work, true);
  reader.join();
  first.join();
  second.join();
}
