// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: signal
// The sample count is reset between the check and the division.
#include <atomic>
#include <thread>

int main() {
  std::atomic<int> samples{4};
  std::atomic<int> average{0};
  std::thread reporter([&] {
    if (samples.load() != 0) average.store(100 / samples.load());
  });
  std::thread resetter([&] { samples.store(0); });
  reporter.join();
  resetter.join();
}
