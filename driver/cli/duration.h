// SPDX-License-Identifier: Apache-2.0
// Durations in the notation of the command line: 500ms, 60s, 5m, 2h, 1.5s; a bare number is seconds. Pure functions.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace ravel {

// nullopt when the text is not a duration, is not above zero, or is longer than a year.
std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text);

}  // namespace ravel
