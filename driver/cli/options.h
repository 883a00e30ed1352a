// SPDX-License-Identifier: Apache-2.0
// The options that several commands share, declared once: names, defaults, checks and help are the same everywhere.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "driver/campaign/campaign.h"

namespace CLI {
class App;
}

namespace ravel {

struct RunOptions {
  CampaignOptions campaign;  // program, executable, runtime and input are filled by the command
  std::optional<std::uint64_t> executions;
  std::string time;
  std::string timeout = "10s";
  std::string points = "shared";
  std::string carrier = "fiber";
  std::string memory_model = "c11";
  std::string quarantine = "1M";
  bool no_heap = false;
  bool no_races = false;
  bool uninitialised = false;
  std::string expect;
  std::string json;
  std::vector<std::string> suppressions;  // files, in the order given
  bool quiet = false;
  bool no_color = false;
};

// Everything `run` takes.
void add_run_options(CLI::App& command, RunOptions& options);

void add_detector_options(CLI::App& command, RunOptions& options);
void set_detector_options(const RunOptions& options, LaunchOptions& launch);

void add_duration_option(CLI::App& command, const std::string& name, std::string& value, const std::string& help);
void add_timeout_option(CLI::App& command, std::string& timeout);
void add_carrier_option(CLI::App& command, std::string& carrier);

// Texts that were checked while parsing, as values.
std::chrono::nanoseconds duration_value(const std::string& text);
CarrierKind carrier_value(const std::string& text);
PointLevel points_value(const std::string& text);
MemoryModel memory_model_value(const std::string& text);

}  // namespace ravel
