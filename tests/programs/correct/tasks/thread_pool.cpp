// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// A small thread pool: jobs that add jobs, a clean stop when all are done.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

class Pool {
 public:
  explicit Pool(int size) {
    for (int i = 0; i < size; ++i) workers_.emplace_back([this] { work(); });
  }
  ~Pool() {
    {
      std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    for (auto& worker : workers_) worker.join();
  }
  void submit(std::function<void()> job) {
    {
      std::lock_guard lock(mutex_);
      jobs_.push_back(std::move(job));
    }
    changed_.notify_one();
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      auto job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      job();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  bool stopping_ = false;
  std::vector<std::thread> workers_;
};

int main() {
  std::mutex mutex;
  int done = 0;
  auto count = [&] {
    std::lock_guard lock(mutex);
    ++done;
  };
  {
    Pool pool(3);
    pool.submit([&] {
      count();
      pool.submit(count);
    });
    for (int i = 0; i < 3; ++i) pool.submit(count);
  }
  assert(done == 5);
}
