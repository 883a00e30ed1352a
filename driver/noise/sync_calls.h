// SPDX-License-Identifier: Apache-2.0
// Where the code of a program synchronises, read from its file without running it: the calls of locks, conditions,
// semaphores, barriers, threads and atomic operations. The functions around them are what coverage can ask for before
// any run has come to them.
//
// Who calls it: NoiseCampaign, once. Thread safety: no state. Direct calls of x86-64 only; calls through pointers are
// not seen, and a run that makes them tells of them soon enough.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ravel {

// Return addresses of such calls, as the file counts addresses; ascending. Empty when the file cannot be read.
std::vector<std::uint64_t> synchronising_calls(const std::string& path);

}  // namespace ravel
