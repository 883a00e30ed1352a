// SPDX-License-Identifier: Apache-2.0
// Barrier reuse. The last thread to arrive resets the count and wakes the others, who look at the count when they wake.
// The coordinator starts the next round when two of the three have reported.
// Shown by: the third one has not left the barrier when another one is there again; it sees a count that is not zero
// and sleeps on, and the barrier never fills.
#include <condition_variable>
#include <mutex>
#include <semaphore>
#include <thread>

class Barrier {
 public:
  void wait() {
    std::unique_lock lock(mutex_);
    if (++arrived_ == 3) {
      arrived_ = 0;
      changed_.notify_all();
      return;
    }
    changed_.wait(lock, [&] { return arrived_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int arrived_ = 0;
};

int main() {
  Barrier barrier;
  std::counting_semaphore<3> reports(0);
  std::counting_semaphore<3> next_round(0);
  std::thread threads[3];
  for (int i = 0; i < 3; ++i) {
    threads[i] = std::thread([&, i] {
      barrier.wait();
      if (i < 2) {
        reports.release();
      }
      next_round.acquire();
      barrier.wait();
    });
  }
  reports.acquire();
  reports.acquire();
  next_round.release(3);
  for (std::thread& thread : threads) {
    thread.join();
  }
}
