// SPDX-License-Identifier: Apache-2.0
#include "driver/noise/reproduction.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include <fmt/format.h>

#include "driver/campaign/campaign.h"
#include "driver/replay/replay.h"
#include "driver/target/failure_words.h"
#include "trace/schedule_reader.h"

namespace ravel {
namespace {

constexpr std::uint64_t kExecutions = 300;  // for one record
constexpr std::uint64_t kSearched = 2000;
constexpr std::chrono::seconds kLongest{20};
constexpr std::uint64_t kReplays = 10;
constexpr std::uint64_t kDetecting = 50;  // executions with the detectors on, for one record

class Silent final : public CampaignObserver {
 public:
  void on_progress(const CampaignProgress&) override {}
  void on_finding(const ReportedFinding&) override {}
};

CampaignOptions campaign_options(const NoiseOptions& options) {
  CampaignOptions campaign;
  campaign.target = options.target;
  campaign.target.deadline = options.target.deadline.within(kLongest);
  campaign.seed = options.seed;
  campaign.files = options.files;
  return campaign;
}

CampaignOptions campaign_options(const NoiseOptions& options, const NoiseFailure& failure) {
  CampaignOptions campaign = campaign_options(options);
  campaign.ids_after = failure.seen.id - 1;
  const FindingKind kind = failure.seen.finding.kind;
  // Races are not what failed. But no controlled execution shows a wrong output; then races are what can be found.
  campaign.target.launch.races = kind == FindingKind::wrong_output ? 1 : 0;
  const bool has_other_names = is_the_same_failure(kind, FindingKind::use_after_free) ||
                               is_the_same_failure(kind, FindingKind::deadlock) || kind == FindingKind::wrong_output;
  if (!has_other_names) campaign.expect = kind;
  return campaign;
}

// Executions near the record.
CampaignOptions following(CampaignOptions campaign, const Recording& recording) {
  campaign.strategy = strategy_name(StrategyKind::follow);
  campaign.planner = [&recording, seed = campaign.seed] { return make_follow_planner(recording, seed); };
  campaign.first_sites = recorded_access_sites(recording);
  campaign.executions = kExecutions;
  return campaign;
}

// If that has not helped: the program is known to fail, so it is worth a search.
CampaignOptions searching(const NoiseOptions& options, const NoiseFailure& failure) {
  CampaignOptions campaign = campaign_options(options, failure);
  campaign.executions = kSearched;
  return campaign;
}

// How often the schedule shows its finding when it is run again.
std::uint64_t count_replays(const NoiseOptions& options, const std::string& path) {
  auto schedule = read_schedule(path);
  if (!schedule.is_ok()) return 0;
  TargetSettings settings = options.target;
  settings.launch = schedule.value().launch;
  Replay again(std::move(schedule.value()), settings, path);
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < kReplays; ++i) {
    const auto run = again.run(false);
    if (options.target.deadline.has_come()) break;
    if (run.is_ok() && run.value().finding) ++count;
  }
  return count;
}

std::string sentence_of(const CampaignEnd& end, std::size_t recordings) {
  if (!end.internal_error.empty())
    return fmt::format("a controlled execution failed inside Ravel: {}", end.internal_error);
  if (!end.trouble.is_ok()) return fmt::format("the record could not be followed: {}", end.trouble.what());
  return recordings == 1 ? "it did not come back when its record was followed under control"
                         : "it did not come back when the records of its runs were followed under control";
}

}  // namespace

bool is_the_same_failure(FindingKind in_parallel, FindingKind under_control) {
  const auto crashes = [](FindingKind kind) {
    return kind == FindingKind::signal || kind == FindingKind::abort || kind == FindingKind::use_after_free ||
           kind == FindingKind::double_free || kind == FindingKind::bad_free;
  };
  return in_parallel == under_control || (is_stuck(in_parallel) && is_stuck(under_control)) ||
         (crashes(in_parallel) && crashes(under_control));
}

ReproductionResult reproduce(const NoiseOptions& options, const NoiseFailure& failure,
                             const std::vector<Recording>& recordings) {
  ReproductionResult result;
  const FindingKind kind = failure.seen.finding.kind;
  const Deadline& deadline = options.target.deadline;
  Silent observer;
  // True: there is nothing more to try.
  const auto attempt = [&](const CampaignOptions& campaign) {
    CampaignEnd end = Campaign(campaign, observer).run();
    result.executions += end.result.executions;
    for (ReportedFinding& finding : end.result.findings) {
      // Of two that match, the first is as good as the other; the same kind is better.
      const bool fits = is_the_same_failure(kind, finding.finding.kind);
      const bool better = result.finding && result.finding->finding.kind != kind && finding.finding.kind == kind;
      if (fits && (!result.finding || better)) {
        if (result.finding) result.others.push_back(std::move(*result.finding));
        result.finding = std::move(finding);
      } else {
        result.others.push_back(std::move(finding));
      }
    }
    result.came_back = result.finding.has_value();
    if (!result.came_back) result.reason = sentence_of(end, recordings.size());
    // What was found instead would be found again.
    return result.came_back || !end.trouble.is_ok() || !end.internal_error.empty() || !result.others.empty() ||
           deadline.has_come();
  };
  bool done = deadline.has_come();
  for (const Recording& recording : recordings) {
    done = done || attempt(following(campaign_options(options, failure), recording));
  }
  if (!done) {
    attempt(searching(options, failure));
    result.searched = result.came_back;
  }
  if (!result.came_back && deadline.has_come()) {
    result.reason = fmt::format("it was not looked for any longer: {}", deadline.reason());
    return result;
  }
  if (result.came_back) {
    result.reason.clear();
    const bool doubtful = result.finding->best_effort || !result.finding->replayed;
    if (doubtful && !result.finding->schedule_path.empty()) {
      result.tries = kReplays;
      result.again = count_replays(options, result.finding->schedule_path);
    }
  } else if (kind == FindingKind::wrong_output) {
    result.reason = "a controlled execution does not know which output is right";
  }
  return result;
}

DetectorResult detect_races(const NoiseOptions& options, const std::vector<Recording>& recordings,
                            std::uint32_t first_id) {
  DetectorResult result;
  Silent observer;
  for (const Recording& recording : recordings) {
    if (options.target.deadline.has_come()) break;
    CampaignOptions campaign = following(campaign_options(options), recording);
    campaign.executions = kDetecting;
    campaign.keep_going = true;
    campaign.ids_after = first_id - 1 + static_cast<std::uint32_t>(result.findings.size());
    CampaignEnd end = Campaign(campaign, observer).run();
    result.executions += end.result.executions;
    if (result.trouble.empty() && (!end.trouble.is_ok() || !end.internal_error.empty())) {
      result.trouble = end.internal_error.empty() ? end.trouble.what() : end.internal_error;
    }
    for (ReportedFinding& finding : end.result.findings) {
      const bool known = std::any_of(result.findings.begin(), result.findings.end(), [&](const ReportedFinding& one) {
        return one.finding.signature == finding.finding.signature;
      });
      if (known) {
        options.files->remove(std::filesystem::path(finding.schedule_path).filename().string());
      } else {
        result.findings.push_back(std::move(finding));
      }
    }
  }
  return result;
}

}  // namespace ravel
