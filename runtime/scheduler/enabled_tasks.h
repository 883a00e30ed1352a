// SPDX-License-Identifier: Apache-2.0
// EnabledTasks: the set of tasks whose pending operation could take effect now. Every change and every query is O(1),
// so that a scheduling point costs the same with ten tasks and with a thousand.
#pragma once

#include <cstdint>
#include <span>

#include "base/ids.h"

namespace ravel {

class EnabledTasks {
 public:
  // Memory for kMaxTasks entries each, all zero.
  void use(TaskId* list, std::uint32_t* places) {
    list_ = list;
    places_ = places;
    places_[0] = 0;  // its page is there when executions are forked: they read it before they write
    size_ = 0;
  }

  bool contains(TaskId task) const { return places_[task] != 0; }
  std::uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  TaskId first() const { return list_[0]; }
  std::span<const TaskId> list() const { return {list_, size_}; }

  void insert(TaskId task) {
    list_[size_] = task;
    places_[task] = ++size_;
  }

  // The last entry takes the place of the removed one: the order is arbitrary but follows from the history alone.
  void remove(TaskId task) {
    const std::uint32_t place = places_[task];
    const TaskId last = list_[size_ - 1];
    list_[place - 1] = last;
    places_[last] = place;
    places_[task] = 0;
    --size_;
  }

 private:
  std::uint32_t size_ = 0;
  TaskId* list_ = nullptr;
  std::uint32_t* places_ = nullptr;  // index + 1 of a task in the list; 0: not in the set
};

}  // namespace ravel
