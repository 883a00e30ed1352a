// SPDX-License-Identifier: Apache-2.0
// A bank with a lock for its accounts and one for its journal, which deposits and reports take in different orders.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

class Bank {
 public:
  void open(int account) {
    std::lock_guard<std::mutex> accounts(accounts_mutex_);
    balances_[account] = 0;
  }

  void deposit(int account, int amount) {
    std::lock_guard<std::mutex> accounts(accounts_mutex_);
    const auto found = balances_.find(account);
    if (found == balances_.end()) return;
    found->second += amount;
    note("deposit");
  }

  int balance(int account) const {
    std::lock_guard<std::mutex> accounts(accounts_mutex_);
    const auto found = balances_.find(account);
    return found == balances_.end() ? 0 : found->second;
  }

  std::string report() const {
    std::lock_guard<std::mutex> journal(journal_mutex_);
    std::string text = std::to_string(journal_.size()) + " entries, ";
    return text + std::to_string(total());
  }

  void clear_journal() {
    std::lock_guard<std::mutex> journal(journal_mutex_);
    journal_.clear();
  }

 private:
  void note(const std::string& what) {
    std::lock_guard<std::mutex> journal(journal_mutex_);
    journal_.push_back(what);
  }

  int total() const {
    std::lock_guard<std::mutex> accounts(accounts_mutex_);
    int sum = 0;
    for (const auto& [account, balance] : balances_) sum += balance;
    return sum;
  }

  mutable std::mutex accounts_mutex_;
  mutable std::mutex journal_mutex_;
  std::map<int, int> balances_;
  std::vector<std::string> journal_;
};
