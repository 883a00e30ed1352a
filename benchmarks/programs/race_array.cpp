// SPDX-License-Identifier: Apache-2.0
// Four threads smooth their own quarters of an array, round after round, and meet at a barrier between rounds.
#include <barrier>
#include <thread>
#include <vector>

int main() {
  constexpr int kSize = 40000;
  constexpr int kRounds = 100;
  constexpr int kThreads = 4;
  std::vector<double> a(kSize, 1.0);
  std::vector<double> b(kSize, 0.0);
  std::barrier barrier(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      double* from = a.data();
      double* to = b.data();
      const int low = t * (kSize / kThreads);
      const int high = low + kSize / kThreads;
      for (int round = 0; round < kRounds; ++round) {
        for (int i = low; i < high; ++i) {
          const double left = i == 0 ? 0 : from[i - 1];
          const double right = i == kSize - 1 ? 0 : from[i + 1];
          to[i] = (left + from[i] + right) / 3;
        }
        barrier.arrive_and_wait();
        std::swap(from, to);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}
