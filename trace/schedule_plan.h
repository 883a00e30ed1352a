// SPDX-License-Identifier: Apache-2.0
// A plan as one line of text, e.g. `pct seed=42 depth=3 length=120 environment=1/1024`: in the header of schedule files
// and wherever a report tells where decisions came from. Driver-side only; pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/plan.h"

namespace ravel {

// Values that are at their default are left out. Prefix and trace are not part of the text: they say how the execution
// was watched, not where its decisions came from.
std::string format_plan(const Plan& plan);

// nullopt when the text is not one that some format_plan of this version writes.
std::optional<Plan> parse_plan(std::string_view text);

}  // namespace ravel
