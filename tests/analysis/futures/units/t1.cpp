// SPDX-License-Identifier: Apache-2.0
#include "shared.h"

int n = 0;
std::mutex lock;

void first() {
  std::lock_guard<std::mutex> guard(lock);
  n = 1;
  n = 2;
}

void Box::put(int value) {
  mutex_.lock();
  value_ = value;
  mutex_.unlock();
}
