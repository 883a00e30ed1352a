// SPDX-License-Identifier: Apache-2.0
// ProcessorSeat: the processor that a worker shares with its executions. Driver, fork server and execution take turns,
// so one processor is enough for them, and it saves cache misses, wake-ups and page-table messages between processors
// (measured: a third more executions per second). If there is not one processor for each worker, nobody is pinned.
//
// Campaigns on the same machine avoid each other: a seat is claimed by binding an abstract socket name, which the
// kernel gives to one process at a time and takes back however that process ends. A worker that finds no free seat is
// not pinned.
//
// The thread that created the seat is pinned until the seat is destroyed. Programs still see all processors: the target
// starts with all of them and is pinned only once it is a fork server (runtime/interpose/processors.h).
#pragma once

#include <sched.h>

#include <cstdint>

#include "driver/process/file_descriptor.h"

namespace ravel {

class ProcessorSeat {
 public:
  // For one of `jobs` workers. The last processors are taken first: interrupts tend to be handled by the first ones.
  explicit ProcessorSeat(unsigned jobs);
  ~ProcessorSeat();
  ProcessorSeat(const ProcessorSeat&) = delete;
  ProcessorSeat& operator=(const ProcessorSeat&) = delete;

  // For LaunchOptions::processor: 1 + the processor's number, or 0.
  std::uint8_t launch_number() const { return number_; }

  // The processors this process was started with.
  static const cpu_set_t& all();

 private:
  std::uint8_t number_ = 0;
  FileDescriptor claim_;
};

}  // namespace ravel
