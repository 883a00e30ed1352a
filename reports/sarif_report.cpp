// SPDX-License-Identifier: Apache-2.0
#include "reports/sarif_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "reports/explanation_text.h"

namespace ravel {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
constexpr const char* kRoot = "%SRCROOT%";
constexpr std::size_t kMostSteps = 500;  // of a flow: GitHub refuses files with very long ones

// What RFC 3986 allows in a path stays; everything else is escaped.
std::string uri_text(std::string_view path) {
  constexpr std::string_view kPlain = "-._~/!$&'()*+,;=:@";
  std::string text;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    text += letter || kPlain.find(c) != std::string_view::npos ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return text;
}

Json message(const std::string& text) { return {{"text", text}}; }

// The steps that a reader needs most, in their order.
std::vector<const ExplainedStep*> telling_steps(const Explanation& explanation) {
  std::vector<const ExplainedStep*> chosen;
  for (const Weight least : {Weight::shared, Weight::related}) {
    chosen.clear();
    for (const ExplainedStep& step : explanation.steps) {
      if (step.weight >= least || step.mark != 0) chosen.push_back(&step);
    }
    if (chosen.size() <= kMostSteps) return chosen;
  }
  // Those before the end, and those that decide.
  std::size_t dropped = chosen.size() - kMostSteps;
  std::erase_if(chosen, [&](const ExplainedStep* step) { return step->mark == 0 && dropped > 0 && dropped-- > 0; });
  return chosen;
}

class SarifWriter {
 public:
  explicit SarifWriter(const CommandResult& result) : result_(result) {}

  std::string text() {
    Json rules = Json::array();
    Json results = Json::array();
    std::vector<FindingKind> kinds;
    for (const ReportedFinding& finding : result_.findings) {
      const FindingKind kind = finding.finding.kind;
      const auto known = std::find(kinds.begin(), kinds.end(), kind);
      const auto index = static_cast<std::size_t>(known - kinds.begin());
      if (known == kinds.end()) {
        kinds.push_back(kind);
        rules.push_back(rule(kind));
      }
      results.push_back(result(finding, index));
    }
    Json run = {{"tool",
                 {{"driver",
                   {{"name", "Ravel"},
                    {"version", kRavelVersion},
                    {"semanticVersion", kRavelVersion},
                    {"rules", std::move(rules)}}}}}};
    run["invocations"] = Json::array({{{"executionSuccessful", true},
                                       {"properties", {{"command", result_.command}, {"program", result_.program}}}}});
    if (!result_.source_root.empty()) {
      run["originalUriBaseIds"] = {{kRoot, {{"uri", fmt::format("file://{}/", uri_text(result_.source_root))}}}};
    }
    run["columnKind"] = "utf16CodeUnits";
    run["results"] = std::move(results);
    const Json report = {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({std::move(run)})}};
    return report.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  }

 private:
  static Json rule(FindingKind kind) {
    std::string sentence = finding_sentence(kind);
    sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
    return {{"id", finding_name(kind)},
            {"shortDescription", message(sentence + ".")},
            {"defaultConfiguration", {{"level", "error"}}},
            {"properties", {{"tags", Json::array({"concurrency"})}, {"precision", "very-high"}}}};
  }

  Json artifact(const std::string& file) const {
    namespace fs = std::filesystem;
    const fs::path path = fs::path(file).lexically_normal();
    if (path.is_relative()) return {{"uri", uri_text(path.generic_string())}};
    if (!result_.source_root.empty()) {
      const std::string relative = path.lexically_relative(result_.source_root).generic_string();
      if (!relative.empty() && !relative.starts_with("..")) return {{"uri", uri_text(relative)}, {"uriBaseId", kRoot}};
    }
    return {{"uri", "file://" + uri_text(path.generic_string())}};
  }

  Json location(const Frame* frame) const {
    Json entry = Json::object();
    if (frame == nullptr) return entry;
    if (frame->line != 0 && !frame->file.empty()) {
      Json region = {{"startLine", frame->line}};
      if (frame->column != 0) region["startColumn"] = frame->column;
      entry["physicalLocation"] = {{"artifactLocation", artifact(frame->file)}, {"region", std::move(region)}};
    }
    if (!frame->function.empty()) {
      entry["logicalLocations"] = Json::array({{{"fullyQualifiedName", frame->function}, {"kind", "function"}}});
    }
    return entry;
  }

  Json stack(const std::vector<Frame>& frames, const std::string& text, TaskId task) const {
    Json list = Json::array();
    for (const Frame& frame : frames) {
      Json entry = {{"location", location(&frame)}};
      if (!frame.module.empty()) entry["module"] = frame.module;
      if (task != kNoTask) entry["threadId"] = task;
      list.push_back(std::move(entry));
    }
    return {{"message", message(text)}, {"frames", std::move(list)}};
  }

  static std::string words_of(const ResolvedStack& stack) {
    std::string text = task_text(stack.task, stack.task_name);
    if (stack.blocked) return text + " " + waiting_text(stack, Detail::complete);
    if (!stack.operation.empty()) text += ": " + stack.operation;
    if (!stack.object.empty()) text += " " + stack.object;
    return text;
  }

