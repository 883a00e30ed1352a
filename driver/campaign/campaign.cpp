// SPDX-License-Identifier: Apache-2.0
#include "driver/campaign/campaign.h"

#include <memory>
#include <thread>

#include "driver/campaign/campaign_state.h"
#include "driver/campaign/worker.h"
#include "strategies/registry.h"

namespace ravel {
CampaignEnd Campaign::run() {
  if (options_.files == nullptr) options_.files = std::make_shared<ScheduleFiles>(options_.out);
  if (Status status = options_.files->make_ready(); !status.is_ok()) {
    CampaignEnd end;
    end.trouble = status;
    return end;
  }
  CampaignState state(options_, options_.planner ? options_.planner() : make_planner(options_.strategy, options_.seed),
                      observer_);
  Worker first(options_, state, Worker::Role::first);
  // The first execution runs alone: it is verified, and shows how many identities the targets need. A program that
  // never creates a thread, or fails at once, is then started only once.
  first.run(1);
  std::vector<std::thread> threads;
  if (!state.stopped()) {
    for (unsigned i = 1; i < options_.jobs && !first.must_be_alone(); ++i) {
      threads.emplace_back([this, &state] { Worker(options_, state, Worker::Role::helper).run(); });
    }
    first.run();
  }
  for (std::thread& thread : threads) thread.join();
  first.name_functions();
  return state.take_end();
}

}  // namespace ravel
