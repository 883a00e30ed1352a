// SPDX-License-Identifier: Apache-2.0
#include "strategies/registry.h"

#ifndef RAVEL_IN_TARGET
#include <vector>
#endif

#include "base/check.h"
#include "strategies/halves.h"
#include "strategies/steered.h"

namespace ravel {

Chooser& chooser_for(StrategyKind kind) {
  switch (kind) {
    case StrategyKind::sequential:
      return sequential_chooser();
    case StrategyKind::random:
      return random_chooser();
    case StrategyKind::pct:
      return pct_chooser();
    case StrategyKind::pos:
      return pos_chooser();
    case StrategyKind::surw:
      return surw_chooser();
    case StrategyKind::rff:
      return rff_chooser();
    case StrategyKind::dfs:
      return dfs_chooser();
    case StrategyKind::dpor:
      return dpor_chooser();
    case StrategyKind::follow:
      return follow_chooser();
  }
  check_failed(__FILE__, __LINE__, "kind", "a plan names a strategy that does not exist");
}

Chooser& chooser_for(const Plan& plan) {
  Chooser& chooser = chooser_for(plan.strategy);
  return plan.steers() ? steered_chooser(chooser) : chooser;
}

#ifndef RAVEL_IN_TARGET
std::span<const StrategyDescription> list_strategies() {
  // `follow` needs a record, so nobody can ask for it by name: strategies/follow.h.
  static const std::vector<StrategyDescription> strategies = [] {
    std::vector<StrategyDescription> list = {
        {"auto", "a portfolio of the searching strategies; more turns for those that show new behaviour"},
    };
#define RAVEL_STRATEGY(enumerator, name, sentence) \
  if (StrategyKind::enumerator != StrategyKind::follow) list.push_back({name, sentence});
#include "model/strategy.def"
#undef RAVEL_STRATEGY
    return list;
  }();
  return strategies;
}

std::unique_ptr<Planner> make_planner(std::string_view name, std::uint64_t seed) {
  if (name == "auto") return make_auto_planner(seed);
  if (name == strategy_name(StrategyKind::sequential)) return make_sequential_planner(seed);
  if (name == strategy_name(StrategyKind::random)) return make_random_planner(seed);
  if (name == strategy_name(StrategyKind::pct)) return make_pct_planner(seed);
  if (name == strategy_name(StrategyKind::pos)) return make_pos_planner(seed);
  if (name == strategy_name(StrategyKind::surw)) return make_surw_planner(seed);
  if (name == strategy_name(StrategyKind::rff)) return make_rff_planner(seed);
  if (name == strategy_name(StrategyKind::dfs)) return make_dfs_planner(seed);
  if (name == strategy_name(StrategyKind::dpor)) return make_dpor_planner(seed);
  return nullptr;
}
#endif

}  // namespace ravel
