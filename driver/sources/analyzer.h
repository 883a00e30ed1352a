// SPDX-License-Identifier: Apache-2.0
// The way to ravel-analyzer, which reads sources with Clang's libraries (docs/formats/analyzer.md).
#pragma once

#include <string>

#include "base/status.h"

namespace ravel {

// The analyzer that belongs to this driver. Trouble where Ravel was built without Clang.
Result<std::string> find_analyzer();

}  // namespace ravel
