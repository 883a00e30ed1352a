// SPDX-License-Identifier: Apache-2.0
// A stage of a pipeline has a condition variable for "there is work" and one for "there is room". When a flush
// empties the buffer it notifies the consumers instead of the producers, and a producer that waits for room waits for
// ever.
// FINDING: deadlock, lost-wakeup
#include <cassert>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <latch>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

template <typename T>
class Stage {
 public:
  explicit Stage(std::size_t capacity) : capacity_(capacity) {}

  void put(T item) {
    std::unique_lock lock(mutex_);
    has_room_.wait(lock, [this] { return items_.size() < capacity_; });  // CAUSE: first, second
    items_.push_back(std::move(item));
    has_work_.notify_one();
  }

  std::optional<T> take() {
    std::unique_lock lock(mutex_);
    has_work_.wait(lock, [this] { return finished_ || !items_.empty(); });
    if (items_.empty()) return std::nullopt;
    T item = std::move(items_.front());
    items_.pop_front();
    has_room_.notify_one();
    return item;
  }

  // Everything at once; for a consumer that works in batches.
  std::vector<T> flush() {
    std::unique_lock lock(mutex_);
    std::vector<T> all(items_.begin(), items_.end());
    items_.clear();
    if (!all.empty()) has_work_.notify_all();  // CAUSE: first, second
    return all;
  }

  void finish() {
    std::lock_guard lock(mutex_);
    finished_ = true;
    has_work_.notify_all();
  }

 private:
  const std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable has_work_;
  std::condition_variable has_room_;
  std::deque<T> items_;
  bool finished_ = false;
};

struct Sample {
  int sensor = 0;
  double value = 0;
};

class Aggregator {
 public:
  void add(const Sample& sample) {
    sum_ += sample.value;
    ++count_;
  }
  double mean() const { return count_ == 0 ? 0 : sum_ / count_; }
  int count() const { return count_; }

 private:
  double sum_ = 0;
  int count_ = 0;
};

int main() {
  Stage<Sample> stage(2);
  Aggregator aggregator;

  std::thread collector([&stage, &aggregator] {
    // What has gathered in the meantime goes first, in one go.
    for (const Sample& sample : stage.flush()) aggregator.add(sample);
    while (std::optional<Sample> sample = stage.take()) aggregator.add(*sample);
  });
  std::thread sensor([&stage] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // it has to warm up
    for (int i = 0; i < 3; ++i) stage.put({7, 1.5 * i});
    stage.finish();
  });

  sensor.join();
  collector.join();
  assert(aggregator.count() == 3);
  assert(aggregator.mean() == 1.5);
}
