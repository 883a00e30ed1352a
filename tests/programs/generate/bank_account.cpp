// SPDX-License-Identifier: Apache-2.0
// A bank account whose methods were written without a lock. plants.txt lists its races; REPAIRED has none.
// RUN: generate
#include <mutex>
#include <thread>
#include <vector>

#include "repair.h"

class Account {
 public:
  void deposit(long amount) {
    const Guard guard(mutex_);
    balance_ = balance_ + amount;
  }
  bool withdraw(long amount) {
    const Guard guard(mutex_);
    if (balance_ < amount) return false;
    balance_ = balance_ - amount;
    return true;
  }
  long balance() {
    const Guard guard(mutex_);
    return balance_;
  }

 private:
  std::mutex mutex_;
  long balance_ = 350;
};

Account account;

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back([] { account.deposit(500); });
  for (int i = 0; i < 3; ++i) threads.emplace_back([] { account.withdraw(200); });
  for (int i = 0; i < 2; ++i) threads.emplace_back([] { account.balance(); });
  for (std::thread& thread : threads) thread.join();
}
