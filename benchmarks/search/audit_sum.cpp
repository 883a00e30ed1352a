// SPDX-License-Identifier: Apache-2.0
// Atomicity across many lock sections. An auditor adds up accounts that it locks one by one; transfers lock both of
// theirs. A sum that is too small is forgiven once, since the auditor asks again.
// Shown by: in both of the auditor's passes a transfer goes from an account not yet read to one that has been read.
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 10;
};

int main() {
  Account accounts[4];
  auto transfer = [&](int from, int to) {
    std::scoped_lock both(accounts[from].mutex, accounts[to].mutex);
    accounts[from].balance -= 5;
    accounts[to].balance += 5;
  };
  auto sum = [&] {
    int total = 0;
    for (Account& account : accounts) {
      std::lock_guard lock(account.mutex);
      total += account.balance;
    }
    return total;
  };
  std::thread clerk([&] {
    transfer(3, 0);
    transfer(1, 2);
    transfer(2, 1);
    transfer(3, 0);
  });
  std::thread auditor([&] {
    const bool wrong = sum() < 40;
    assert(!wrong || sum() >= 40);
  });
  clerk.join();
  auditor.join();
}
