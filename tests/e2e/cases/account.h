// SPDX-License-Identifier: Apache-2.0
// What the cases of all three test binaries do, once for each kind of result.
#pragma once

#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  std::mutex lock;
  std::mutex other_lock;
  std::atomic<int> balance{0};
  int plain = 0;

  void deposit_locked() {
    const std::lock_guard<std::mutex> guard(lock);
    balance = balance + 1;
  }
  void deposit_unlocked() { balance = balance + 1; }
};

// The body, once in each of two threads.
template <typename First, typename Second>
void in_parallel(const First& first, const Second& second) {
  std::thread other(second);
  first();
  other.join();
}

// Correct: 2.
inline int two_locked_deposits() {
  Account account;
  in_parallel([&] { account.deposit_locked(); }, [&] { account.deposit_locked(); });
  return account.balance;
}

// 2, or 1 when an update is lost.
inline int two_unlocked_deposits() {
  Account account;
  in_parallel([&] { account.deposit_unlocked(); }, [&] { account.deposit_unlocked(); });
  return account.balance;
}

inline int racing_increments() {
  Account account;
  in_parallel([&] { ++account.plain; }, [&] { ++account.plain; });
  return 0;
}

inline void locks_in_both_orders() {
  Account account;
  const auto take = [](std::mutex& first, std::mutex& second) {
    const std::lock_guard<std::mutex> one(first);
    const std::lock_guard<std::mutex> two(second);
  };
  in_parallel([&] { take(account.lock, account.other_lock); }, [&] { take(account.other_lock, account.lock); });
}

// The program's own assertion, not the framework's.
inline void assertion_of_the_program() { assert(two_unlocked_deposits() == 2); }
