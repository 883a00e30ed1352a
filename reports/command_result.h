// SPDX-License-Identifier: Apache-2.0
// CommandResult: what every command that looks for findings leaves for the reports that do not depend on the command:
// the page (--html), SARIF, JUnit, the trace. The commands fill it from their own results. Thread safety: plain data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/campaign_result.h"
#include "reports/source_files.h"

namespace ravel {

struct TestFailure {
  std::string type;  // "data-race"
  std::string message;
  std::string text;  // the whole report
};

// A case of the JUnit report.
struct TestedCase {
  std::string name;
  std::optional<double> seconds = {};
  std::optional<TestFailure> failure = {};  // none: it passed
  std::string skipped = {};                 // why there is no verdict; empty: there is one
};

struct CommandResult {
  std::string command;
  std::vector<std::string> program;  // command line
  std::string verdict;               // a sentence: what was run, and how it ended
  double seconds = 0;
  std::vector<std::string> notes;
  std::vector<ReportedFinding> findings;
  std::vector<TestedCase> cases;  // if the command has some of its own; otherwise each finding is one
  SourceExcerpts sources;         // around the places that the findings name; may be empty
  std::string source_root;        // the directory that paths in SARIF are relative to; empty: none
};

// A campaign as one: without cases.
CommandResult command_result(const CampaignResult& campaign);

}  // namespace ravel
