// SPDX-License-Identifier: Apache-2.0
// Two locks that are local variables of main, taken in both orders.
#include <mutex>
#include <thread>

struct Account {
  int balance = 0;
  std::mutex lock;
};

int main() {
  Account account;
  std::mutex journal;
  std::thread pay([&] {
    const std::lock_guard one(account.lock);
    const std::lock_guard two(journal);
    ++account.balance;
  });
  std::thread audit([&] {
    const std::lock_guard one(journal);
    const std::lock_guard two(account.lock);
    --account.balance;
  });
  pay.join();
  audit.join();
}
