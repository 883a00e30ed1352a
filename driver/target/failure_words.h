// SPDX-License-Identifier: Apache-2.0
// Tells from the wait status and the output of a run how it failed. In a parallel run the engine does not see an
// assertion fail, so the message is taken from what libc and the C++ library print. Pure functions.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "model/finding.h"
#include "trace/channel.h"

namespace ravel {

// Why a program was killed by SIGABRT, if its output says so. The sentence is the one that controlled executions report
// for the same failure.
struct AbortReason {
  FindingKind kind = FindingKind::abort;
  std::string message;

  friend bool operator==(const AbortReason&, const AbortReason&) = default;
};
AbortReason abort_reason(std::string_view output);

// The failure that a status of waitpid() shows; nullopt when it shows none.
std::optional<FindingRecord> failure_of_status(int wait_status, std::string_view output);

// The kinds of a program that does not end. A run that nobody controls cannot tell which of them it is.
constexpr bool is_stuck(FindingKind kind) {
  return kind == FindingKind::deadlock || kind == FindingKind::lost_wakeup || kind == FindingKind::livelock ||
         kind == FindingKind::timeout;
}

FindingRecord failure_record(FindingKind kind, std::string_view message);

// "the outputs differ in line 3: expected 'a', but it is 'b'". Call it only for outputs that differ.
std::string first_difference(std::string_view expected, std::string_view output);

}  // namespace ravel
