// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: each account has a lock, and a transfer takes only that of the source.
#include <mutex>
#include <thread>

struct Account {
  std::mutex lock;
  int balance = 10;
};

static Account savings;
static Account wages;

static void transfer(Account& from, Account& to) {
  std::lock_guard lock(from.lock);
  from.balance -= 1;
  to.balance += 1;
}

int main() {
  std::thread first([] { transfer(savings, wages); });
  std::thread second([] { transfer(wages, savings); });
  first.join();
  second.join();
}
