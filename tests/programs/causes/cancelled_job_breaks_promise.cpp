// SPDX-License-Identifier: Apache-2.0
// A job queue. A job that is cancelled before a worker takes it up is dropped with its promise, and the client that
// waits for the result gets broken_promise instead of an answer: cancel() should have set a result.
// FINDING: uncaught-exception
#include <cassert>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

class Job {
 public:
  Job(std::uint64_t id, std::function<int()> work) : id_(id), work_(std::move(work)) {}

  std::uint64_t id() const { return id_; }
  std::future<int> result() { return promise_.get_future(); }

  void cancel() {
    std::lock_guard lock(mutex_);
    if (!started_) cancelled_ = true;  // CAUSE: first
  }

  void run() {
    {
      std::lock_guard lock(mutex_);
      if (cancelled_) return;  // CAUSE: second
      started_ = true;         // CAUSE: second
    }
    promise_.set_value(work_());
  }

 private:
  const std::uint64_t id_;
  std::function<int()> work_;
  std::promise<int> promise_;
  std::mutex mutex_;
  bool started_ = false;
  bool cancelled_ = false;
};

class JobQueue {
 public:
  explicit JobQueue(unsigned workers) {
    for (unsigned i = 0; i < workers; ++i) threads_.emplace_back([this] { work(); });
  }

  ~JobQueue() {
    {
      std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  std::pair<std::uint64_t, std::future<int>> submit(std::function<int()> work) {
    std::lock_guard lock(mutex_);
    auto job = std::make_shared<Job>(++last_id_, std::move(work));
    std::future<int> result = job->result();
    jobs_.emplace(job->id(), job);
    pending_.push_back(job);
    wake_.notify_one();
    return {job->id(), std::move(result)};
  }

  void cancel(std::uint64_t id) {
    std::shared_ptr<Job> job;
    {
      std::lock_guard lock(mutex_);
      if (const auto found = jobs_.find(id); found != jobs_.end()) job = found->second;
    }
    if (job) job->cancel();
  }

 private:
  void work() {
    while (std::shared_ptr<Job> job = take()) {
      job->run();
      std::lock_guard lock(mutex_);
      jobs_.erase(job->id());
    }
  }

  std::shared_ptr<Job> take() {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return stopping_ || !pending_.empty(); });
    if (pending_.empty()) return nullptr;
    std::shared_ptr<Job> job = std::move(pending_.front());
    pending_.pop_front();
    return job;
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::shared_ptr<Job>> pending_;
  std::unordered_map<std::uint64_t, std::shared_ptr<Job>> jobs_;
  std::uint64_t last_id_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

int main() {
  JobQueue queue(1);
  auto [id, answer] = queue.submit([] { return 42; });
  // Another part of the program loses interest, after a time in which the job has long begun.
  std::jthread impatient([&queue, job = id] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    queue.cancel(job);
  });
  assert(answer.get() == 42);
}
