// SPDX-License-Identifier: Apache-2.0
// ask_about_program(): a question about all sources of a program to ravel-analyzer, and its answer or what it refuses.
// Who calls it: StaticFutures, StaticPairs. Thread safety: no state.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/status.h"
#include "driver/sources/compile_commands.h"

namespace ravel {

// `command`: as in docs/formats/analyzer.md. The answer is "ok".
Result<nlohmann::ordered_json> ask_about_program(const std::string& command, const std::vector<CompileCommand>& sources,
                                                 const std::string& analyzer);

}  // namespace ravel
