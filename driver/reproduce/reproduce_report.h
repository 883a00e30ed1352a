// SPDX-License-Identifier: Apache-2.0
// What `ravel reproduce` says: the test, the crash beside the stack it shows, or why there is none. Pure functions.
#pragma once

#include <string>

#include "driver/reproduce/reproduction.h"

namespace ravel {

// The two stacks, place by place.
std::string text_of_stacks(const Reproduction& result);

// When it was reproduced: everything after the report of the finding. When not: what was tried, and what to add.
std::string text_of_reproduction(const Reproduction& result);

// --json
std::string json_of_reproduction(const Reproduction& result);

}  // namespace ravel
