// SPDX-License-Identifier: Apache-2.0
// CampaignPrinter: prints what a campaign finds while it runs, and the line of progress. A failure is printed at once;
// other findings are held back for a moment, since a failure often follows.
//
// Who calls it: `run`, `generate`. Thread safety: as CampaignObserver.
#pragma once

#include <string>
#include <vector>

#include "driver/campaign/campaign.h"
#include "driver/cli/console.h"
#include "reports/text_report.h"

namespace ravel {

class CampaignPrinter : public CampaignObserver {
 public:
  explicit CampaignPrinter(Console& console) : console_(console) {}

  void on_progress(const CampaignProgress& now) override;
  void on_note(const std::string& sentence) override;
  void on_finding(const ReportedFinding& finding) override;

  // What the campaign has found besides failures: it is printed after them, if they come soon.
  void print_the_rest();

  bool has_printed() const { return has_printed_; }
  TextOptions text_options() const;
  // The notes of a campaign without those that have been printed.
  CampaignResult without_printed_notes(CampaignResult result) const;

 protected:
  // What follows is about a part of the program: `stage` begins the line of progress, `heading` what comes first.
  void begin_part(const std::string& stage, const std::string& heading);
  void end_part() { heading_.clear(); }
  void inform(const std::string& text);

 private:
  void print(const ReportedFinding& finding);
  std::string take_heading();

  Console& console_;
  std::string stage_;
  std::string heading_;  // of a part, until something is printed about it
  bool has_printed_ = false;
  std::vector<std::string> printed_notes_;
  std::vector<ReportedFinding> held_back_;
  Deadline::Clock::time_point since_{};
};

}  // namespace ravel
