// SPDX-License-Identifier: Apache-2.0
// Deadlock of two locks. Transfers lock the giver first; two of them go in opposite directions.
// Shown by: each holds its first lock when it asks for its second.
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 10;
};

int main() {
  Account one;
  Account two;
  auto transfer = [](Account& from, Account& to) {
    for (int i = 0; i < 3; ++i) {
      std::lock_guard giver(from.mutex);
      std::lock_guard taker(to.mutex);
      --from.balance;
      ++to.balance;
    }
  };
  std::thread there([&] { transfer(one, two); });
  std::thread back([&] { transfer(two, one); });
  there.join();
  back.join();
}
