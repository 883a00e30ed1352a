// SPDX-License-Identifier: Apache-2.0
#include "reports/perfetto_report.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "reports/explanation_text.h"
#include "reports/timeline.h"

namespace ravel {
namespace {

using Json = nlohmann::ordered_json;

class TraceWriter {
 public:
  explicit TraceWriter(Json& events) : events_(events) {}

  void add(const ReportedFinding& finding, const Explanation& explanation) {
    ++pid_;
    name("process_name", 0, fmt::format("finding {}: {}", finding.id, finding_name(finding.finding.kind)));
    for (const ExplainedTask& task : explanation.tasks) {
      const std::string text = task_text(task.task, task.name);
      name("thread_name", task.task, task.function.empty() ? text : text + " " + task.function);
    }
    const std::vector<ExplainedStep>& steps = explanation.steps;
    end_ = 1;
    for (const ExplainedStep& step : steps) {
      add(step);
      end_ = step.number + 1;
    }
    const Timeline timeline = timeline_of(steps);
    for (const TimelineSpan& wait : timeline.waits) add_wait(wait, steps);
    for (const TimelineSpan& lock : timeline.held) add_lock(lock, steps);
    for (const ExplainedOrder& order : explanation.orders) add(order, steps);
    if (!explanation.failure.empty()) {
      Json event = base("i", explanation.failure, explanation.failing_task == kNoTask ? 0 : explanation.failing_task);
      event["ts"] = end_;
      event["s"] = "p";
      events_.push_back(std::move(event));
    }
  }

 private:
  Json base(const char* phase, const std::string& text, TaskId task) const {
    return {{"ph", phase}, {"name", text}, {"pid", pid_}, {"tid", task}};
  }

  void name(const char* what, TaskId task, const std::string& text) {
    Json event = base("M", what, task);
    event["args"] = {{"name", text}};
    events_.push_back(std::move(event));
  }

  void add(const ExplainedStep& step) {
    Json event = base("X", (step.mark == 0 ? "" : fmt::format("({}) ", step.mark)) + effect_text(step), step.task);
    event["cat"] = operation_name(step.kind);
    event["ts"] = step.number;
    event["dur"] = 1;
    Json& args = event["args"] = {{"step", step.number}};
    if (!step.before.empty()) args["before"] = step.before;
    if (!step.after.empty()) args["after"] = step.after;
    if (!step.held.empty()) args["held"] = step.held;
    if (!step.stack.empty()) args["at"] = location_text(step.stack.front());
    if (!step.source.empty()) args["source"] = step.source;
    if (step.rounds > 1) args["rounds"] = step.rounds;
    if (const std::string reason = leaving_text(step); !reason.empty()) args["then"] = reason;
    events_.push_back(std::move(event));
    task_of_[{pid_, step.number}] = step.task;
  }

  std::uint64_t begin_of(std::size_t index, const std::vector<ExplainedStep>& steps) const {
    return index < steps.size() ? steps[index].number : end_;
  }

  void add_wait(const TimelineSpan& wait, const std::vector<ExplainedStep>& steps) {
    const std::uint64_t begin = steps[wait.first].number + 1;
    const std::uint64_t end = begin_of(wait.last, steps);
    if (end <= begin) return;
    Json event = base("X", leaving_text(steps[wait.first]), wait.task);
    event["cat"] = "wait";
    event["ts"] = begin;
    event["dur"] = end - begin;
    events_.push_back(std::move(event));
  }

  // Locks need not be released in reverse order, so each is a track of its own.
  void add_lock(const TimelineSpan& lock, const std::vector<ExplainedStep>& steps) {
    const std::uint64_t id = ++ids_;
    for (const bool begins : {true, false}) {
      Json event = base(begins ? "b" : "e", fmt::format("{} of {}", lock.object, task_text(lock.task)), lock.task);
      event["cat"] = "lock";
      event["id"] = id;
      event["ts"] = begins ? steps[lock.first].number : begin_of(lock.last, steps);
      events_.push_back(std::move(event));
    }
  }

  void add(const ExplainedOrder& order, const std::vector<ExplainedStep>& steps) {
    const std::uint64_t id = ++ids_;
    for (const bool begins : {true, false}) {
      const std::uint64_t number = begins ? order.first : order.second;
      const auto task = task_of_.find({pid_, number});
      if (task == task_of_.end() || steps.empty()) return;
      Json event = base(begins ? "s" : "f", order_name(order.kind), task->second);
      event["cat"] = "order";
      event["id"] = id;
      event["ts"] = number;
      if (!begins) event["bp"] = "e";
      events_.push_back(std::move(event));
    }
  }

  Json& events_;
  std::uint32_t pid_ = 0;
  std::uint64_t end_ = 1;
  std::uint64_t ids_ = 0;
  std::map<std::pair<std::uint32_t, std::uint64_t>, TaskId> task_of_;
};

}  // namespace

std::string perfetto_report(const CommandResult& result) {
  Json report = {{"displayTimeUnit", "ns"},
                 {"otherData",
                  {{"ravel", kRavelVersion},
                   {"command", result.command},
                   {"program", result.program},
                   {"time", "a step of the execution takes one microsecond"}}},
                 {"traceEvents", Json::array()}};
  TraceWriter writer(report["traceEvents"]);
  for (const ReportedFinding& finding : result.findings) {
    if (finding.explanation) writer.add(finding, *finding.explanation);
  }
  return report.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ravel
