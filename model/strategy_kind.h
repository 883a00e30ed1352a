// SPDX-License-Identifier: Apache-2.0
// StrategyKind: the closed list of strategies that a plan can name, and the parameters of each. Generated from
// model/strategy.def.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ravel {

enum class StrategyKind : std::uint8_t {
#define RAVEL_STRATEGY(enumerator, name, sentence, ...) enumerator,
#include "model/strategy.def"
#undef RAVEL_STRATEGY
};

inline constexpr unsigned kStrategyKinds = 0
#define RAVEL_STRATEGY(enumerator, name, sentence, ...) +1
#include "model/strategy.def"
#undef RAVEL_STRATEGY
    ;

// How a parameter of a strategy is written in schedule files.
enum class ParameterForm : std::uint8_t {
  number,
  power,  // n is a probability of 1/2^n: `1/8`, or `never` from 64 on
};

struct StrategyParameter {
  const char* name = nullptr;
  ParameterForm form = ParameterForm::number;
  std::uint64_t usual = 0;
};

inline constexpr std::size_t kMaxStrategyParameters = 4;

struct StrategyRow {
  const char* name;
  const char* sentence;
  StrategyParameter parameter[kMaxStrategyParameters];  // used entries have a name
};
inline constexpr StrategyRow kStrategies[] = {
#define RAVEL_STRATEGY(enumerator, name, sentence, ...) {name, sentence, {__VA_ARGS__}},
#include "model/strategy.def"
#undef RAVEL_STRATEGY
};

constexpr const char* strategy_name(StrategyKind kind) { return kStrategies[static_cast<unsigned>(kind)].name; }

constexpr std::span<const StrategyParameter> strategy_parameters(StrategyKind kind) {
  const std::span all(kStrategies[static_cast<unsigned>(kind)].parameter);
  std::size_t count = 0;
  while (count < all.size() && all[count].name != nullptr) ++count;
  return all.first(count);
}

}  // namespace ravel
