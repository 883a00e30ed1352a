// SPDX-License-Identifier: Apache-2.0
// The settings of the process, made when they are first asked for.
#pragma once

#include <atomic>
#include <mutex>

namespace shop {

class Config {
 public:
  static Config& instance();
  static void reset();
  bool allows(int pieces) const;

  int limit() const { return limit_; }
  void set_limit(int limit) { limit_ = limit; }

 private:
  Config();

#ifdef FIXED
  static std::atomic<Config*> instance_;
#else
  static Config* instance_;
#endif
  static std::mutex mutex_;

  int limit_ = 0;
};

}  // namespace shop
