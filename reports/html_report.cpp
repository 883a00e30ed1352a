// SPDX-License-Identifier: Apache-2.0
#include "reports/html_report.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tuple>

#include "base/check.h"
#include "reports/explanation_text.h"
#include "reports/json_report.h"
#include "reports/timeline.h"

// reports/report_page.S
extern "C" const char ravel_report_page[];
extern "C" const char ravel_report_page_end[];

namespace ravel {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kPlaceOfData = "@RAVEL_DATA@";

const char* weight_name(Weight weight) {
  constexpr const char* kNames[] = {"alone", "shared", "related", "cause"};
  return kNames[static_cast<unsigned>(weight)];
}

// Frames and stacks are the same over and over: each is written once, and steps refer to it by number.
class Tables {
 public:
  std::size_t stack(const std::vector<Frame>& frames) {
    std::vector<std::size_t> indices;
    indices.reserve(frames.size());
    for (const Frame& frame : frames) indices.push_back(index_of(frame));
    const auto [entry, is_new] = stack_numbers_.try_emplace(indices, stacks_.size());
    if (is_new) stacks_.push_back(indices);
    return entry->second;
  }

  Json frames() { return std::move(frames_); }
  Json stacks() { return std::move(stacks_); }

 private:
  using Key = std::tuple<std::string, std::string, std::uint32_t, std::string, bool>;

  std::size_t index_of(const Frame& frame) {
    const Key key{frame.function, frame.file, frame.line, frame.module, frame.inlined};
    const auto [entry, is_new] = frame_numbers_.try_emplace(key, frames_.size());
    if (is_new) {
      Json one = {{"function", frame.function}, {"file", frame.file}, {"line", frame.line}, {"module", frame.module}};
      if (frame.inlined) one["inlined"] = true;
      frames_.push_back(std::move(one));
    }
    return entry->second;
  }

  Json frames_ = Json::array();
  Json stacks_ = Json::array();
  std::map<Key, std::size_t> frame_numbers_;
  std::map<std::vector<std::size_t>, std::size_t> stack_numbers_;
};

// What is empty is left out.
Json json_of(const ExplainedStep& step, Tables& tables) {
  Json entry = {{"number", step.number}, {"task", step.task}, {"kind", operation_name(step.kind)}};
  entry["text"] = effect_text(step);
  entry["weight"] = weight_name(step.weight);
  const auto add = [&](const char* key, const std::string& text) {
    if (!text.empty()) entry[key] = text;
  };
  add("object", step.object);
  add("before", step.before);
  if (operation_role(step.kind) != OperationRole::reads) add("after", step.after);
  if (step.older_store) entry["older_store"] = true;
  if (!step.held.empty()) entry["held"] = step.held;
  if (!step.stack.empty()) entry["stack"] = tables.stack(step.stack);
  add("source", step.source);
  if (step.mark != 0) entry["mark"] = step.mark;
  if (step.rounds > 1) {
    entry["rounds"] = step.rounds;
    entry["round_steps"] = step.round_steps;
  }
  add("leaves", leaving_text(step));
  if (step.leaves == SwitchReason::preempted) entry["preempted"] = true;
  return entry;
}

Json json_of(const std::vector<TimelineSpan>& spans) {
  Json list = Json::array();
  for (const TimelineSpan& span : spans) {
    Json entry = {{"task", span.task}, {"object", span.object}, {"first", span.first}, {"last", span.last}};
    if (span.holder != kNoTask) entry["holder"] = span.holder;
    list.push_back(std::move(entry));
  }
  return list;
}

Json json_of(const std::vector<ExplainedStep>& steps, Tables& tables) {
  Json list = Json::array();
  for (const ExplainedStep& step : steps) list.push_back(json_of(step, tables));
  const Timeline timeline = timeline_of(steps);
  return {{"steps", std::move(list)}, {"held", json_of(timeline.held)}, {"waits", json_of(timeline.waits)}};
}

Json json_of(const Explanation& explanation, Tables& tables) {
  Json entry = {{"summary", explanation.summary}, {"failure", explanation.failure}, {"place", explanation.place}};
  if (explanation.failing_task != kNoTask) entry["failing_task"] = explanation.failing_task;
  entry["all_steps"] = explanation.all_steps;
  entry["cut"] = explanation.cut;
  entry["tasks"] = Json::array();
  for (const ExplainedTask& task : explanation.tasks) {
    entry["tasks"].push_back({{"task", task.task}, {"name", task.name}, {"function", task.function}});
  }
  entry["objects"] = Json::array();
  for (const ResolvedObject& object : explanation.objects) {
    entry["objects"].push_back({{"name", object.name}, {"place", object.place}});
  }
  entry["failing"] = json_of(explanation.steps, tables);
  entry["failing"]["orders"] = Json::array();
  for (const ExplainedOrder& order : explanation.orders) {
    entry["failing"]["orders"].push_back({order.first, order.second, order_name(order.kind)});
  }
  entry["passing"] = explanation.passing.empty() ? Json(nullptr) : json_of(explanation.passing, tables);
  return entry;
}

Json json_of(const SourceExcerpts& sources) {
  Json entry = Json::object();
  for (const auto& [file, lines] : sources) {
    Json& texts = entry[file] = Json::object();
    for (const auto& [line, text] : lines) texts[std::to_string(line)] = text;
  }
  return entry;
}

}  // namespace

std::string html_data(const CommandResult& result) {
  Tables tables;
  Json data = {{"ravel", kRavelVersion}, {"command", result.command}, {"program", result.program}};
  data["verdict"] = result.verdict;
  data["notes"] = result.notes;
  data["cases"] = Json::array();
  for (const TestedCase& one : result.cases) {
    Json entry = {{"name", one.name}};
    if (one.failure) entry["failure"] = one.failure->message;
    if (!one.skipped.empty()) entry["skipped"] = one.skipped;
    data["cases"].push_back(std::move(entry));
  }
  data["findings"] = Json::array();
  for (const ReportedFinding& finding : result.findings) {
    Json entry = Json::parse(json_of_finding(finding));
    if (!finding.part.empty()) entry["part"] = finding.part;
    entry["explanation"] = finding.explanation ? json_of(*finding.explanation, tables) : Json(nullptr);
    data["findings"].push_back(std::move(entry));
  }
  data["frames"] = tables.frames();
  data["stacks"] = tables.stacks();
  data["sources"] = json_of(result.sources);
  return data.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string html_report(const CommandResult& result) {
  const std::string_view page(ravel_report_page, static_cast<std::size_t>(ravel_report_page_end - ravel_report_page));
  const std::size_t place = page.find(kPlaceOfData);
  RAVEL_CHECK(place != std::string_view::npos, "the report page has a place for its data");
  std::string text(page.substr(0, place));
  // Inside a script element: neither its end nor a comment may appear in the data.
  for (const char c : html_data(result)) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text.append(page.substr(place + kPlaceOfData.size()));
}

}  // namespace ravel
