// SPDX-License-Identifier: Apache-2.0
// What a run that ended shows, from its end and from what it wrote: in a really parallel run nobody stands beside an
// assertion, so the words are those that libc and the C++ library print. Pure functions.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "model/finding.h"
#include "trace/channel.h"

namespace ravel {

// Why a program that died of SIGABRT did so, when its output tells. The sentence is the one that controlled executions
// have for the same failure.
struct AbortReason {
  FindingKind kind = FindingKind::abort;
  std::string message;

  friend bool operator==(const AbortReason&, const AbortReason&) = default;
};
AbortReason abort_reason(std::string_view output);

// The failure that a status of waitpid() tells of; nullopt when there is none.
std::optional<FindingRecord> failure_of_status(int wait_status, std::string_view output);

FindingRecord failure_record(FindingKind kind, std::string_view message);

// "the outputs differ in line 3: expected 'a', but it is 'b'". For outputs that are not equal.
std::string first_difference(std::string_view expected, std::string_view output);

}  // namespace ravel
