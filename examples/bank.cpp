// SPDX-License-Identifier: Apache-2.0
// Every access takes the lock, and money still disappears: deposit() reads under the lock and writes under the lock,
// but another deposit fits in between. Run by itself, the program passes day after day.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
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
