// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: a transfer takes the locks of both accounts.
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  std::mutex lock;
  int balance = 10;
};

static Account savings;
static Account wages;

static void transfer(Account& from, Account& to) {
  std::scoped_lock lock(from.lock, to.lock);
  from.balance -= 1;
  to.balance += 1;
}

int main() {
  std::thread first([] { transfer(savings, wages); });
  std::thread second([] { transfer(wages, savings); });
  first.join();
  second.join();
  assert(savings.balance == 10 && wages.balance == 10);
}
