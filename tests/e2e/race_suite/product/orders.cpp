// SPDX-License-Identifier: Apache-2.0
#include "orders.h"

namespace shop {

bool Orders::take(int article, int pieces) {
  if (pieces <= 0) return false;
  return waiting_.push(Order{article, pieces});
}

int Orders::pack() {
  int packed = 0;
  for (Order order; waiting_.pop(order);) packed += order.pieces;
  return packed;
}

}  // namespace shop
