// SPDX-License-Identifier: Apache-2.0
// A timer service. Its thread takes an expired timer out of the map, lets go of the lock and calls it. cancel() comes
// back as if the timer could no longer fire, because it is no longer in the map: the callback then finds the
// connection closed.
// FINDING: assertion
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

using namespace std::chrono_literals;

class TimerService {
 public:
  using Id = std::uint64_t;
  using TimePoint = std::chrono::steady_clock::time_point;

  TimerService() : thread_([this] { run(); }) {}
  ~TimerService() {
    {
      std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  Id schedule(std::chrono::milliseconds delay, std::function<void()> callback) {
    std::lock_guard lock(mutex_);
    const Id id = ++last_id_;
    timers_.emplace(std::pair(std::chrono::steady_clock::now() + delay, id), std::move(callback));
    changed_.notify_all();
    return id;
  }

  // After this the callback is not called.
  void cancel(Id id) {
    std::lock_guard lock(mutex_);
    std::erase_if(timers_, [id](const auto& timer) { return timer.first.second == id; });  // CAUSE: second
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
      if (timers_.empty()) {
        changed_.wait(lock);
        continue;
      }
      const TimePoint due = timers_.begin()->first.first;
      if (std::chrono::steady_clock::now() < due) {
        changed_.wait_until(lock, due);
        continue;
      }
      const std::function<void()> callback = std::move(timers_.begin()->second);
      timers_.erase(timers_.begin());  // CAUSE: first
      lock.unlock();
      callback();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::pair<TimePoint, Id>, std::function<void()>> timers_;
  Id last_id_ = 0;
  bool stopping_ = false;
  std::thread thread_;
};

class Connection {
 public:
  explicit Connection(TimerService& timers) : timers_(timers) {
    keep_alive_ = timers_.schedule(20ms, [this] { send_keep_alive(); });
  }

  void close() {
    timers_.cancel(keep_alive_);
    open_.store(false);  // CAUSE: first
  }

  int sent() const { return sent_.load(); }

 private:
  void send_keep_alive() {
    assert(open_.load());  // CAUSE: second
    sent_.fetch_add(1);
  }

  TimerService& timers_;
  TimerService::Id keep_alive_ = 0;
  std::atomic<bool> open_{true};
  std::atomic<int> sent_{0};
};

int main() {
  TimerService timers;
  Connection connection(timers);
  std::this_thread::sleep_for(20ms + 20ms);
  connection.close();
  assert(connection.sent() <= 1);
}
