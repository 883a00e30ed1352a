// SPDX-License-Identifier: Apache-2.0
// What the browser sees: a bank whose accounts are locked one at a time, so that a deposit gets lost, and whose two
// transfers take the locks in opposite orders.
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 0;

  int read() {
    std::lock_guard<std::mutex> guard(mutex);
    return balance;
  }

  void write(int amount) {
    std::lock_guard<std::mutex> guard(mutex);
    balance = amount;
  }

  void deposit(int amount) {
    const int before = read();
    write(before + amount);
  }
};

Account savings;
Account checking;

void transfer(Account& from, Account& to, int amount) {
  std::lock_guard<std::mutex> first(from.mutex);
  std::lock_guard<std::mutex> second(to.mutex);
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  std::thread salary([] {
    savings.deposit(100);
    transfer(savings, checking, 10);
  });
  std::thread bonus([] {
    savings.deposit(50);
    transfer(checking, savings, 10);
  });
  salary.join();
  bonus.join();
  assert(savings.read() == 150);
}
