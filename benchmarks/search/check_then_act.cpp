// SPDX-License-Identifier: Apache-2.0
// Check-then-act. The balance is checked under the lock and taken under the lock, but the lock is let go between.
// Shown by: both customers check while the balance still covers one of them.
#include <cassert>
#include <mutex>
#include <thread>

class Account {
 public:
  bool covers(int amount) {
    std::lock_guard lock(mutex_);
    return balance_ >= amount;
  }

  void take(int amount) {
    std::lock_guard lock(mutex_);
    balance_ -= amount;
    assert(balance_ >= 0);
  }

 private:
  std::mutex mutex_;
  int balance_ = 100;
};

int main() {
  Account account;
  auto customer = [&] {
    if (account.covers(80)) {
      account.take(80);
    }
  };
  std::thread first(customer);
  std::thread second(customer);
  first.join();
  second.join();
}
