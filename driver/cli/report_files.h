// SPDX-License-Identifier: Apache-2.0
// ReportFiles: the reports that a command was asked for (define_reports() of shared_options.h), and the one place that
// writes them. Thread safety: none needed; main's thread.
#pragma once

#include <functional>
#include <string>

#include "driver/cli/console.h"
#include "reports/command_result.h"

namespace ravel {

class ReportFiles {
 public:
  // Before the command changes the directory: the paths are those that the user typed.
  explicit ReportFiles(const OutputOptions& output);

  bool any() const;
  // Some report shows executions step by step.
  bool show_steps() const { return !output_.html.empty() || !output_.sarif.empty() || !output_.perfetto.empty(); }

  // `result` is asked for what most reports show, `json` for the summary, which each command has its own of; both only
  // when needed. False: a report could not be written; the error has been printed.
  bool write(Console& console, const std::function<CommandResult()>& result,
             const std::function<std::string()>& json) const;

 private:
  OutputOptions output_;  // with absolute paths
  std::string source_root_;
};

}  // namespace ravel
