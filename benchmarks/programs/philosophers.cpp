// SPDX-License-Identifier: Apache-2.0
// explore_rate, 5 threads: dining philosophers who take the lower fork first.
#include <algorithm>
#include <array>
#include <mutex>
#include <thread>
#include <vector>

int main() {
  std::array<std::mutex, 5> forks;
  std::array<int, 5> meals{};
  std::vector<std::thread> philosophers;
  for (int seat = 0; seat < 5; ++seat) {
    philosophers.emplace_back([&, seat] {
      const int right = (seat + 1) % 5;
      for (int i = 0; i < 2; ++i) {
        std::lock_guard lower(forks[std::min(seat, right)]);
        std::lock_guard upper(forks[std::max(seat, right)]);
        ++meals[seat];
      }
    });
  }
  for (auto& philosopher : philosophers) philosopher.join();
  return std::all_of(meals.begin(), meals.end(), [](int n) { return n == 2; }) ? 0 : 1;
}
