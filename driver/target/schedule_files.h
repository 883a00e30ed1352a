// SPDX-License-Identifier: Apache-2.0
// ScheduleFiles: where a command keeps the schedules it writes. Each command that saves one gets a directory of its own
// in the output directory, so that nothing of an earlier one is overwritten:
//
//   .ravel/run-2/1-deadlock.ravel      the schedule
//   .ravel/1-deadlock.ravel            a link to it: the newest schedule of that name, which reports and JSON name
//   .ravel/latest                      a link to run-2
//
// Who calls it: campaign workers, ExecutionPool. Thread safety: any thread.
#pragma once

#include <string>

#include "base/mutex.h"
#include "base/status.h"
#include "model/schedule.h"

namespace ravel {

class ScheduleFiles {
 public:
  // `out` is the output directory. Nothing is made yet.
  explicit ScheduleFiles(std::string out) : out_(std::move(out)) {}
  const std::string& out() const { return out_; }

  // Makes the output directory and checks that files can be made in it. Before the first execution: a finding that
  // cannot be saved after an hour of searching is of no use.
  Status make_ready();

  // Writes the schedule; one that this command wrote under the same name is replaced. Returns its path for reports: the
  // link, or the file itself where a file that is not ours has that name.
  Result<std::string> write(const Schedule& schedule, const std::string& name);

  // Removes what write() has written under that name.
  void remove(const std::string& name);

 private:
  Status make_directory_locked() RAVEL_REQUIRES(mutex_);

  std::string out_;
  Mutex mutex_;
  std::string directory_ RAVEL_GUARDED_BY(mutex_);  // "run-2"; empty: not made yet
};

}  // namespace ravel
