// SPDX-License-Identifier: Apache-2.0
// Fields of an object that threads share, through methods.
#include <cstdio>
#include <mutex>
#include <thread>

class Account {
 public:
  void deposit(int amount) {
    std::lock_guard<std::mutex> guard(mutex_);
    balance_ = 0;                  // [reset]
    balance_ = balance_ + amount;  // Account::balance_ = reset  [added]
  }
  int balance() {
    std::lock_guard<std::mutex> guard(mutex_);
    return balance_;  // Account::balance_ = π start added
  }

 private:
  std::mutex mutex_;
  int balance_ = 100;  // [start]
};

int main() {
  Account account;
  std::thread deposits(&Account::deposit, &account, 50);
  std::thread asks([&account] { std::printf("%d\n", account.balance()); });
  deposits.join();
  asks.join();
}
