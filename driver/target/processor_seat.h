// SPDX-License-Identifier: Apache-2.0
// ProcessorSeat: the processor a worker and its executions share. Driver, fork server and execution work in turns, so
// on one processor they lose nothing and save the caches, the wake-ups and the page-table messages between processors
// (measured: a third more executions a second). Without one for each worker nobody is kept anywhere.
//
// Campaigns on the same machine keep out of each other's way: a seat is claimed by the name of a socket that belongs to
// no file, which the kernel gives to one process at a time and takes back however that process ends. Who finds no free
// seat is not kept anywhere.
//
// The thread that made it sits there until it is destroyed. Programs still see all processors: the target is started
// with all of them and is kept on one only when it has become a fork server (runtime/interpose/processors.h).
#pragma once

#include <sched.h>

#include <cstdint>

#include "driver/process/file_descriptor.h"

namespace ravel {

class ProcessorSeat {
 public:
  // For one of `jobs` workers. The last processors are taken first: interrupts tend to be on the first.
  explicit ProcessorSeat(unsigned jobs);
  ~ProcessorSeat();
  ProcessorSeat(const ProcessorSeat&) = delete;
  ProcessorSeat& operator=(const ProcessorSeat&) = delete;

  // For LaunchOptions::processor: 1 + its number, or 0.
  std::uint8_t launch_number() const { return number_; }

  // The processors this process was started with.
  static const cpu_set_t& all();

 private:
  std::uint8_t number_ = 0;
  FileDescriptor claim_;
};

}  // namespace ravel
