// SPDX-License-Identifier: Apache-2.0
#include "driver/cases/case_report.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/json_report.h"

namespace ravel {
namespace {

using Json = nlohmann::ordered_json;

// "failed: data-race, assertion", "passed, complete".
std::string words_of(const ExploredCase& one) {
  const CampaignResult& result = one.end.result;
  std::string text = verdict_name(one.verdict());
  std::set<FindingKind> told;
  for (const ReportedFinding& finding : result.findings) {
    const bool first = told.empty();
    if (told.insert(finding.finding.kind).second) {
      text += fmt::format("{}{}", first ? ": " : ", ", finding_name(finding.finding.kind));
    }
  }
  if (one.verdict() == CaseVerdict::passed && result.complete) text += ", complete";
  return text;
}

std::size_t count_of(const CaseSearch& search, CaseVerdict verdict) {
  return static_cast<std::size_t>(std::count_if(search.explored.begin(), search.explored.end(),
                                                [&](const ExploredCase& one) { return one.verdict() == verdict; }));
}

// Columns that a name takes: bytes that continue a UTF-8 character take none.
std::size_t columns_of(const std::string& name) {
  return static_cast<std::size_t>(
      std::count_if(name.begin(), name.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace

std::string table_of_cases(const CaseSearch& search, const TextOptions& options) {
  constexpr const char* kHeading = "case";
  constexpr std::size_t kOthers = 46;  // columns of what follows the name
  std::size_t width = std::char_traits<char>::length(kHeading);
  for (const ExploredCase& one : search.explored) width = std::max(width, columns_of(one.name));
  width = std::min(width, std::max<std::size_t>(options.width, kOthers + 20) - kOthers);
  const auto row = [&](const std::string& name, const auto& executions, const auto& orders, const std::string& result) {
    // A name that is longer than its column has a line to itself.
    const std::size_t columns = columns_of(name);
    const std::string begin =
        columns > width ? name + "\n" + std::string(width, ' ') : name + std::string(width - columns, ' ');
    return fmt::format("{}  {:>10}  {:>15}  {}\n", begin, executions, orders, result);
  };
  std::string text = row(kHeading, "executions", "distinct orders", "result");
  CampaignResult all;
  for (const ExploredCase& one : search.explored) {
    const CampaignResult& result = one.end.result;
    text += row(one.name, result.executions, result.distinct_orders, words_of(one));
    all.executions += result.executions;
    all.instrumented = all.instrumented || result.instrumented;
  }
  const std::size_t passed = count_of(search, CaseVerdict::passed) + count_of(search, CaseVerdict::no_threads);
  text += fmt::format("{}: {} passed, {} failed", counted(search.explored.size() + search.left, "case"), passed,
                      count_of(search, CaseVerdict::failed));
  if (const std::size_t without = count_of(search, CaseVerdict::no_verdict); without > 0) {
    text += fmt::format(", {} without verdict", without);
  }
  if (search.left > 0) text += fmt::format(", {} not explored", search.left);
  return text + fmt::format("; {}, {:.2f} s{}\n", counted(all.executions, "execution"), search.seconds,
                            what_was_not_seen(all));
}

std::string json_of_cases(const CampaignResult& sum, const CaseSearch& search) {
  Json report = Json::parse(json_report(sum));
  report.erase("coverage");  // of one program run in several ways; that of each case is with the case
  Json cases = Json::array();
  Json findings = Json::array();
  Json fix_first = Json::array();
  for (const ExploredCase& one : search.explored) {
    Json entry = Json::parse(json_report(one.end.result));
    for (Json& finding : entry["findings"]) {
      finding["case"] = one.name;
      findings.push_back(finding);
    }
    for (const Json& id : entry["fix_first"]) fix_first.push_back(id);
    Json named = {{"name", one.name}, {"result", verdict_name(one.verdict())}};
    if (one.verdict() == CaseVerdict::no_verdict) named["reason"] = one.why_no_verdict();
    for (const char* const known : {"ravel", "command", "strategy", "seed", "carrier"}) entry.erase(known);
    entry["program"] = one.command_line;
    named.update(entry);
    cases.push_back(std::move(named));
  }
  report["fix_first"] = std::move(fix_first);
  report["findings"] = std::move(findings);
  report["cases"] = std::move(cases);
  report["cases_not_explored"] = search.left;
  return report.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

CommandResult result_of_cases(const CampaignResult& sum, const CaseSearch& search) {
  CommandResult result = command_result(sum);
  result.findings.clear();
  for (const ExploredCase& one : search.explored) {
    const std::vector<ReportedFinding>& findings = one.end.result.findings;
    TestedCase& tested = result.cases.emplace_back();
    tested.name = one.name;
    tested.seconds = one.end.result.seconds;
    if (one.verdict() == CaseVerdict::no_verdict) tested.skipped = one.why_no_verdict();
    if (!findings.empty()) {
      const ResolvedFinding& first = findings.front().finding;
      tested.failure = {finding_name(first.kind), first.message, ""};
    }
    for (const ReportedFinding& finding : findings) {
      tested.failure->text += (tested.failure->text.empty() ? "" : "\n") + text_of_finding(finding);
      result.findings.push_back(finding);
      result.findings.back().part = one.name;
    }
  }
  return result;
}

}  // namespace ravel
