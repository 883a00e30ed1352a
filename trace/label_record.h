// SPDX-License-Identifier: Apache-2.0
// LabelRecord: the name that the program gave to one of its objects (ravel::label), for reports. Plain data.
#pragma once

#include <cstdint>

namespace ravel {

struct LabelRecord {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  char name[48] = {};
};

}  // namespace ravel
