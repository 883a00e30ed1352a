// SPDX-License-Identifier: Apache-2.0
// A meter divides by the number of samples; reset() between the look at the number and the division makes it zero.
// FINDING: signal
#include <atomic>
#include <thread>

class Meter {
 public:
  void add(int sample) {
    sum_.fetch_add(sample);
    count_.fetch_add(1);
  }
  void reset() {
    count_.store(0);  // CAUSE: second
    sum_.store(0);
  }
  int average() const {
    if (count_.load() == 0) return 0;  // CAUSE: first
    return sum_.load() / count_.load();
  }

 private:
  std::atomic<int> sum_{0};
  std::atomic<int> count_{0};
};

int main() {
  Meter meter;
  meter.add(4);
  meter.add(6);
  std::thread operator_panel([&] { meter.reset(); });
  const int average = meter.average();
  operator_panel.join();
  return average >= 0 ? 0 : 1;
}
