// SPDX-License-Identifier: Apache-2.0
// IdleList: the workers that have nothing to do. Workers put themselves in, the manager takes them out.
//
// Thread safety: any thread may call anything.
#pragma once

#include <mutex>
#include <vector>

namespace crawler {

class Worker;

class IdleList {
 public:
  void put(Worker& worker) {
    std::lock_guard lock(mutex_);
    workers_.push_back(&worker);
  }

  // Null when all are at work. The one that has been idle for the shortest time: its memory is still in the cache.
  Worker* take() {
    std::lock_guard lock(mutex_);
    if (workers_.empty()) return nullptr;
    Worker* worker = workers_.back();
    workers_.pop_back();
    return worker;
  }

 private:
  std::mutex mutex_;
  std::vector<Worker*> workers_;
};

}  // namespace crawler
