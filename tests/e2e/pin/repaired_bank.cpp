// SPDX-License-Identifier: Apache-2.0
// Fixed: a deposit is one critical section.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
std::mutex deposits;
int balance = 0;

int read_balance() {
  std::lock_guard lock(mutex);
  return balance;
}

void write_balance(int amount) {
  std::lock_guard lock(mutex);
  balance = amount;
}

void deposit(int amount) {
  std::lock_guard one(deposits);
  const int before = read_balance();
  write_balance(before + amount);
}

int main() {
  std::thread alice(deposit, 100);
  std::thread bob(deposit, 50);
  alice.join();
  bob.join();
  assert(read_balance() == 150);
}
