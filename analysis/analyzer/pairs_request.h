// SPDX-License-Identifier: Apache-2.0
// The command "pairs" of ravel-analyzer: request and answer in JSON (docs/formats/analyzer.md). Called once per process
// by main.
#pragma once

#include <string>

namespace ravel {

// Is `text` a request for it?
bool is_pairs_request(const std::string& text);
// The complete answer; `ok`: it has no errors.
std::string answer_pairs(const std::string& text, bool& ok);

}  // namespace ravel
