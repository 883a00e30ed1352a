// SPDX-License-Identifier: Apache-2.0
// A list of numbers that threads fill and others look at.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <mutex>

namespace shop {

class List {
 public:
  List() = default;

  void add(int value);
  void add(std::initializer_list<int> values);
  bool is_empty() const;
  int total() const;

 private:
  struct Node {
    int value = 0;
    std::unique_ptr<Node> next;
  };

  std::unique_ptr<Node> head_;
  std::size_t size_ = 0;
  mutable std::mutex mutex_;
};

}  // namespace shop
