// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: deadlock
// Two transfers in opposite directions take the two account locks in opposite order.
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100;
};

static void transfer(Account& from, Account& to, int amount) {
  std::lock_guard first(from.mutex);
  std::lock_guard second(to.mutex);
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
