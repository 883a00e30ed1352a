// SPDX-License-Identifier: Apache-2.0
#include "shared.h"

static int local_helper(int value) { return value + 1; }

void second() {
  std::lock_guard<std::mutex> guard(lock);
  n = local_helper(2);
}

int Box::take() {
  mutex_.lock();
  const int value = value_;
  mutex_.unlock();
  return value;
}
