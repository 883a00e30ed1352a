// SPDX-License-Identifier: Apache-2.0
// A thread pool. submit() looks whether the pool is stopping, and queues the task in a second critical section. A
// task that is queued after the workers have left is never run, and who waits for its result waits for ever.
// FINDING: deadlock, lost-wakeup
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

class ThreadPool {
 public:
  explicit ThreadPool(std::size_t threads) {
    for (std::size_t i = 0; i < threads; ++i) workers_.emplace_back([this] { work(); });
  }
  ~ThreadPool() { stop(); }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  template <typename Function>
  std::shared_future<std::invoke_result_t<Function>> submit(Function function) {
    using Result = std::invoke_result_t<Function>;
    auto task = std::make_shared<std::packaged_task<Result()>>(std::move(function));
    std::shared_future<Result> future = task->get_future().share();
    if (is_stopping()) throw std::runtime_error("the pool is stopping");
    {
      std::lock_guard lock(mutex_);
      tasks_.emplace_back([task] { (*task)(); });
    }
    wake_.notify_one();
    return future;
  }

  void stop() {
    {
      std::lock_guard lock(mutex_);
      stopping_ = true;  // CAUSE: second
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) {
      if (worker.joinable()) worker.join();
    }
  }

 private:
  bool is_stopping() const {
    std::lock_guard lock(mutex_);
    return stopping_;  // CAUSE: first
  }

  void work() {
    for (;;) {
      std::function<void()> task;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
        if (tasks_.empty()) return;
        task = std::move(tasks_.front());
        tasks_.pop_front();
      }
      task();
    }
  }

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
  bool stopping_ = false;
  std::vector<std::thread> workers_;
};

class Thumbnails {
 public:
  explicit Thumbnails(ThreadPool& pool) : pool_(pool) {}

  int render(int image) {
    try {
      return pool_.submit([image] { return image * 10; }).get();
    } catch (const std::runtime_error&) {
      return -1;  // the application ends
    }
  }

 private:
  ThreadPool& pool_;
};

int main() {
  ThreadPool pool(1);
  Thumbnails thumbnails(pool);
  int rendered = 0;
  std::thread view([&] { rendered = thumbnails.render(4); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  pool.stop();
  view.join();
  assert(rendered == 40 || rendered == -1);
}
