// SPDX-License-Identifier: Apache-2.0
#include "driver/generate/generate_report.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/json_report.h"
#include "reports/text_report.h"

namespace ravel {
namespace {

using Json = nlohmann::ordered_json;

// "every order", "200 orders tried".
std::string words_of(const PairOutcome& outcome) {
  if (outcome.contexts == 0) return outcome.findings.empty() ? "not explored" : "found on the way";
  return outcome.complete ? "every order" : "in part";
}

std::string findings_of(const PairOutcome& outcome) {
  std::string text;
  for (const std::uint32_t id : outcome.findings) text += fmt::format("{}#{}", text.empty() ? "" : " ", id);
  return text;
}

std::string verdict_of(const Generation& generation) {
  const auto explored = std::count_if(generation.pairs.begin(), generation.pairs.end(),
                                      [](const auto& pair) { return pair.second.contexts > 0; });
  return fmt::format("{}, {} of them in parallel; {}, {} explored; {}",
                     counted(generation.functions.size(), "function"), generation.parallel_functions().size(),
                     counted(generation.pairs.size(), "pair"), explored,
                     counted(generation.end.result.findings.size(), "finding"));
}

}  // namespace

std::string table_of_pairs(const Generation& generation) {
  std::string text;
  if (!generation.pairs.empty())
    text += fmt::format("{:>8}  {:>10}  {:<12}  pair\n", "orders", "executions", "explored");
  for (const auto& [names, outcome] : generation.pairs) {
    const std::string findings = findings_of(outcome);
    text += fmt::format("{:>8}  {:>10}  {:<12}  {} | {}{}\n", outcome.orders, outcome.executions, words_of(outcome),
                        names.first, names.second, findings.empty() ? "" : "  " + findings);
  }
  return text + fmt::format("{}; {}, {:.2f} s\n", verdict_of(generation),
                            counted(generation.end.result.executions, "execution"), generation.end.result.seconds);
}

std::string json_of_generation(const Generation& generation) {
  Json report = Json::parse(json_report(generation.end.result));
  report["functions"] = generation.functions.size();
  report["parallel_functions"] = generation.parallel_functions().size();
  report["parallel_pairs"] = generation.pairs.size();
  report["recordings"] = generation.recordings;
  report["pairs"] = Json::array();
  for (const auto& [names, outcome] : generation.pairs) {
    report["pairs"].push_back({{"functions", {names.first, names.second}},
                               {"contexts", outcome.contexts},
                               {"executions", outcome.executions},
                               {"orders", outcome.orders},
                               {"complete", outcome.complete},
                               {"findings", outcome.findings}});
  }
  std::set<std::string> names;
  for (const CalledFunction& function : generation.functions) names.insert(function.name);
  report["races"] = Json::array();
  for (const ReportedFinding& found : generation.end.result.findings) {
    if (found.finding.kind != FindingKind::data_race) continue;
    Json functions = Json::array();
    if (const auto sides = functions_of(found.finding, names)) functions = {sides->first, sides->second};
    report["races"].push_back({{"variable", found.finding.memory.name},
                               {"functions", std::move(functions)},
                               {"found_by", {"ravel"}},
                               {"schedule", found.schedule_path}});
  }
  return report.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

CommandResult result_of_generation(const Generation& generation) {
  CommandResult result = command_result(generation.end.result);
  result.verdict = verdict_of(generation);
  return result;
}

}  // namespace ravel
