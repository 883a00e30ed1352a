// SPDX-License-Identifier: Apache-2.0
// The vocabulary of scripts that test the scheduler alone: what waits are made of, without any primitive.
//
//   await k [5ms]    waits until somebody has opened k; = timeout when the time comes first
//   open k, close k
//   take k, give k   k has a holder, for whom others wait
//   lose k           a notification of k finds nobody: SchedulerHooks::notify_was_lost
//   read x, write x 1, spin x      an atomic load, an atomic store, loads until one sees something else than 0
//   set_both x y     two atomic stores in a section
//   pick x 3         an atomic load that could see three stores; = the one it gets
//   decide 3         an environment choice among three
//   look 1           sees memory of others, without a point
//   point, yield, sleep 5ms, nap 5ms (a brief sleep), pass 5ms, skip 5ms, clock
//   cancel A         A leaves its wait; = cancelled
//   report KIND TEXT, stop
#pragma once

#include "script.h"

namespace ravel::test {

const Vocabulary& scheduler_vocabulary();

inline Script play(std::string_view text, std::vector<DecisionRun> prefix = {},
                   std::source_location where = std::source_location::current()) {
  return Script(scheduler_vocabulary(), text, std::move(prefix), where);
}

}  // namespace ravel::test
