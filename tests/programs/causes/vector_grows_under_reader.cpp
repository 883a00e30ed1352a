// SPDX-License-Identifier: Apache-2.0
// A reader keeps an index into a vector of samples that a writer appends to without telling it.
// FINDING: data-race, use-after-free
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

class Series {
 public:
  void add(int sample) {
    std::lock_guard lock(mutex_);
    samples_.push_back(sample);  // CAUSE: first, second
  }
  std::size_t size() const {
    std::lock_guard lock(mutex_);
    return samples_.size();
  }
  const std::vector<int>& samples() const {
    std::lock_guard lock(mutex_);
    return samples_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<int> samples_{4, 5};
};

int main() {
  Series series;
  std::thread writer([&] { series.add(6); });
  int sum = 0;
  for (const int sample : series.samples()) sum += sample;  // CAUSE: first, second
  writer.join();
  return sum == 9 || sum == 15 ? 0 : 1;
}
