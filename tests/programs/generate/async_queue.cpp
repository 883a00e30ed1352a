// SPDX-License-Identifier: Apache-2.0
// Jobs that workers take from a queue. The queue itself is locked; what was added around it later is not. plants.txt
// lists the races; REPAIRED has none.
// RUN: generate
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "repair.h"

// Numbers that everybody adds to.
class Statistics {
 public:
  void add_posted() {
    const Guard guard(mutex_);
    ++posted_;
  }
  void add_done(long result) {
    const Guard guard(mutex_);
    ++done_;
    sum_ += result;
  }
  void add_failed() {
    const Guard guard(mutex_);
    ++failed_;
  }
  long open() {
    const Guard guard(mutex_);
    return posted_ - done_ - failed_;
  }
  long average() {
    const Guard guard(mutex_);
    return done_ == 0 ? 0 : sum_ / done_;
  }
  void reset() {
    const Guard guard(mutex_);
    posted_ = 0;
    done_ = 0;
    failed_ = 0;
  }

 private:
  std::mutex mutex_;
  long posted_ = 0;
  long done_ = 0;
  long failed_ = 0;
  long sum_ = 0;
};

class AsyncQueue {
 public:
  void post(int job) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      jobs_.push_back(job);
    }
    changed_.notify_one();
  }
  bool take(int& job) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return !jobs_.empty() || closed_; });
    if (jobs_.empty()) return false;
    job = jobs_.front();
    jobs_.pop_front();
    return true;
  }
  void close() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
  }
  void set_limit(int limit) {
    const Guard guard(settings_);
    limit_ = limit;
  }
  int limit() {
    const Guard guard(settings_);
    return limit_;
  }

 private:
  std::mutex mutex_;
  std::mutex settings_;
  std::condition_variable changed_;
  std::deque<int> jobs_;
  bool closed_ = false;
  int limit_ = 3;
};

Statistics statistics;
AsyncQueue jobs;

void produce(int first) {
  for (int job = first; job < first + 2; ++job) {
    statistics.add_posted();
    jobs.post(job);
  }
}

void work() {
  int job = 0;
  while (jobs.take(job)) {
    if (job > jobs.limit()) {
      statistics.add_failed();
    } else {
      statistics.add_done(job);
    }
  }
}

void watch() {
  statistics.open();
  statistics.average();
}

void administer() {
  jobs.set_limit(4);
  statistics.reset();
}

int main() {
  std::vector<std::thread> workers;
  for (int i = 0; i < 2; ++i) workers.emplace_back(work);
  std::vector<std::thread> others;
  for (int i = 0; i < 2; ++i) others.emplace_back(produce, 5 * i);
  others.emplace_back(watch);
  others.emplace_back(administer);
  for (std::thread& thread : others) thread.join();
  jobs.close();
  for (std::thread& thread : workers) thread.join();
}
