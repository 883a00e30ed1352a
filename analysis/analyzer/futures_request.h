// SPDX-License-Identifier: Apache-2.0
// The command "futures" of ravel-analyzer: its request and its answer in JSON (docs/formats/analyzer.md). Called once
// per process by main.
#pragma once

#include <string>

namespace ravel {

// Does the request ask for it?
bool is_futures_request(const std::string& text);
// The whole answer; `ok`: it has no errors.
std::string answer_futures(const std::string& text, bool& ok);

}  // namespace ravel
