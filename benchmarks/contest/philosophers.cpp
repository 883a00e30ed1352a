// SPDX-License-Identifier: Apache-2.0
// ConTest, fifth experiment. Five dining philosophers, all of whom take the left fork first.
// Shown by: each holds the left fork and waits for the right one, which ends in a deadlock.
#include <array>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kSeats = 5;
constexpr int kMeals = 5;

static std::array<std::mutex, kSeats> forks;
static std::array<int, kSeats> meals;

static void dine(int seat) {
  for (int i = 0; i < kMeals; ++i) {
    std::lock_guard left(forks[seat]);
    std::lock_guard right(forks[(seat + 1) % kSeats]);
    ++meals[seat];
  }
}

int main() {
  std::vector<std::thread> philosophers;
  for (int seat = 0; seat < kSeats; ++seat) philosophers.emplace_back(dine, seat);
  for (std::thread& philosopher : philosophers) philosopher.join();
  for (const int eaten : meals) {
    if (eaten != kMeals) return 1;
  }
  return 0;
}
