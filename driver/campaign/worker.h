// SPDX-License-Identifier: Apache-2.0
// Worker: performs the executions of a campaign, passes what they show to CampaignState, and takes new findings through
// Inquiry until they are published.
//
// Thread safety: each worker lives on one thread (see RunningProgram); what workers share goes through CampaignState.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "driver/campaign/campaign_state.h"
#include "driver/findings/inquiry.h"
#include "driver/target/processor_seat.h"
#include "driver/target/running_program.h"

namespace ravel {

class Worker {
 public:
  enum class Role : std::uint8_t { first, helper };
  Worker(const CampaignOptions& options, CampaignState& state, Role role);

  // Performs jobs until there are none left, at most `limit` of them. A helper stops as soon as executions must run one
  // at a time.
  void run(std::uint64_t limit = ~std::uint64_t{0});

  // Executions share what they change (files on the disk itself, a port), so that they must run one at a time.
  bool must_be_alone() const { return changes_disk_ || binds_address_; }

  // After the last job: names the functions that the campaign has covered.
  void name_functions();

 private:
  bool make_ready(const Job& job);
  void program_ended_without_tasks(const Job& job, bool replaced);
  void perform(const Job& job);
  void look_at_files();
  void look_at_addresses();
  void verify(const Job& job, const ExecutionRecord& first);
  void learn_lock_order(const Job& job);
  bool has_new_findings(const std::vector<FindingRecord>& findings);
  // A finding on disk: its number and its file. It is written when the finding is seen and again when more is known.
  struct Saved {
    std::uint32_t id = 0;
    std::string name;  // of its file
    std::string path;  // for reports; empty: it has no schedule
  };
  void consider_findings(const Job& job, const ExecutionRecord& record);
  bool has_new_unclear_races();
  void consider_unclear_races(const Job& job, const ExecutionRecord& record);
  bool suppressed(const ResolvedFinding& finding);
  Saved save(const Job& job, const ExecutionRecord& record, const ResolvedFinding& finding);
  void write(Saved& saved, const Job& job, const ExecutionRecord& record, const ResolvedFinding& finding);
  void discard(const Saved& saved);
  void publish(const Job& job, const ConcludedFinding& concluded, Saved saved);
  void target_was_lost();
  void save_internal_error(const Job& job, const ExecutionRecord& record);
  Schedule schedule_of(const Job& job, const ExecutionRecord& record);

  const CampaignOptions& options_;
  Role role_;
  CampaignState& state_;
  ProcessorSeat seat_;
  RunningProgram program_;
  Inquiry inquiry_;
  std::unordered_set<std::uint64_t> unclear_seen_;  // by record_key
  unsigned losses_in_a_row_ = 0;
  bool arrived_before_ = false;
  bool changes_disk_ = false;
  bool binds_address_ = false;
};

}  // namespace ravel
