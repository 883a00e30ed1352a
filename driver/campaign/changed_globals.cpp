// SPDX-License-Identifier: Apache-2.0
#include "driver/campaign/changed_globals.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ravel {
namespace {

constexpr std::size_t kMostNames = 5;

// What belongs to others, and what the compiler adds: guards of static variables, what it copied from libraries.
bool is_of_the_test(std::string_view name) {
  constexpr std::array<std::string_view, 7> kOthers = {
      "std::", "_", "ravel", "testing::", "Catch::", "doctest::", "guard"};
  return std::none_of(kOthers.begin(), kOthers.end(), [&](std::string_view other) { return name.starts_with(other); });
}

}  // namespace

std::string tell_changed_globals(const Channel& channel, SymbolSource& symbols) {
  std::vector<std::string> names;
  for (const std::uint64_t address : changed_globals_of(channel)) {
    const std::string& name = symbols.data(address).name;
    if (name.empty() || !is_of_the_test(name)) continue;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (names.empty()) return "";
  const std::size_t more = names.size() > kMostNames ? names.size() - kMostNames : 0;
  names.resize(names.size() - more);
  return fmt::format("the body changes global variables, which are put back before the next execution: {}{}",
                     fmt::join(names, ", "), more == 0 ? "" : fmt::format(" and {} more", more));
}

}  // namespace ravel
