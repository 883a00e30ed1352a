// SPDX-License-Identifier: Apache-2.0
// The result of a calculation is printed before the thread that makes it was joined.
// FINDING: data-race
#include <numeric>
#include <thread>
#include <vector>

struct Average {
  double value = 0;
  void calculate(const std::vector<double>& samples) {
    const double sum = std::accumulate(samples.begin(), samples.end(), 0.0);
    value = sum / static_cast<double>(samples.size());  // CAUSE: second
  }
};

int main() {
  const std::vector<double> samples{1, 2, 3, 4};
  Average average;
  std::thread worker([&] { average.calculate(samples); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const double shown = average.value;  // CAUSE: first
  worker.join();
  return shown <= 2.5 ? 0 : 1;
}
