// SPDX-License-Identifier: Apache-2.0
// One program in several sources: a variable, an inline function of a header, a class whose methods are elsewhere.
#pragma once
#include <mutex>

extern int n;
extern std::mutex lock;

inline int current() {
  std::lock_guard<std::mutex> guard(lock);
  return n;
}

class Box {
 public:
  void put(int value);
  int take();

 private:
  std::mutex mutex_;
  int value_ = 0;
};
