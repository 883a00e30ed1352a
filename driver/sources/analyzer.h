// SPDX-License-Identifier: Apache-2.0
// find_analyzer(): where ravel-analyzer is, which reads sources with Clang's libraries (docs/formats/analyzer.md).
#pragma once

#include <string>

#include "base/status.h"

namespace ravel {

// The analyzer that belongs to this driver. An error if Ravel was built without Clang.
Result<std::string> find_analyzer();

}  // namespace ravel
