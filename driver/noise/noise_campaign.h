// SPDX-License-Identifier: Apache-2.0
// NoiseCampaign: many parallel runs of one program, each in a new process and disturbed differently. It counts how many
// fail, keeps one of each kind of failure with its record, and learns from each run where noise is worth more.
//
// Who calls it: driver/cli. Thread safety: run() is called once; it starts its threads and joins them. The observer is
// called under the campaign's lock: one call at a time.
//
// Invariants:
//  1. A run never takes longer than the timeout (which is extended on a busy machine, see Target); a run that must be
//     ended leaves no process.
//  2. Every run is counted once, in its arm, and is a failure at most once: by the first thing that was wrong.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/noise/noise_planner.h"
#include "driver/noise/noise_result.h"
#include "driver/target/schedule_files.h"
#include "driver/target/target.h"

namespace ravel {

struct NoiseOptions {
  TargetSettings target;
  std::uint64_t runs = 1000;                     // with noise; with `control` as many without
  std::optional<std::chrono::nanoseconds> time;  // until the target's deadline, if it has one: the runs get most of it
  std::uint64_t seed = 1;
  unsigned jobs = 1;
  NoiseRequest noise = NoiseRequest::all();
  std::chrono::nanoseconds longest = std::chrono::milliseconds(2);
  bool record = true;
  bool control = false;
  bool races = false;  // look for data races and misuse of the heap, near the records of some runs
  bool stop_on_failure = false;
  std::optional<double> until_coverage;  // share of model 1's tasks
  std::string coverage_file;             // empty: coverage is not kept
  std::optional<std::string> expected_output;
  std::string expected_name;  // the file it is from
  bool same_output = false;
  std::string oracle;
  std::shared_ptr<ScheduleFiles> files = std::make_shared<ScheduleFiles>(".ravel");
};

struct NoiseProgress {
  std::uint64_t runs = 0;
  std::uint64_t budget = 0;  // 0: no limit
  std::uint64_t failures = 0;
  double coverage = 0;
  double seconds = 0;
};

class NoiseObserver {
 public:
  virtual ~NoiseObserver() = default;
  // After every run: must be cheap.
  virtual void on_progress(const NoiseProgress& progress) = 0;
  // The record of this failure is being followed under control.
  virtual void on_reproduction(const NoiseFailure& failure) = 0;
};

struct NoiseEnd {
  NoiseResult result;
  Status trouble = Status::ok();  // the runs could not continue
};

class NoiseCampaign {
 public:
  NoiseCampaign(NoiseOptions options, NoiseObserver& observer) : options_(std::move(options)), observer_(observer) {}
  NoiseEnd run();

 private:
  NoiseOptions options_;
  NoiseObserver& observer_;
};

}  // namespace ravel
