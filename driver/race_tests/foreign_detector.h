// SPDX-License-Identifier: Apache-2.0
// ForeignDetector: ThreadSanitizer, Helgrind or DRD on one program. It knows what they need, runs the program once
// under one of them and returns what was reported and how the program ended.
//
// Who calls it: running race tests. Thread safety: one thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "driver/process/temporary_directory.h"
#include "driver/race_tests/detector_report.h"
#include "driver/race_tests/test_run.h"

namespace ravel {

class ForeignDetector {
 public:
  // An error when the detector is not installed, or the program is not built for it.
  static Result<ForeignDetector> prepare(const TestRunOptions& options);

  // The reports of one run of the test; a run that failed otherwise has one more, which says how.
  Result<std::vector<DetectorReport>> run(const WovenTest& test) const;

 private:
  ForeignDetector(const TestRunOptions& options, TemporaryDirectory directory)
      : options_(options), directory_(std::move(directory)) {}
  std::string take_log() const;

  const TestRunOptions& options_;
  TemporaryDirectory directory_;  // for logs
};

}  // namespace ravel
