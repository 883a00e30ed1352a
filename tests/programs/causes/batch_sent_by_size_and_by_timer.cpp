// SPDX-License-Identifier: Apache-2.0
// A batch of telemetry is sent when it is full, and by a timer when it is not. The sender is chosen under the lock,
// but the batch is taken later under a second one: the timer sends an empty batch after the other was faster.
// FINDING: assertion
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace std::chrono_literals;

struct Event {
  std::string name;
  int value = 0;
};

class Uplink {
 public:
  void send(const std::vector<Event>& batch) {
    assert(!batch.empty());
    std::lock_guard lock(mutex_);
    sent_ += batch.size();
    ++batches_;
  }
  std::size_t sent() const {
    std::lock_guard lock(mutex_);
    return sent_;
  }

 private:
  mutable std::mutex mutex_;
  std::size_t sent_ = 0;
  int batches_ = 0;
};

class Telemetry {
 public:
  Telemetry(Uplink& uplink, std::size_t batch_size)
      : uplink_(uplink), batch_size_(batch_size), timer_([this] { flush_periodically(); }) {}

  ~Telemetry() {
    {
      std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    timer_.join();
    if (!pending_.empty()) uplink_.send(pending_);
  }

  void record(Event event) {
    bool full = false;
    {
      std::lock_guard lock(mutex_);
      pending_.push_back(std::move(event));
      full = pending_.size() == batch_size_;  // CAUSE: first
    }
    if (full) flush();
  }

 private:
  void flush() {
    std::vector<Event> batch;
    {
      std::lock_guard lock(mutex_);
      batch.swap(pending_);  // CAUSE: second
    }
    uplink_.send(batch);
  }

  bool has_pending() {
    std::lock_guard lock(mutex_);
    return !pending_.empty();  // CAUSE: first
  }

  void flush_periodically() {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, 10ms, [this] { return stopping_; })) {
      lock.unlock();
      if (has_pending()) flush();
      lock.lock();
    }
  }

  Uplink& uplink_;
  const std::size_t batch_size_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Event> pending_;
  bool stopping_ = false;
  std::thread timer_;
};

int main() {
  Uplink uplink;
  {
    Telemetry telemetry(uplink, 2);
    telemetry.record({"start", 1});
    telemetry.record({"stop", 2});
  }
  assert(uplink.sent() == 2);
}
