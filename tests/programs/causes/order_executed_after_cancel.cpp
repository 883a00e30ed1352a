// SPDX-License-Identifier: Apache-2.0
// An exchange. A cancel takes the order out of the book and answers "cancelled"; the matching engine has already
// copied the order and executes it all the same. The client ends with a trade that it was told would not happen.
// FINDING: assertion
#include <algorithm>
#include <cassert>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

struct Order {
  std::uint64_t id = 0;
  std::string symbol;
  int quantity = 0;
  int limit = 0;
};

class OrderBook {
 public:
  void add(Order order) {
    std::lock_guard lock(mutex_);
    orders_.emplace(order.id, std::move(order));
  }

  bool cancel(std::uint64_t id) {
    std::lock_guard lock(mutex_);
    return orders_.erase(id) == 1;  // CAUSE: second
  }

  std::optional<Order> best_bid(int price) const {
    std::lock_guard lock(mutex_);
    for (const auto& [id, order] : orders_) {  // CAUSE: first
      if (order.limit >= price) return order;  // CAUSE: first
    }
    return std::nullopt;
  }

  void remove_filled(std::uint64_t id) {
    std::lock_guard lock(mutex_);
    orders_.erase(id);
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::uint64_t, Order> orders_;
};

struct Trade {
  std::uint64_t order = 0;
  int price = 0;
};

class Tape {
 public:
  void print(Trade trade) {
    std::lock_guard lock(mutex_);
    trades_.push_back(trade);
  }
  bool has(std::uint64_t order) const {
    std::lock_guard lock(mutex_);
    return std::any_of(trades_.begin(), trades_.end(), [&](const Trade& trade) { return trade.order == order; });
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Trade> trades_;
};

class MatchingEngine {
 public:
  MatchingEngine(OrderBook& book, Tape& tape) : book_(book), tape_(tape) {}

  void on_price(int price) {
    const std::optional<Order> order = book_.best_bid(price);
    if (!order) return;
    tape_.print({order->id, price});
    book_.remove_filled(order->id);
  }

 private:
  OrderBook& book_;
  Tape& tape_;
};

int main() {
  OrderBook book;
  Tape tape;
  MatchingEngine engine(book, tape);
  book.add({1, "ACME", 100, 50});

  bool cancelled = false;
  std::thread client([&] { cancelled = book.cancel(1); });
  std::thread market([&] { engine.on_price(49); });
  client.join();
  market.join();
  assert(!(cancelled && tape.has(1)));
}
