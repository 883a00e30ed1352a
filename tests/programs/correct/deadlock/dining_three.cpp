// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Repaired: the fork with the lower number first.
#include <array>
#include <mutex>
#include <thread>
#include <vector>

int main() {
  constexpr int kSeats = 3;
  std::array<std::mutex, kSeats> forks;
  int meals = 0;
  std::mutex meals_mutex;
  std::vector<std::thread> philosophers;
  for (int seat = 0; seat < kSeats; ++seat) {
    philosophers.emplace_back([&, seat] {
      const int other = (seat + 1) % kSeats;
      std::lock_guard left(forks[seat < other ? seat : other]);
      std::lock_guard right(forks[seat < other ? other : seat]);
      std::lock_guard guard(meals_mutex);
      ++meals;
    });
  }
  for (auto& philosopher : philosophers) philosopher.join();
  return meals == kSeats ? 0 : 1;
}
