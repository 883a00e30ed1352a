// SPDX-License-Identifier: Apache-2.0
// The command "class" of ravel-analyzer: request and answer in JSON (docs/formats/analyzer.md). Called once per process
// by main.
#pragma once

#include <string>

namespace ravel {

bool is_class_request(const std::string& text);
// The complete answer; `ok`: it has no errors.
std::string answer_class(const std::string& text, bool& ok);

}  // namespace ravel
