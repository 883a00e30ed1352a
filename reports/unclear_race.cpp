// SPDX-License-Identifier: Apache-2.0
#include "reports/unclear_race.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/runtime_library.h"

namespace ravel {

std::string unseen_order_name(const UnseenOrderRecord& unseen, SymbolSource& symbols) {
  switch (unseen.kind) {
    case UnseenOrder::none:
      return {};
    case UnseenOrder::library:
      return std::string(file_name(symbols.module_path(unseen.code + 1)));
    case UnseenOrder::assembly:
      return fmt::format("assembly in {}", symbols.code(unseen.code, AddressKind::exact).front().function);
    case UnseenOrder::write:
      return "code that is not instrumented";
  }
  return {};
}

std::vector<UnclearRaces> by_unseen_code(const std::vector<UnclearRace>& races) {
  std::vector<UnclearRaces> groups;
  for (const UnclearRace& race : races) {
    const std::string& name = race.finding.may_be_ordered_by;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& one) { return one.ordered_by == name; });
    if (group == groups.end()) group = groups.insert(groups.end(), UnclearRaces{name, {}});
    group->races.push_back(&race);
  }
  return groups;
}

std::string unclear_race_advice(const UnclearRaces& races) {
  const bool library = races.ordered_by.find(".so") != std::string::npos;
  std::string advice = "To know, ";
  if (library && !is_runtime_library(races.ordered_by)) {
    advice += fmt::format("build {} with ravel c++, or ", races.ordered_by);
  } else if (!library) {
    advice += "use the atomics of C++ there, or ";
  }
  advice += "say in the program what is ordered (ravel/annotations.h).";
  if (library) advice += fmt::format(" To hide them: --suppressions FILE with called_from_lib:{}", races.ordered_by);
  return advice;
}

}  // namespace ravel
