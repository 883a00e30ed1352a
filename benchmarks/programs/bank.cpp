// SPDX-License-Identifier: Apache-2.0
// explore_rate, 2 threads: transfers between two accounts, locks taken in one order.
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100;
};

int main() {
  Account accounts[2];
  auto transfer = [&](int amount) {
    for (int i = 0; i < 5; ++i) {
      std::lock_guard first(accounts[0].mutex);
      std::lock_guard second(accounts[1].mutex);
      accounts[0].balance -= amount;
      accounts[1].balance += amount;
    }
  };
  std::thread there(transfer, 3);
  std::thread back(transfer, -3);
  there.join();
  back.join();
  return accounts[0].balance == 100 ? 0 : 1;
}
