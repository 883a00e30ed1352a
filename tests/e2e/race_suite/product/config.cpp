// SPDX-License-Identifier: Apache-2.0
// Fault: the first look at the pointer is made without the lock, and the pointer is no atomic. With FIXED it is one:
// the order that the race test forces is still possible.
#include "config.h"

namespace shop {

#ifdef FIXED
std::atomic<Config*> Config::instance_{nullptr};
#else
Config* Config::instance_ = nullptr;
#endif
std::mutex Config::mutex_;

namespace {

template <typename T>
T limited(T value, T least, T most) {
  return value < least ? least : (value > most ? most : value);
}

}  // namespace

Config::Config() : limit_(limited(100, 1, 64)) {}

Config& Config::instance() {
  Config* made = instance_;
  if (made == nullptr) {
    const std::lock_guard<std::mutex> guard(mutex_);
    made = instance_;
    if (made == nullptr) {
      made = new Config;
      instance_ = made;
    }
  }
  return *made;
}

bool Config::allows(int pieces) const {
  const int least = 1;
  return pieces >= least && pieces <= limit_;
}

void Config::reset() {
  const std::lock_guard<std::mutex> guard(mutex_);
  delete instance_;
  instance_ = nullptr;
}

}  // namespace shop
