// SPDX-License-Identifier: Apache-2.0
// synchronising_calls(): where the code of a program synchronises, read from its file without running it: calls of
// locks, conditions, semaphores, barriers, threads and atomic operations. Coverage can ask for the functions around
// them before any run has reached them.
//
// Who calls it: NoiseCampaign, once. Thread safety: no state. Direct calls of x86-64 only; calls through pointers are
// not seen, but a run that makes them shows them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ravel {

// Return addresses of such calls, as the file's link-time addresses; ascending. Empty when the file cannot be read.
std::vector<std::uint64_t> synchronising_calls(const std::string& path);

}  // namespace ravel
