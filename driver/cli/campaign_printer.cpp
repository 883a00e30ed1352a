// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/campaign_printer.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "reports/finding_groups.h"

namespace ravel {
namespace {

constexpr std::chrono::seconds kPatience{2};

}  // namespace

void CampaignPrinter::on_progress(const CampaignProgress& now) {
  if (!held_back_.empty() && Deadline::Clock::now() - since_ >= kPatience) print_the_rest();
  if (!console_.wants_progress()) return;
  const double rate = now.seconds > 0 ? static_cast<double>(now.executions) / now.seconds : 0;
  const std::string all = now.estimate > 0 ? fmt::format(" of about {:.3g}", now.estimate) : "";
  console_.progress(fmt::format("{}{}{}  {:.0f}/s  {}  {}", stage_, counted(now.executions, "execution"), all, rate,
                                counted(now.distinct_orders, "different order"), counted(now.findings, "finding")));
}

void CampaignPrinter::on_note(const std::string& sentence) {
  if (std::find(printed_notes_.begin(), printed_notes_.end(), sentence) != printed_notes_.end()) return;
  console_.inform(fmt::format("note: {}\n", sentence));
  printed_notes_.push_back(sentence);
}

void CampaignPrinter::on_finding(const ReportedFinding& finding) {
  if (weight_of(finding.finding.kind) == FindingWeight::failure) {
    print(finding);
  } else {
    held_back_.push_back(finding);
    since_ = Deadline::Clock::now();
  }
}

void CampaignPrinter::print_the_rest() {
  std::stable_sort(held_back_.begin(), held_back_.end(), [](const ReportedFinding& a, const ReportedFinding& b) {
    return weight_of(a.finding.kind) < weight_of(b.finding.kind);
  });
  for (const ReportedFinding& finding : held_back_) print(finding);
  held_back_.clear();
}

TextOptions CampaignPrinter::text_options() const {
  TextOptions options;
  options.color = console_.color();
  options.width = console_.width();
  return options;
}

CampaignResult CampaignPrinter::without_printed_notes(CampaignResult result) const {
  std::erase_if(result.notes, [&](const std::string& note) {
    return std::find(printed_notes_.begin(), printed_notes_.end(), note) != printed_notes_.end();
  });
  return result;
}

void CampaignPrinter::begin_part(const std::string& stage, const std::string& heading) {
  stage_ = stage;
  heading_ = heading;
  console_.phase(stage_);
}

void CampaignPrinter::inform(const std::string& text) {
  console_.inform(take_heading() + text);
  has_printed_ = true;
}

void CampaignPrinter::print(const ReportedFinding& finding) {
  console_.print(take_heading() + text_of_finding(finding, text_options()));
  has_printed_ = true;
}

// Once per part: what comes first has it.
std::string CampaignPrinter::take_heading() {
  std::string heading = std::exchange(heading_, {});
  return heading.empty() || !has_printed_ ? heading : "\n" + heading;
}

}  // namespace ravel
