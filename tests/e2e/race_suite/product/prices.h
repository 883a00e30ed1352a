// SPDX-License-Identifier: Apache-2.0
// Prices by article, looked up through a cache.
#pragma once

#include "cache.h"

namespace shop {

class Prices {
 public:
  int price_of(int article);
  int price_of(int article, int pieces) { return pieces * price_of(article); }
  std::size_t cached() const { return cache_.size(); }

 private:
  static int slow_price(int article);

  Cache<int, int, 2> cache_;
};

}  // namespace shop
