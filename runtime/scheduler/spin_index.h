// SPDX-License-Identifier: Apache-2.0
//
// SpinIndex: finds the spinning tasks that may notice a write, by the memory they read, so that a write does not pay
// for a thousand tasks that wait for something else.
//
// Memory is indexed in lines of 64 bytes. A task whose loop reads more than a few lines, or none at all, is kept
// separately and found by every write.
//
// Thread safety: none; only the scheduler calls.
#pragma once

#include <cstdint>

#include "base/check.h"
#include "base/ids.h"
#include "base/random.h"
#include "runtime/scheduler/spin_watch.h"

namespace ravel {

class SpinIndex {
 public:
  // The task begins to spin. Its watch must not change before remove.
  void add(TaskId task, const SpinWatch& watch) {
    Places places(watch);
    for (std::uint32_t i = 0; i < places.count; ++i) {
      const std::uint32_t number = new_node();
      nodes_[number] = {task, heads_[places.buckets[i]]};
      heads_[places.buckets[i]] = number;
    }
  }

  void remove(TaskId task, const SpinWatch& watch) {
    Places places(watch);
    for (std::uint32_t i = 0; i < places.count; ++i) {
      std::uint32_t* link = &heads_[places.buckets[i]];
      while (*link != 0 && nodes_[*link].task != task) link = &nodes_[*link].next;
      RAVEL_CHECK(*link != 0, "a spinning task was lost");
      const std::uint32_t number = *link;
      *link = nodes_[number].next;
      nodes_[number].next = free_;
      free_ = number;
    }
  }

  // Visits every task that may watch [address, address+size), and others; `visit` may remove the task it is shown.
  template <typename Visit>
  void visit_watching(std::uint64_t address, std::uint64_t size, Visit visit) {
    const std::uint64_t first = address / kLine;
    const std::uint64_t last = (address + size - 1) / kLine;
    if (last - first >= kBuckets) {
      for (std::uint32_t bucket = 0; bucket < kBuckets; ++bucket) visit_bucket(bucket, visit);
    } else {
      for (std::uint64_t line = first; line <= last; ++line) visit_bucket(bucket_of(line), visit);
    }
    visit_bucket(kEverywhere, visit);
  }

 private:
  static constexpr std::uint64_t kLine = 64;
  static constexpr std::uint32_t kBuckets = 1024;
  static constexpr std::uint32_t kEverywhere = kBuckets;
  static constexpr std::uint32_t kMostPlaces = 4;

  static std::uint32_t bucket_of(std::uint64_t line) {
    return static_cast<std::uint32_t>(hash_mix(line, 0) % kBuckets);
  }

  // The buckets a task belongs to, each once.
  struct Places {
    explicit Places(const SpinWatch& watch) {
      bool everywhere = !watch.for_each_object([&](std::uint64_t object, std::uint64_t size) {
        if (object / kLine != (object + size - 1) / kLine) return false;
        const std::uint32_t bucket = bucket_of(object / kLine);
        for (std::uint32_t i = 0; i < count; ++i) {
          if (buckets[i] == bucket) return true;
        }
        if (count == kMostPlaces) return false;
        buckets[count++] = bucket;
        return true;
      });
      everywhere |= count == 0;
      if (!everywhere) return;
      buckets[0] = kEverywhere;
      count = 1;
    }

    std::uint32_t buckets[kMostPlaces];
    std::uint32_t count = 0;
  };

  struct Node {
    TaskId task;
    std::uint32_t next;
  };

  template <typename Visit>
  void visit_bucket(std::uint32_t bucket, Visit visit) {
    for (std::uint32_t number = heads_[bucket]; number != 0;) {
      const Node node = nodes_[number];
      visit(node.task);
      number = node.next;
    }
  }

  std::uint32_t new_node() {
    if (free_ == 0) return ++used_;
    const std::uint32_t number = free_;
    free_ = nodes_[number].next;
    return number;
  }

  std::uint32_t heads_[kBuckets + 1] = {};  // number 0 is none
  Node nodes_[kMaxTasks * kMostPlaces + 1] = {};
  std::uint32_t used_ = 0;
  std::uint32_t free_ = 0;
};

}  // namespace ravel
