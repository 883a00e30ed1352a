// SPDX-License-Identifier: Apache-2.0
// Repaired: a deposit is one critical section.
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

static std::mutex deposits;

void deposit(Account& account, int amount) {
  std::lock_guard one(deposits);
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
