// SPDX-License-Identifier: Apache-2.0
// Goods and orders, a lock for each. An order takes goods; a delivery serves orders.
#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <string>

class Inventory {
 public:
  void stock(const std::string& article, int count) {
    std::lock_guard<std::mutex> goods(goods_mutex_);
    if (count > 0) goods_[article] += count;
  }

  bool order(const std::string& article, int count) {
    std::lock_guard<std::mutex> orders(orders_mutex_);
    if (count <= 0) return false;
    if (take(article, count)) return true;
    orders_.push_back({article, count});
    return false;
  }

  void deliver(const std::string& article, int count) {
    std::lock_guard<std::mutex> goods(goods_mutex_);
    goods_[article] += count;
    serve();
  }

  int available(const std::string& article) const {
    std::lock_guard<std::mutex> goods(goods_mutex_);
    const auto found = goods_.find(article);
    return found == goods_.end() ? 0 : found->second;
  }

  std::size_t waiting() const {
    std::lock_guard<std::mutex> orders(orders_mutex_);
    return orders_.size();
  }

 private:
  struct Order {
    std::string article;
    int count;
  };

  bool take(const std::string& article, int count) {
    std::lock_guard<std::mutex> goods(goods_mutex_);
    int& left = goods_[article];
    if (left < count) return false;
    left -= count;
    return true;
  }

  void serve() {
    std::lock_guard<std::mutex> orders(orders_mutex_);
    while (!orders_.empty() && goods_[orders_.front().article] >= orders_.front().count) {
      goods_[orders_.front().article] -= orders_.front().count;
      orders_.pop_front();
    }
  }

  mutable std::mutex goods_mutex_;
  mutable std::mutex orders_mutex_;
  std::map<std::string, int> goods_;
  std::deque<Order> orders_;
};
