// SPDX-License-Identifier: Apache-2.0
// DetectorReport: what a detector reported in one run, in the same form for all detectors; and what it means for a race
// test. Pure functions. Who calls it: running race tests.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/race_tests/woven_tests.h"
#include "model/finding.h"
#include "reports/symboliser.h"

namespace ravel {

struct DetectorReport {
  std::optional<FindingKind> kind;         // nullopt: nothing that Ravel has a name for
  std::string sentence;                    // what it said, without places
  std::vector<std::vector<Frame>> stacks;  // of the accesses, innermost frame first
  bool half = false;                       // only one of the two accesses has a stack: DRD knows no more
  bool waits = false;                      // a wait of the race test that was never notified
};

enum class Meaning : std::uint8_t {
  expected,    // what the test is about
  impossible,  // the order that the test forces is impossible
  other,
};

// A race is the expected one when a frame of one access is in the lines of the first place and a frame of the other
// access in those of the second, either way round.
Meaning meaning_of(const DetectorReport& report, const WovenTest& test);

// "data-race: T1 writes and T2 reads 4 bytes of size_, at list.cpp:6 (List::add(int)) and list.h:6 (...)"
std::string sentence_of(const DetectorReport& report);

}  // namespace ravel
