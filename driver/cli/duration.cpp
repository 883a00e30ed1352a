// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/duration.h"

#include <charconv>
#include <cstdint>
#include <utility>

namespace ravel {

std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text) {
  double amount = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, amount, std::chars_format::fixed);
  if (error != std::errc{} || rest == text.data()) return std::nullopt;
  const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  constexpr std::pair<std::string_view, double> kUnits[] = {{"", 1e9},   {"s", 1e9},    {"ms", 1e6},  {"us", 1e3},
                                                            {"m", 60e9}, {"min", 60e9}, {"h", 3600e9}};
  for (const auto& [name, nanoseconds] : kUnits) {
    if (unit != name) continue;
    const double total = amount * nanoseconds;
    constexpr double kYear = 366.0 * 24 * 3600e9;
    if (!(total >= 1.0) || total > kYear) return std::nullopt;
    return std::chrono::nanoseconds(static_cast<std::int64_t>(total));
  }
  return std::nullopt;
}

}  // namespace ravel
