// SPDX-License-Identifier: Apache-2.0
// A plan as one line of text, e.g. `pct seed=42 depth=3 length=120 environment=1/1024`: used in the header of schedule
// files and wherever a report says where decisions came from. Driver-side only; pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/plan.h"

namespace ravel {

// Leaves out default values. Prefix and trace are not part of the text: they say how the execution was observed, not
// where its decisions came from.
std::string format_plan(const Plan& plan);

// nullopt unless format_plan of this version could have written the text.
std::optional<Plan> parse_plan(std::string_view text);

}  // namespace ravel
