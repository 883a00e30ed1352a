// SPDX-License-Identifier: Apache-2.0
// ProcessorSeat: the processor a worker and its executions share. Driver, fork server and execution work in turns, so
// on one processor they lose nothing and save the caches, the wake-ups and the page-table messages between processors
// (measured: a third more executions a second). Without one for each worker nobody is kept anywhere.
//
// The thread that made it sits there until it is destroyed. Programs still see all processors: the target is started
// with all of them and is kept on one only when it has become a fork server (runtime/interpose/processors.h).
#pragma once

#include <sched.h>

#include <cstdint>

namespace ravel {

class ProcessorSeat {
 public:
  // `index` of `jobs` workers, counted from 0. The first seats are at the last processors: interrupts tend to be on the
  // first.
  ProcessorSeat(unsigned index, unsigned jobs);
  ~ProcessorSeat();
  ProcessorSeat(const ProcessorSeat&) = delete;
  ProcessorSeat& operator=(const ProcessorSeat&) = delete;

  // For LaunchOptions::processor: 1 + its number, or 0.
  std::uint8_t launch_number() const { return number_; }

  // The processors this process was started with.
  static const cpu_set_t& all();

 private:
  std::uint8_t number_ = 0;
};

}  // namespace ravel
