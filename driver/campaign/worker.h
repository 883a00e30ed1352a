// SPDX-License-Identifier: Apache-2.0
// Worker: performs the executions of a campaign, passes what they show to CampaignState, and takes new findings through
// Inquiry until they are published.
//
// Thread safety: each worker lives on one thread (see RunningProgram); what workers share goes through CampaignState.
#pragma once

#include <cstdint>
#include <vector>

#include "driver/campaign/campaign_state.h"
#include "driver/findings/inquiry.h"
#include "driver/target/processor_seat.h"
#include "driver/target/running_program.h"

namespace ravel {

class Worker {
 public:
  Worker(const CampaignOptions& options, CampaignState& state);

  // Performs jobs until there are none left, at most `limit` of them.
  void run(std::uint64_t limit = ~std::uint64_t{0});

  // After the last job: names the functions that the campaign has covered.
  void name_functions();

 private:
  bool make_ready();
  void program_ended_without_tasks(bool replaced);
  void perform(const Job& job);
  void verify(const Job& job, const ExecutionRecord& first);
  void learn_lock_order(const Job& job);
  bool has_new_findings(const std::vector<FindingRecord>& findings);
  void consider_findings(const Job& job, const ExecutionRecord& record);
  bool suppressed(const ResolvedFinding& finding);
  void publish(const Job& job, const ConcludedFinding& concluded);
  void target_was_lost();
  void save_internal_error(const Job& job, const ExecutionRecord& record);
  Schedule schedule_of(const Job& job, const ExecutionRecord& record);

  const CampaignOptions& options_;
  CampaignState& state_;
  ProcessorSeat seat_;
  RunningProgram program_;
  Inquiry inquiry_;
  unsigned losses_in_a_row_ = 0;
  bool arrived_before_ = false;
};

}  // namespace ravel
