// SPDX-License-Identifier: Apache-2.0
// HostTable: the hosts met so far, by name. They stay where they are until the table is gone.
//
// Thread safety: any thread may call anything.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "host.h"

namespace crawler {

class HostTable {
 public:
  Host& at(const std::string& name) {
    std::lock_guard lock(mutex_);
    return hosts_[name];
  }

  int pages() {
    std::lock_guard lock(mutex_);
    int sum = 0;
    for (auto& [name, host] : hosts_) sum += host.pages();
    return sum;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, Host> hosts_;
};

}  // namespace crawler
