// SPDX-License-Identifier: Apache-2.0
// Every method takes the lock, and money still disappears: deposit() reads under the lock and writes under the lock,
// but another deposit fits in between. Run it by itself and it passes, day after day.
#include <cassert>
#include <functional>
#include <mutex>
#include <thread>

class Account {
 public:
  int balance() {
    std::lock_guard lock(mutex_);
    return balance_;
  }
  void set_balance(int amount) {
    std::lock_guard lock(mutex_);
    balance_ = amount;
  }

 private:
  std::mutex mutex_;
  int balance_ = 0;
};

void deposit(Account& account, int amount) {
  const int before = account.balance();
  account.set_balance(before + amount);
}

int main() {
  Account account;
  std::thread alice(deposit, std::ref(account), 100);
  std::thread bob(deposit, std::ref(account), 50);
  alice.join();
  bob.join();
  assert(account.balance() == 150);
}
