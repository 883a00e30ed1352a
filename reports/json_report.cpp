// SPDX-License-Identifier: Apache-2.0
#include "reports/json_report.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>

#include "reports/finding_groups.h"

namespace ravel {
namespace {

using Json = nlohmann::ordered_json;  // keys in the order in which a reader expects them

Json json_of(const std::vector<Frame>& frames) {
  Json list = Json::array();
  for (const Frame& frame : frames) {
    Json entry = {{"function", frame.function}, {"file", frame.file}, {"line", frame.line}, {"column", frame.column}};
    entry["module"] = frame.module;
    entry["inlined"] = frame.inlined;
    list.push_back(std::move(entry));
  }
  return list;
}

Json task_or_null(TaskId task) { return task == kNoTask ? Json(nullptr) : Json(task); }

Json json_of(const ResolvedStack& stack) {
  Json entry = {{"task", task_or_null(stack.task)}, {"operation", stack.operation}, {"object", stack.object}};
  entry["task_name"] = stack.task_name;
  entry["blocked"] = stack.blocked;
  entry["holder"] = task_or_null(stack.holder);
  entry["held"] = Json::array();
  for (const HeldLock& lock : stack.held) {
    entry["held"].push_back({{"object", lock.object}, {"taken_at", json_of(lock.taken_at)}});
  }
  if (!stack.value.empty()) entry["value"] = stack.value;
  if (stack.partial) entry["partial"] = true;
  entry["frames"] = json_of(stack.frames);
  return entry;
}

void add_origins(Json& entry, const std::vector<ResolvedTask>& tasks, const std::vector<ResolvedObject>& objects) {
  entry["created"] = Json::array();
  for (const ResolvedTask& task : tasks) {
    entry["created"].push_back({{"task", task_or_null(task.task)},
                                {"name", task.name},
                                {"creator", task_or_null(task.creator)},
                                {"created_at", json_of(task.created_at)}});
  }
  entry["objects"] = Json::array();
  for (const ResolvedObject& object : objects) {
    entry["objects"].push_back({{"name", object.name}, {"place", object.place}});
  }
}

Json json_of(const ResolvedHeapBlock& block) {
  Json entry = {{"size", block.size}, {"offset", block.offset}};
  entry["allocated"] = {{"task", task_or_null(block.allocated_by)}, {"frames", json_of(block.allocated_at)}};
  entry["freed"] = nullptr;
  if (block.freed) entry["freed"] = {{"task", task_or_null(block.freed_by)}, {"frames", json_of(block.freed_at)}};
  return entry;
}

Json json_of(const DecidingOperation& deciding) {
  const ExplainedStep& step = deciding.step;
  Json entry = {{"task", task_or_null(step.task)}, {"operation", deciding.operation}, {"object", step.object}};
  entry["step"] = step.number == 0 ? Json(nullptr) : Json(step.number);
  if (!step.before.empty()) entry["before"] = step.before;
  const bool changes = operation_role(step.kind) != OperationRole::reads;
  if (changes && !step.after.empty()) entry["after"] = step.after;
  entry["held"] = step.held;
  entry["frames"] = json_of(step.stack);
  return entry;
}

Json json_of(const std::optional<Explanation>& explanation) {
  if (!explanation || !explanation->cause) return nullptr;
  const ExplainedCause& cause = *explanation->cause;
  Json entry = {
      {"kind", cause_kind_name(cause.kind)}, {"first", json_of(cause.first)}, {"second", json_of(cause.second)}};
  entry["third"] = cause.third ? json_of(*cause.third) : Json(nullptr);
  entry["also"] = nullptr;
  if (cause.also) entry["also"] = {{"first", json_of(cause.also->first)}, {"second", json_of(cause.also->second)}};
  entry["second_happened"] = cause.second_happened;
  entry["passes_otherwise"] = cause.passes_otherwise;
  entry["older_store"] = cause.older_store;
  entry["trials"] = {{"failed_so", cause.trials.failed_so},
                     {"passed_so", cause.trials.passed_so},
                     {"failed_otherwise", cause.trials.failed_otherwise},
                     {"passed_otherwise", cause.trials.passed_otherwise}};
  return entry;
}

Json json_of(const ReportedFinding& reported) {
  const ResolvedFinding& finding = reported.finding;
  Json entry = {{"id", reported.id},
                {"kind", finding_name(finding.kind)},
                {"message", finding.message},
                {"first_execution", reported.first_execution},
                {"count", reported.count},
                {"schedule", reported.schedule_path},
                {"preemptions", reported.preemptions},
                {"tasks", reported.tasks},
                {"step", finding.step},
                {"task", task_or_null(finding.task)},
                {"signature", finding.signature},
                {"replayed", reported.replayed},
                {"best_effort", reported.best_effort}};
  if (!reported.unfinished.empty()) entry["unfinished"] = reported.unfinished;
  if (finding.signal_number != 0) entry["signal"] = finding.signal_number;
  if (!finding.fault.empty()) entry["fault"] = finding.fault;
  if (is_about_memory(finding.kind)) {
    entry["object"] = finding.memory.name;
    entry["memory"] = finding.memory.place;
    if (finding.memory.heap) entry["heap"] = json_of(*finding.memory.heap);
  }
  if (!finding.weak_reads.empty()) entry["weak_reads"] = finding.weak_reads;
  if (!finding.remedy.empty()) entry["remedy"] = finding.remedy;
  if (!finding.known_defect.empty()) entry["known_defect"] = finding.known_defect;
  entry["stacks"] = Json::array();
  for (const ResolvedStack& stack : finding.stacks) entry["stacks"].push_back(json_of(stack));
  entry["stacks_total"] = finding.stacks_total;
  entry["cause"] = json_of(reported.explanation);
  add_origins(entry, finding.tasks, finding.objects);
  entry["output"] = reported.output;
  entry["output_truncated"] = reported.output_truncated;
  return entry;
}

Json json_of(const PotentialDeadlock& deadlock) {
  Json entry = {
      {"signature", deadlock.signature}, {"first_execution", deadlock.first_execution}, {"steered", deadlock.steered}};
  entry["chains"] = Json::array();
  for (const ResolvedStack& chain : deadlock.chains) entry["chains"].push_back(json_of(chain));
  add_origins(entry, deadlock.tasks, deadlock.objects);
  return entry;
}

Json json_of(const UnclearRace& race) {
  const ResolvedFinding& finding = race.finding;
  Json entry = {{"message", finding.message},
                {"may_be_ordered_by", finding.may_be_ordered_by},
                {"object", finding.memory.name},
                {"signature", finding.signature},
                {"first_execution", race.first_execution}};
  entry["stacks"] = Json::array();
  for (const ResolvedStack& stack : finding.stacks) entry["stacks"].push_back(json_of(stack));
  add_origins(entry, finding.tasks, finding.objects);
  return entry;
}

Status cannot_write(const std::string& path, int error) {
  return Status::trouble(fmt::format("cannot write {}: {}", path, std::strerror(error)),
                         "check that its directory exists, that you can write to it and that the disk is not full");
}

// 0, or the errno of what failed.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

std::string json_report(const CampaignResult& result) {
  Json report = {{"ravel", kRavelVersion},
                 {"command", result.command},
                 {"program", result.program},
                 {"strategy", result.strategy},
                 {"seed", result.seed},
                 {"executions", result.executions},
                 {"cut_executions", result.cut},
                 {"resident_executions", result.resident},
                 {"seconds", result.seconds},
                 {"executions_per_second", result.executions_per_second()},
                 {"steps", result.steps},
                 {"distinct_orders", result.distinct_orders},
                 {"unseen_probability", result.unseen_probability},
                 {"complete", result.complete},
                 {"verified_deterministic", result.verified_deterministic},
                 {"carrier", result.carrier},
                 {"instrumented", result.instrumented},
                 {"notes", result.notes}};
  const CoverageResult& coverage = result.coverage;
  Json curve = Json::array();
  for (const CoverageResult::Point& point : coverage.curve) {
    curve.push_back({point.executions, point.distinct_orders, point.pairs});
  }
  report["coverage"] = {{"traced_executions", coverage.traced_executions},
                        {"partial_orders", result.distinct_orders},
                        {"reads_from_pairs", coverage.reads_from_pairs},
                        {"conflict_orders", {coverage.conflict_orders, coverage.conflict_orders_possible}},
                        {"interrupted_functions", {coverage.interrupted_functions, coverage.functions}},
                        {"function_pairs", {coverage.function_pairs, coverage.functions * coverage.functions}},
                        {"curve", curve}};
  if (!coverage.pct.empty()) {
    Json& bounds = report["coverage"]["pct_guarantee"] = Json::array();
    for (const PctBound& bound : coverage.pct) {
      bounds.push_back({{"depth", bound.depth},
                        {"executions", bound.executions},
                        {"tasks", bound.tasks},
                        {"steps", bound.depth == 1 ? Json(nullptr) : Json(bound.steps)},
                        {"found_probability", bound.found_probability}});
    }
  }
  if (result.search) {
    report["search"] = {{"explored", result.search->explored},
                        {"redundant", result.search->redundant},
                        {"classes", result.search->classes},
                        {"estimate", result.search->estimate}};
  }
  report["suppressed"] = Json::array();
  for (const SuppressedFindings& rule : result.suppressed) {
    report["suppressed"].push_back(
        {{"rule", rule.rule}, {"file", rule.file}, {"line", rule.line}, {"findings", rule.findings}});
  }
  report["fix_first"] = Json::array();
  report["findings"] = Json::array();
  for (const ReportedFinding& finding : result.findings) report["findings"].push_back(json_of(finding));
  for (const FindingGroup& group : group_findings(result.findings)) {
    report["fix_first"].push_back(result.findings[group.first].id);
    for (const std::size_t other : group.others) {
      report["findings"][other]["goes_with"] = result.findings[group.first].id;
    }
  }
  report["potential_deadlocks"] = Json::array();
  for (const PotentialDeadlock& deadlock : result.potential_deadlocks) {
    report["potential_deadlocks"].push_back(json_of(deadlock));
  }
  report["unclear_races"] = Json::array();
  for (const UnclearRace& race : result.unclear_races) report["unclear_races"].push_back(json_of(race));
  return report.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string json_report(const CommandResult& result) {
  Json report = {{"ravel", kRavelVersion},    {"command", result.command}, {"program", result.program},
                 {"seconds", result.seconds}, {"verdict", result.verdict}, {"notes", result.notes}};
  report["findings"] = Json::array();
  for (const ReportedFinding& finding : result.findings) report["findings"].push_back(json_of(finding));
  return report.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string json_of_finding(const ReportedFinding& finding) {
  return json_of(finding).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Status write_report(const std::string& text, const std::string& path) {
  if (path == "-") {
    std::fflush(stdout);
    const int error = write_all(STDOUT_FILENO, text);
    return error == 0 ? Status::ok() : cannot_write("to standard output", error);
  }
  struct stat info {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) return cannot_write(path, EISDIR);
  // A pipe or a device cannot be replaced by a file.
  const bool in_place = exists && !S_ISREG(info.st_mode);
  const std::string target = in_place ? path : fmt::format("{}.{}.tmp", path, ::getpid());
  const int fd = ::open(target.c_str(), O_WRONLY | O_CLOEXEC | (in_place ? 0 : O_CREAT | O_TRUNC), 0666);
  if (fd < 0) return cannot_write(path, errno);
  int error = write_all(fd, text);
  if (::close(fd) != 0 && error == 0) error = errno;
  if (error == 0 && !in_place && ::rename(target.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0 && !in_place) ::unlink(target.c_str());
  return error == 0 ? Status::ok() : cannot_write(path, error);
}

}  // namespace ravel
