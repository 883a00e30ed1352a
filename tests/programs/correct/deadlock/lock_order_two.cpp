// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Repaired: the locks are always taken in the same order.
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100;
};

static void transfer(Account& from, Account& to, int amount) {
  Account& low = &from < &to ? from : to;
  Account& high = &from < &to ? to : from;
  std::lock_guard first(low.mutex);
  std::lock_guard second(high.mutex);
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  Account a;
  Account b;
  std::thread there([&] { transfer(a, b, 10); });
  std::thread back([&] { transfer(b, a, 20); });
  there.join();
  back.join();
  return a.balance + b.balance == 200 ? 0 : 1;
}
