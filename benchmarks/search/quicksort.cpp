// SPDX-License-Identifier: Apache-2.0
// Parallel quicksort with a hang. Ranges wait in a shared stack; a worker that finds it empty sleeps until there is
// work or all is sorted. The worker that finishes the last range wakes one sleeper only.
// Shown by: both other workers sleep when the last range is finished; one of them never wakes.
#include <algorithm>
#include <array>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

class Sorter {
 public:
  Sorter() { ranges_.emplace_back(0, static_cast<int>(values.size())); }

  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return !ranges_.empty() || unsorted_ == 0; });
      if (unsorted_ == 0) {
        return;
      }
      const auto [begin, end] = ranges_.back();
      ranges_.pop_back();
      lock.unlock();
      const int middle = divide(begin, end);
      lock.lock();
      --unsorted_;
      add(begin, middle);
      add(middle + 1, end);
      if (unsorted_ == 0) {
        changed_.notify_one();
      }
    }
  }

  std::array<int, 6> values{4, 1, 5, 0, 3, 2};

 private:
  int divide(int begin, int end) {
    const int pivot = values[end - 1];
    auto* const middle = std::partition(&values[begin], &values[end - 1], [&](int value) { return value < pivot; });
    std::swap(*middle, values[end - 1]);
    return static_cast<int>(middle - values.data());
  }

  void add(int begin, int end) {
    if (end - begin > 1) {
      ++unsorted_;
      ranges_.emplace_back(begin, end);
      changed_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::pair<int, int>> ranges_;
  int unsorted_ = 1;
};

int main() {
  Sorter sorter;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] { sorter.work(); });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  assert(std::is_sorted(sorter.values.begin(), sorter.values.end()));
}
