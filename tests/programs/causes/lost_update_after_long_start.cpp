// SPDX-License-Identifier: Apache-2.0
// A program whose main builds its greeting from a thousand pieces before it does anything with threads; then two
// threads withdraw from one account, each after a look at the balance.
// FINDING: assertion
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

class Account {
 public:
  bool withdraw(int amount) {
    if (balance() < amount) return false;
    std::lock_guard lock(mutex_);
    balance_ -= amount;  // CAUSE: second
    return true;
  }
  int balance() const {
    std::lock_guard lock(mutex_);
    return balance_;  // CAUSE: first
  }

 private:
  mutable std::mutex mutex_;
  int balance_ = 100;
};

int main() {
  std::string greeting;
  for (int i = 0; i < 1000; ++i) {
    std::string piece = "piece " + std::to_string(i);
    greeting += piece.substr(0, 1);
  }
  Account account;
  std::thread cash([&] { account.withdraw(80); });
  std::thread card([&] { account.withdraw(80); });
  cash.join();
  card.join();
  assert(greeting.size() == 1000);
  assert(account.balance() >= 0);
}
