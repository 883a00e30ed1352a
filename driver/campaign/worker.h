// SPDX-License-Identifier: Apache-2.0
// Worker: performs the executions of a campaign on one target, which it starts, restarts and gives up as needed; looks
// at what each execution shows; confirms new findings by replay.
//
// Thread safety: each worker lives on one thread (see Target); shared state goes through CampaignState.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "driver/campaign/campaign_state.h"
#include "driver/campaign/execution_record.h"
#include "driver/campaign/module_map.h"
#include "driver/campaign/processor_seat.h"
#include "driver/campaign/shrinking.h"
#include "driver/campaign/target.h"
#include "reports/symboliser.h"

namespace ravel {

class Worker : private ExecutionSource {
 public:
  Worker(const CampaignOptions& options, CampaignState& state);

  // Performs jobs until there are none, at most `limit` of them.
  void run(std::uint64_t limit = ~std::uint64_t{0});

  // After the last job: the functions in what the campaign has covered.
  void name_functions();

 private:
  bool ensure_target();
  bool start_target();
  TargetSettings target_settings();
  void program_ended_without_tasks(bool replaced);
  void perform(const Job& job);
  ExecutionEnd perform(const PlannedExecution& planned, std::uint32_t sites_known, const WatchRequest& watch = {});
  std::uint32_t prepare_sites();
  void take_new_sites();
  void verify(const Job& job, const ExecutionRecord& first);
  void learn_lock_order(const Job& job);
  bool has_new_findings(const std::vector<FindingRecord>& findings);
  void consider_findings(const Job& job, const ExecutionRecord& record);
  Evidence complete(const FindingRecord& finding, const ExecutionRecord& record);
  bool suppressed(const ResolvedFinding& finding);
  std::optional<ShrunkFinding> shrink(const ExecutionRecord& record, const ResolvedFinding& finding);
  bool confirm_and_publish(const Job& job, const ExecutionRecord& record, const Evidence& evidence,
                           const ResolvedFinding& finding, const ShrunkFinding* shrunk);
  bool comes_again_without_tasks(const ResolvedFinding& finding);
  std::optional<ExecutionRecord> replay(const ExecutionRecord& record, const WatchRequest& watch);
  std::optional<ExecutionRecord> execute(const PlannedExecution& planned, std::uint32_t sites_known,
                                         const WatchRequest& watch) override;
  SymbolSource& symbols() override { return symboliser(); }
  void target_was_lost();
  void save_internal_error(const Job& job, const ExecutionRecord& record);
  Schedule schedule_of(const Job& job, const ExecutionRecord& record);
  void refresh_modules();
  Symboliser& symboliser();

  const CampaignOptions& options_;
  CampaignState& state_;
  ProcessorSeat seat_;
  std::unique_ptr<Target> target_;
  std::optional<ModuleMap> modules_;
  std::string module_bytes_;  // the module table behind modules_, symboliser_ and signatures_: they hold while it does
  std::optional<Symboliser> symboliser_;
  std::vector<std::uint64_t> sites_;  // the campaign's, in its order, as addresses in the current target
  std::size_t sites_written_ = 0;     // invariant: channel.request.site[0..sites_written_) equals the start of sites_
  std::size_t sites_seen_ = 0;        // of the campaign's, by this target
  std::unordered_map<std::uint64_t, std::string> signatures_;  // by record_key, for the current target
  unsigned losses_in_a_row_ = 0;
  bool arrived_before_ = false;
};

}  // namespace ravel
