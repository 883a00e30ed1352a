// SPDX-License-Identifier: Apache-2.0
// What `ravel generate` prints and writes besides its findings: the table of pairs, and the summary as JSON
// (docs/formats/generate.md). Thread safety: no state.
#pragma once

#include <string>

#include "driver/generate/generation.h"
#include "reports/command_result.h"

namespace ravel {

std::string table_of_pairs(const Generation& generation);
std::string json_of_generation(const Generation& generation);
CommandResult result_of_generation(const Generation& generation);

}  // namespace ravel
