// SPDX-License-Identifier: Apache-2.0
#include "driver/campaign/campaign.h"

#include <filesystem>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "driver/campaign/campaign_state.h"
#include "driver/campaign/worker.h"
#include "strategies/registry.h"

namespace ravel {
namespace {

// Created before the first execution: a finding that cannot be saved after an hour of searching is of no use.
Status make_directory(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!error && std::filesystem::is_directory(path)) return Status::ok();
  return Status::trouble(
      fmt::format("cannot make the directory {} for schedules: {}", path, error ? error.message() : "it is a file"),
      "choose another one: --out DIR");
}

}  // namespace

CampaignEnd Campaign::run() {
  if (Status status = make_directory(options_.out); !status.is_ok()) {
    CampaignEnd end;
    end.trouble = status;
    return end;
  }
  CampaignState state(options_, options_.planner ? options_.planner() : make_planner(options_.strategy, options_.seed),
                      observer_);
  Worker first(options_, state);
  // The first execution runs alone: it is verified, and shows how many identities the targets need. A program that
  // never creates a thread, or fails at once, is then started only once.
  first.run(1);
  std::vector<std::thread> threads;
  if (!state.stopped()) {
    for (unsigned i = 1; i < options_.jobs; ++i) {
      threads.emplace_back([this, &state] { Worker(options_, state).run(); });
    }
    first.run();
  }
  for (std::thread& thread : threads) thread.join();
  first.name_functions();
  return state.take_end();
}

}  // namespace ravel
