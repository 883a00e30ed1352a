// SPDX-License-Identifier: Apache-2.0
// Two transfers in opposite directions, each holding one account while it waits for the other.
#include <cstdio>
#include <functional>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100;
};

void transfer(Account& from, Account& to, int amount) {
  std::lock_guard first(from.mutex);
  std::lock_guard second(to.mutex);
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  Account savings;
  Account current;
  std::thread alice(transfer, std::ref(savings), std::ref(current), 30);
  std::thread bob(transfer, std::ref(current), std::ref(savings), 20);
  alice.join();
  bob.join();
  std::printf("savings %d, current %d\n", savings.balance, current.balance);
}
