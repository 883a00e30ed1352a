// SPDX-License-Identifier: Apache-2.0
// Two locks that are local variables of main, taken in both orders.
#include <mutex>
#include <thread>

struct Account {
  int balance = 0;
  std::mutex lock;
};

static void pay(Account& account, std::mutex& journal) {
  const std::lock_guard one(account.lock);
  const std::lock_guard two(journal);
  ++account.balance;
}

static void audit(Account& account, std::mutex& journal) {
  const std::lock_guard one(journal);
  const std::lock_guard two(account.lock);
  --account.balance;
}

int main() {
  Account account;
  std::mutex journal;
  std::thread first([&] { pay(account, journal); });
  std::thread second([&] { audit(account, journal); });
  first.join();
  second.join();
}
