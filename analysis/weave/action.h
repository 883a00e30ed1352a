// SPDX-License-Identifier: Apache-2.0
// Action: one line of a race test: at this point, in this test, wait for or notify an event. Plain values.
#pragma once

#include <string>

#include "analysis/points/point.h"

namespace ravel {

struct Action {
  std::string test;
  PointName point;
  bool after = false;
  bool is_wait = true;
  std::string event;
  std::string condition;  // C++ in the scope of the point; empty: always
  unsigned arrival = 0;   // 0: every
  unsigned task = 0;      // 0: any
  std::string origin;     // "race.txt:4"
};

}  // namespace ravel