  // Where a reader should look first, and the other places.
  void add_places(Json& entry, const ResolvedFinding& finding) const {
    Json locations = Json::array();
    Json related = Json::array();
    Json stacks = Json::array();
    for (const ResolvedStack& one : finding.stacks) {
      const Frame* const frame = user_frame(one.frames);
      if (frame == nullptr) continue;
      stacks.push_back(stack(one.frames, words_of(one), one.task));
      if (frame->line == 0) continue;
      Json place = location(frame);
      if (locations.empty()) {
        locations.push_back(std::move(place));
        continue;
      }
      place["id"] = related.size() + 1;
      place["message"] = message(words_of(one));
      related.push_back(std::move(place));
    }
    if (locations.empty()) {
      locations.push_back(
          {{"logicalLocations", Json::array({{{"fullyQualifiedName", result_.program.empty() ? "" : result_.program[0]},
                                              {"kind", "module"}}})}});
    }
    entry["locations"] = std::move(locations);
    if (!related.empty()) entry["relatedLocations"] = std::move(related);
    if (!stacks.empty()) entry["stacks"] = std::move(stacks);
  }

  Json flow_location(const ExplainedStep& step, bool in_one_list) const {
    std::string text = step.mark == 0 ? "" : fmt::format("({}) ", step.mark);
    if (in_one_list) text += task_text(step.task) + ": ";
    text += effect_text(step);
    if (!step.held.empty()) text += fmt::format(" {{{}}}", fmt::join(step.held, ", "));
    if (step.rounds > 1) {
      text +=
          fmt::format(" ({} times{})", step.rounds,
                      step.round_steps > 1 ? fmt::format(", with the {} steps after it", step.round_steps - 1) : "");
    }
    if (const std::string reason = leaving_text(step); !reason.empty()) text += "; " + reason;
    Json place = location(step.stack.empty() ? nullptr : &step.stack.front());
    place["message"] = message(text);
    Json entry = {{"location", std::move(place)}, {"executionOrder", step.number}};
    entry["importance"] = step.mark != 0 ? "essential" : step.weight >= Weight::related ? "important" : "unimportant";
    if (takes_lock(step.kind)) entry["kinds"] = {"acquire", "lock"};
    if (releases_lock(step.kind)) entry["kinds"] = {"release", "lock"};
    const std::string& value = step.after.empty() ? step.before : step.after;
    if (!step.object.empty() && !value.empty()) entry["state"] = {{step.object, message(value)}};
    if (step.mark != 0 && !step.stack.empty()) entry["stack"] = stack(step.stack, text, step.task);
    return entry;
  }

  void add_flows(Json& entry, const Explanation& explanation) const {
    const std::vector<const ExplainedStep*> steps = telling_steps(explanation);
    if (steps.empty()) return;
    Json one_list = Json::array();
    for (const ExplainedStep* step : steps) one_list.push_back(flow_location(*step, true));
    Json threads = Json::array();
    for (const ExplainedTask& task : explanation.tasks) {
      Json locations = Json::array();
      for (const ExplainedStep* step : steps) {
        if (step->task == task.task) locations.push_back(flow_location(*step, false));
      }
      if (locations.empty()) continue;
      const std::string text = task_text(task.task, task.name);
      threads.push_back({{"id", task_text(task.task)},
                         {"message", message(task.function.empty() ? text : text + " " + task.function)},
                         {"locations", std::move(locations)}});
    }
    entry["codeFlows"] =
        Json::array({{{"message", message("the steps in the order in which they were made")},
                      {"threadFlows", Json::array({{{"locations", std::move(one_list)}}})}},
                     {{"message", message("the same steps, task by task; executionOrder says when each was made")},
                      {"threadFlows", std::move(threads)}}});
  }

  Json result(const ReportedFinding& reported, std::size_t rule) const {
    const ResolvedFinding& finding = reported.finding;
    std::string text = finding.message;
    if (reported.explanation && !reported.explanation->summary.empty()) {
      text += fmt::format("\n{}", fmt::join(reported.explanation->summary, "\n"));
    }
    Json entry = {{"ruleId", finding_name(finding.kind)},
                  {"ruleIndex", rule},
                  {"kind", "fail"},
                  {"level", "error"},
                  {"message", message(text)}};
    add_places(entry, finding);
    if (reported.explanation) add_flows(entry, *reported.explanation);
    if (!finding.signature.empty()) entry["partialFingerprints"] = {{"ravelSignature/v1", finding.signature}};
    if (reported.count > 0) entry["occurrenceCount"] = reported.count;
    Json& properties = entry["properties"] = {{"id", reported.id}, {"preemptions", reported.preemptions}};
    properties["tasks"] = reported.tasks;
    if (!reported.schedule_path.empty()) {
      properties["schedule"] = reported.schedule_path;
      properties["replay"] = "ravel replay " + reported.schedule_path;
    }
    return entry;
  }

  const CommandResult& result_;
};

}  // namespace

std::string sarif_report(const CommandResult& result) { return SarifWriter(result).text(); }

}  // namespace ravel
