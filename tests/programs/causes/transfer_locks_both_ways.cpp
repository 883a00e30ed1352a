// SPDX-License-Identifier: Apache-2.0
// A bank whose transfers lock the account they take from and then the one they give to. Two transfers in opposite
// directions wait for each other.
// FINDING: deadlock
#include <cassert>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using Cents = long;

class Account {
 public:
  Account(std::string owner, Cents balance) : owner_(std::move(owner)), balance_(balance) {}

  std::mutex& mutex() { return mutex_; }
  const std::string& owner() const { return owner_; }
  Cents balance() const { return balance_; }
  void add(Cents amount) { balance_ += amount; }

 private:
  std::mutex mutex_;
  const std::string owner_;
  Cents balance_;
};

struct Booking {
  std::string from;
  std::string to;
  Cents amount = 0;
};

class Ledger {
 public:
  void write(Booking booking) {
    std::lock_guard lock(mutex_);
    bookings_.push_back(std::move(booking));
  }
  std::size_t size() const {
    std::lock_guard lock(mutex_);
    return bookings_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Booking> bookings_;
};

class Bank {
 public:
  void open(const std::string& owner, Cents balance) {
    std::unique_lock lock(mutex_);
    accounts_.emplace(owner, std::make_shared<Account>(owner, balance));
  }

  bool transfer(const std::string& from, const std::string& to, Cents amount) {
    const std::shared_ptr<Account> source = find(from);
    const std::shared_ptr<Account> target = find(to);
    std::lock_guard source_lock(source->mutex());
    if (source->balance() < amount) return false;
    std::lock_guard target_lock(target->mutex());  // CAUSE: first, second
    source->add(-amount);
    target->add(amount);
    ledger_.write({from, to, amount});
    return true;
  }

  Cents total() const {
    std::shared_lock lock(mutex_);
    return std::accumulate(accounts_.begin(), accounts_.end(), Cents{0},
                           [](Cents sum, const auto& entry) { return sum + entry.second->balance(); });
  }

  std::size_t bookings() const { return ledger_.size(); }

 private:
  std::shared_ptr<Account> find(const std::string& owner) const {
    std::shared_lock lock(mutex_);
    const auto found = accounts_.find(owner);
    if (found == accounts_.end()) throw std::invalid_argument("no account of " + owner);
    return found->second;
  }

  mutable std::shared_mutex mutex_;
  std::map<std::string, std::shared_ptr<Account>> accounts_;
  Ledger ledger_;
};

int main() {
  Bank bank;
  bank.open("ann", 10'00);
  bank.open("bob", 10'00);
  std::thread rent([&bank] { bank.transfer("ann", "bob", 5'00); });
  std::thread refund([&bank] { bank.transfer("bob", "ann", 2'00); });
  rent.join();
  refund.join();
  assert(bank.total() == 20'00);
  assert(bank.bookings() == 2);
}
