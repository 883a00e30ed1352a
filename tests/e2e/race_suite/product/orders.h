// SPDX-License-Identifier: Apache-2.0
// Orders on their way from the thread that takes them to the one that packs them.
#pragma once

#include "ring_buffer.h"

namespace shop {

struct Order {
  int article = 0;
  int pieces = 0;
};

class Orders {
 public:
  bool take(int article, int pieces);
  int pack();

 private:
  RingBuffer<Order, 8> waiting_;
};

}  // namespace shop
