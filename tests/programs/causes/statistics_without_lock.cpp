// SPDX-License-Identifier: Apache-2.0
// The hit counter of a cache is increased outside the lock that guards the rest of the statistics.
// FINDING: data-race
#include <mutex>
#include <thread>

class Statistics {
 public:
  void record(bool hit, int bytes) {
    {
      std::lock_guard lock(mutex_);
      bytes_ += bytes;
    }
    if (hit) ++hits_;  // CAUSE: first, second
  }
  int hits() const { return hits_; }
  int bytes() const { return bytes_; }

 private:
  std::mutex mutex_;
  int bytes_ = 0;
  int hits_ = 0;
};

int main() {
  Statistics statistics;
  std::thread one([&] { statistics.record(true, 10); });
  std::thread two([&] { statistics.record(true, 20); });
  one.join();
  two.join();
  return statistics.bytes() == 30 && statistics.hits() <= 2 ? 0 : 1;
}
