// SPDX-License-Identifier: Apache-2.0
// RunEvents: what the driver learns from the record of one parallel run for later runs: which code had concurrent
// events, alone or among other threads; what interrupted what; which locks are taken in a cycle.
//
// Who calls it: NoiseCampaign, after each run. Thread safety: a pure function of memory that nobody writes any more; a
// target may have died anywhere, so incomplete entries are left out.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "trace/free_run.h"

namespace ravel {

using NoisePlaces = std::array<std::uint64_t, kNoisePlaces>;

struct RunEvents {
  std::uint64_t events = 0;               // of all threads
  NoisePlaces placed{};                   // of them, by NoisePlace
  std::uint32_t threads = 0;              // that existed
  std::vector<std::uint64_t> concurrent;  // code with events while several threads existed; ascending
  std::vector<std::uint64_t> alone;       // code with events while there was one thread; ascending
  std::vector<Interruption> interruptions;
  std::vector<std::uint64_t> revisits;     // code that comes back to what another thread touches; ascending
  std::vector<std::uint64_t> cycle_locks;  // code that takes a lock of a cycle; ascending
};

// `with_revisits`: this is the expensive part, and a few runs are enough.
RunEvents read_run_events(const FreeRun& run, bool with_revisits = true);

}  // namespace ravel
