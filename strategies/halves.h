// SPDX-License-Identifier: Apache-2.0
// The halves of each strategy of model/strategy.def: NAME_chooser() and make_NAME_planner(), defined in its file.
// Included by those files, by registry.cpp, which lists them, and by auto.cpp, which combines them.
#pragma once

#include <ravel/strategy.h>

#ifndef RAVEL_IN_TARGET
#include <cstdint>
#include <memory>
#endif

namespace ravel {

#define RAVEL_STRATEGY(enumerator, ...) Chooser& enumerator##_chooser();
#include "model/strategy.def"
#undef RAVEL_STRATEGY

#ifndef RAVEL_IN_TARGET
// A planner that follows a record is made from the record: strategies/follow.h.
#define RAVEL_STRATEGY(enumerator, ...) std::unique_ptr<Planner> make_##enumerator##_planner(std::uint64_t seed);
#define RAVEL_RECORD_STRATEGY(...)
#include "model/strategy.def"
#undef RAVEL_STRATEGY

std::unique_ptr<Planner> make_auto_planner(std::uint64_t seed);
#endif

}  // namespace ravel
