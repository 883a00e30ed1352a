// SPDX-License-Identifier: Apache-2.0
// A pool with one thread. A task that runs there waits for the result of another, which can only run when the first
// has ended. Usually the other one was queued, and has run, before.
// FINDING: deadlock, lost-wakeup
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

class SerialQueue {
 public:
  SerialQueue() : thread_([this] { run(); }) {}
  ~SerialQueue() {
    post(nullptr);
    thread_.join();
  }
  void post(std::function<void()> task) {
    std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));  // CAUSE: first, second
    wake_.notify_one();
  }

 private:
  void run() {
    for (;;) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return !tasks_.empty(); });
      const auto task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      if (!task) return;
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
  std::thread thread_;
};

int main() {
  std::promise<int> loaded;
  std::shared_future<int> result = loaded.get_future().share();
  SerialQueue queue;
  std::thread loader([&] { queue.post([&loaded] { loaded.set_value(3); }); });
  std::thread view([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    queue.post([result] { result.wait(); });
  });
  loader.join();
  view.join();
}
