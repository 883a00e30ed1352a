// SPDX-License-Identifier: Apache-2.0
#include "driver/futures/future_report.h"

#include <algorithm>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "driver/futures/order_proof.h"
#include "reports/campaign_result.h"
#include "reports/explanation_text.h"
#include "reports/text_report.h"

namespace ravel {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostOutput = 60;

std::string dumped(const Json& json) { return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"; }

// The first line of what the program wrote.
std::string output_text(const std::string& output) {
  std::string line = output.substr(0, output.find('\n'));
  if (line.size() > kMostOutput) line = line.substr(0, kMostOutput) + "...";
  return line;
}

std::string term(const FutureRead& read) {
  std::string text;
  for (const FutureDefinition& definition : read.definitions) {
    if (definition.realised()) text += (text.empty() ? "" : ", ") + definition.text();
  }
  return fmt::format("{} = π({})", read.text(), text);
}

bool is_interesting(const FutureRead& read) {
  if (read.internal) return false;
  return std::count_if(read.definitions.begin(), read.definitions.end(),
                       [](const FutureDefinition& one) { return one.realised(); }) > 1 ||
         std::any_of(read.definitions.begin(), read.definitions.end(), [](const FutureDefinition& one) {
           return one.status == FutureStatus::budget && !one.spoken_against;
         });
}

CheckedFuture check_row(const UnwantedFuture& unwanted, const FutureTable& table) {
  const std::string name =
      fmt::format("{} {} <- {} ({})", unwanted.read, unwanted.object, unwanted.write, unwanted.outcome);
  CheckedFuture checked{true, fmt::format("gone        {}: no read sees that write any more", name)};
  for (const FutureRead& read : table.reads) {
    const bool same_read =
        unwanted.read_code.empty() ? read.place.text == unwanted.read : read.code == unwanted.read_code;
    if (!same_read || read.object != unwanted.object) continue;
    for (const FutureDefinition& one : read.definitions) {
      const bool same_write = unwanted.initial              ? one.initial
                              : unwanted.write_code.empty() ? one.place.text == unwanted.write
                                                            : !one.initial && one.code == unwanted.write_code;
      if (!same_write) continue;
      if (one.status == FutureStatus::infeasible) {
        checked = {true, fmt::format("infeasible  {}: {}", name, one.reason)};
      } else if (!one.realised()) {
        return {false, fmt::format("undecided   {}: {}", name, one.reason)};
      } else if (one.outcome == "passed") {
        checked = {true, fmt::format("harmless    {}", name)};
      } else {
        return {false, fmt::format("still there {}: {}, {}", name, one.outcome, one.schedule)};
      }
    }
  }
  return checked;
}

// A finding that does not belong to a future.
CheckedFuture check_finding(const UnwantedFuture& unwanted, const FutureTable& table) {
  const std::string name = fmt::format("{}: {}", unwanted.outcome, unwanted.message);
  for (const FutureFinding& finding : table.findings) {
    if (finding.kind != unwanted.outcome || finding.message != unwanted.message) continue;
    return {false, fmt::format("still there {}, {}", name, finding.schedule)};
  }
  if (table.proved) return {true, fmt::format("gone        {}", name)};
  return {false, fmt::format("undecided   {}: it did not come, and not every schedule was explored", name)};
}

}  // namespace

std::string text_of_futures(const FutureTable& table, bool all) {
  std::string text;
  std::size_t feasible = 0;
  std::size_t infeasible = 0;
  std::size_t open = 0;
  std::size_t against = 0;
  std::size_t failing = 0;
  std::size_t left_out = 0;
  for (const FutureRead& read : table.reads) {
    std::size_t widest = 0;
    for (const FutureDefinition& one : read.definitions) {
      feasible += one.realised() ? 1 : 0;
      infeasible += one.status == FutureStatus::infeasible ? 1 : 0;
      open += one.status == FutureStatus::budget ? 1 : 0;
      against += one.status == FutureStatus::budget && one.spoken_against ? 1 : 0;
      failing += one.realised() && one.outcome != "passed" ? 1 : 0;
      widest = std::max(widest, one.text().size());
    }
    if (!all && !is_interesting(read)) {
      ++left_out;
      continue;
    }
    text += term(read) + "\n";
    if (!only_closes(read.code)) text += fmt::format("    {}\n", read.code);
    for (const FutureDefinition& one : read.definitions) {
      text += fmt::format("  {:<{}}  {:<10}", one.text(), widest, status_text(one.status));
      if (one.realised()) {
        text += fmt::format("  {}", one.outcome);
        if (!one.value.empty()) text += fmt::format(", reads {}", one.value);
        if (!output_text(one.output).empty()) text += fmt::format(", prints {}", output_text(one.output));
        text += fmt::format("  {}\n", one.schedule);
        if (!one.in_terms.value_or(true)) {
          text += fmt::format("  {:<{}}  not among the terms: are these the sources of the program?\n", "", widest);
        }
      } else {
        text += fmt::format("  {}\n", one.reason);
      }
    }
    text += "\n";
  }
  for (const FutureFinding& finding : table.findings) {
    text += fmt::format("{}: {}\n  in execution {}: {}\n", finding.kind, finding.message, finding.execution,
                        finding.schedule);
    if (!finding.difference.empty()) text += fmt::format("  {}\n", finding.difference);
    text += "\n";
  }
  if (left_out > 0) {
    text += fmt::format("{} saw only one write or {} inside a library (--all lists {})\n",
                        counted(left_out, "other read"), left_out == 1 ? "is" : "are", left_out == 1 ? "it" : "them");
  }
  text += fmt::format("{} of {} in {}", counted(feasible, "future"), counted(table.reads.size(), "shared read"),
                      counted(table.executions, "execution"));
  if (failing > 0) text += fmt::format(", {} of them with a finding", failing);
  text += "\n";
  if (table.random_executions > 0) {
    text += fmt::format("{} at random looked for other paths through the program\n",
                        counted(table.random_executions, "execution"));
  }
  if (table.proved && infeasible == 0) text += fmt::format("there are no others: {}\n", table.proof);
  if (!table.proved && open == 0 && !table.proof.empty()) text += table.proof + "\n";
  if (infeasible > 0)
    text += fmt::format("{} infeasible: {}\n", counted(infeasible, "combination") + (infeasible == 1 ? " is" : " are"),
                        table.proof);
  if (open > 0)
    text += fmt::format("{} neither shown nor ruled out: {}\n",
                        counted(open, "combination") + (open == 1 ? " was" : " were"),
                        table.proof.empty() ? "no proof was asked for (--proof)" : table.proof);
  if (against > 0) {
    text += fmt::format("in the executions that were made, a cycle contradicts {} of them\n", against);
  }
  if (table.interrupted) text += "the search was interrupted: this is what it had shown until then\n";
  return text;
}

std::string json_of_futures(const FutureTable& table, const std::vector<std::string>& program) {
  Json reads = Json::array();
  for (const FutureRead& read : table.reads) {
    Json row = {
        {"location", read.place.text}, {"object", read.object}, {"code", read.code}, {"internal", read.internal}};
    if (read.task != kNoTask) {
      row["task"] = read.task;
      row["occurrence"] = read.occurrence;
    }
    Json definitions = Json::array();
    for (const FutureDefinition& one : read.definitions) {
      Json entry = {{"location", one.text()}, {"code", one.code}, {"status", status_text(one.status)}};
      if (one.realised()) {
        entry["outcome"] = one.outcome;
        entry["message"] = one.message;
        entry["execution"] = one.execution;
        entry["value"] = one.value;
        entry["output"] = one.output;
        entry["schedule"] = one.schedule;
        if (!one.difference.empty()) entry["difference"] = one.difference;
        if (one.in_terms) entry["in_terms"] = *one.in_terms;
      } else {
        entry["reason"] = one.reason;
      }
      definitions.push_back(std::move(entry));
    }
    row["definitions"] = std::move(definitions);
    reads.push_back(std::move(row));
  }
  Json findings = Json::array();
  for (const FutureFinding& finding : table.findings) {
    findings.push_back({{"kind", finding.kind},
                        {"message", finding.message},
                        {"execution", finding.execution},
                        {"output", finding.output},
                        {"schedule", finding.schedule},
                        {"difference", finding.difference}});
  }
  Json json = {{"ravel", kRavelVersion},
               {"command", "futures"},
               {"program", program},
               {"reads", std::move(reads)},
               {"findings", std::move(findings)},
               {"executions", table.executions},
               {"failed_attempts", table.failed_attempts},
               {"proof_executions", table.proof_executions},
               {"random_executions", table.random_executions},
               {"complete", table.proved},
               {"interrupted", table.interrupted},
               {"proof", table.proof}};
  if (table.request) {
    json["request"] = {{"choices", table.request->choices}, {"status", status_text(table.request->status)}};
    if (!table.request->reason.empty()) json["request"]["reason"] = table.request->reason;
    if (!table.request->schedule.empty()) json["request"]["schedule"] = table.request->schedule;
  }
  return dumped(json);
}

std::string graph_of_execution(const ObservedExecution& seen, bool json) {
  struct Edge {
    std::size_t from;
    std::size_t to;
    OrderRule rule;
  };
  std::vector<std::size_t> nodes;
  std::vector<Edge> edges;
  std::map<TaskId, std::size_t> last;
  std::map<std::uint64_t, std::size_t> created;
  std::map<std::uint64_t, std::size_t> ended;
  std::map<std::uint64_t, std::size_t> unlocked;
  for (std::size_t i = 0; i < seen.events.size(); ++i) {
    const ObservedEvent& event = seen.events[i];
    const Operation& operation = event.operation;
    const bool memory = is_memory_access(operation.kind);
    if (memory ? event.variable == 0 || seen.places[event.place].in_library
               : operation_role(operation.kind) == OperationRole::local) {
      continue;
    }
    nodes.push_back(i);
    if (const auto before = last.find(event.task()); before != last.end()) {
      edges.push_back({before->second, i, OrderRule::program_order});
    } else if (const auto creator = created.find(event.task()); creator != created.end()) {
      edges.push_back({creator->second, i, OrderRule::creation});
    }
    last[event.task()] = i;
    if (event.reads && event.source >= 0) {
      edges.push_back({static_cast<std::size_t>(event.source), i, OrderRule::reads_from});
    }
    if (operation.kind == OperationKind::task_create) created[operation.object] = i;
    if (operation.kind == OperationKind::task_end) ended[operation.task] = i;
    if (operation.kind == OperationKind::task_join) {
      if (const auto end = ended.find(operation.object); end != ended.end()) {
        edges.push_back({end->second, i, OrderRule::join});
      }
    }
    if (takes_lock(operation.kind)) {
      const auto before = unlocked.find(operation.object);
      if (before != unlocked.end() && seen.events[before->second].task() != event.task()) {
        edges.push_back({before->second, i, OrderRule::lock_order});
      }
    }
    if (releases_lock(operation.kind)) unlocked[operation.object] = i;
  }
  // A write inside a library is still seen.
  for (const Edge& edge : edges) {
    if (std::find(nodes.begin(), nodes.end(), edge.from) == nodes.end()) nodes.push_back(edge.from);
  }
  if (json) {
    Json list = Json::array();
    for (const std::size_t i : nodes) {
      const ObservedEvent& event = seen.events[i];
      list.push_back({{"id", i},
                      {"task", event.task()},
                      {"operation", operation_name(event.operation.kind)},
                      {"object", event.variable == 0 ? "" : seen.variables[event.variable].name},
                      {"location", seen.places[event.place].text}});
    }
    Json arrows = Json::array();
    for (const Edge& edge : edges) {
      arrows.push_back({{"from", edge.from}, {"to", edge.to}, {"why", rule_text(edge.rule)}});
    }
    return dumped({{"nodes", std::move(list)}, {"edges", std::move(arrows)}});
  }
  const auto escaped = [](const std::string& text) {
    std::string result;
    for (const char c : text) {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
    return result;
  };
  std::string text = "digraph futures {\n  node [shape=box, fontname=monospace];\n";
  for (const std::size_t i : nodes) text += fmt::format("  e{} [label=\"{}\"];\n", i, escaped(event_text(seen, i)));
  for (const Edge& edge : edges) {
    const char* const style = edge.rule == OrderRule::reads_from      ? " [color=red, label=\"reads from\"]"
                              : edge.rule == OrderRule::program_order ? ""
                                                                      : " [style=dashed]";
    text += fmt::format("  e{} -> e{}{};\n", edge.from, edge.to, style);
  }
  return text + "}\n";
}

Result<std::vector<UnwantedFuture>> read_unwanted(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Status::trouble(fmt::format("cannot read {}", path), "name a file that --json wrote");
  const Json json = Json::parse(file, nullptr, false);
  const auto not_ours = [&] {
    return Status::trouble(fmt::format("{} is not a table of futures", path),
                           "name a file that `ravel futures --json` wrote");
  };
  if (!json.is_object() || json.value("command", Json()) != "futures" || !json.contains("reads") ||
      !json["reads"].is_array())
    return not_ours();
  std::vector<UnwantedFuture> result;
  try {
    for (const Json& read : json["reads"]) {
      for (const Json& one : read.at("definitions")) {
        const std::string outcome = one.value("outcome", std::string("passed"));
        if (outcome == "passed") continue;
        UnwantedFuture unwanted;
        unwanted.read = read.at("location").get<std::string>();
        unwanted.read_code = read.value("code", std::string());
        unwanted.object = read.value("object", std::string());
        unwanted.write = one.at("location").get<std::string>();
        unwanted.write_code = one.value("code", std::string());
        unwanted.initial = unwanted.write == "initial";
        unwanted.outcome = outcome;
        unwanted.message = one.value("message", std::string());
        result.push_back(std::move(unwanted));
      }
    }
    const std::size_t futures = result.size();
    for (const Json& finding : json.value("findings", Json::array())) {
      UnwantedFuture unwanted;
      unwanted.outcome = finding.at("kind").get<std::string>();
      unwanted.message = finding.at("message").get<std::string>();
      unwanted.is_future = false;
      const auto same = [&](const UnwantedFuture& one) {
        return one.outcome == unwanted.outcome && one.message == unwanted.message;
      };
      if (std::none_of(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(futures), same)) {
        result.push_back(std::move(unwanted));
      }
    }
  } catch (const Json::exception&) {
    return not_ours();
  }
  if (result.empty()) {
    return Status::trouble(fmt::format("{} has no future that failed", path), "there is nothing to check");
  }
  return result;
}

CheckedFuture check_future(const UnwantedFuture& unwanted, const FutureTable& table) {
  return unwanted.is_future ? check_row(unwanted, table) : check_finding(unwanted, table);
}

}  // namespace ravel
