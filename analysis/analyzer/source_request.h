// SPDX-License-Identifier: Apache-2.0
// What the commands of ravel-analyzer about whole programs have in common: the sources of a request, and answers that
// refuse it (docs/formats/analyzer.md). Thread safety: no state.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "analysis/points/parsed_file.h"
#include "analysis/points/point.h"

namespace ravel {

// Is `text` a request for this command?
bool is_request_for(const std::string& text, const std::string& command);

// The sources that it names; nothing: it has none, or they are not complete. refused_request() says so.
std::optional<std::vector<ParseInput>> sources_of_request(const std::string& text);
std::string refused_request();

std::string refused(const std::vector<Problem>& problems);
std::string written(const nlohmann::json& answer);

}  // namespace ravel
