// SPDX-License-Identifier: Apache-2.0
#include "strategies/registry.h"

#include "base/check.h"
#include "strategies/halves.h"
#include "strategies/steered.h"

namespace ravel {

Chooser& chooser_for(StrategyKind kind) {
  switch (kind) {
#define RAVEL_STRATEGY(enumerator, ...) \
  case StrategyKind::enumerator:        \
    return enumerator##_chooser();
#include "model/strategy.def"
#undef RAVEL_STRATEGY
  }
  check_failed(__FILE__, __LINE__, "kind", "a plan names a strategy that does not exist");
}

Chooser& chooser_for(const Plan& plan) {
  Chooser& chooser = chooser_for(plan.strategy);
  return plan.steers() ? steered_chooser(chooser) : chooser;
}

#ifndef RAVEL_IN_TARGET
std::span<const StrategyDescription> list_strategies() {
  static constexpr StrategyDescription kList[] = {
      {"auto", "a portfolio of the searching strategies; more turns for those that show new behaviour"},
#define RAVEL_STRATEGY(enumerator, name, sentence, ...) {name, sentence},
#define RAVEL_RECORD_STRATEGY(...)
#include "model/strategy.def"
#undef RAVEL_STRATEGY
  };
  return kList;
}

std::unique_ptr<Planner> make_planner(std::string_view name, std::uint64_t seed) {
  if (name == "auto") return make_auto_planner(seed);
#define RAVEL_STRATEGY(enumerator, text, ...) \
  if (name == text) return make_##enumerator##_planner(seed);
#define RAVEL_RECORD_STRATEGY(...)
#include "model/strategy.def"
#undef RAVEL_STRATEGY
  return nullptr;
}
#endif

}  // namespace ravel
