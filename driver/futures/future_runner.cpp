// SPDX-License-Identifier: Apache-2.0
#include "driver/futures/future_runner.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "driver/campaign/module_map.h"
#include "driver/campaign/schedule_builder.h"
#include "driver/futures/order_search.h"
#include "reports/local_variables.h"
#include "trace/schedule_writer.h"

namespace ravel {
namespace {

bool reads_memory(OperationKind kind) {
  switch (kind) {
    case OperationKind::read:
    case OperationKind::read_write:
    case OperationKind::atomic_load:
    case OperationKind::atomic_rmw:
    case OperationKind::atomic_cas:
      return true;
    default:
      return false;
  }
}

bool writes_memory(const TraceEvent& event) {
  switch (event.operation.kind) {
    case OperationKind::write:
    case OperationKind::read_write:
    case OperationKind::atomic_store:
    case OperationKind::atomic_rmw:
      return true;
    case OperationKind::atomic_cas:
      return (event.flags & kTraceChanged) != 0;
    default:
      return false;
  }
}

bool in_own_stack(const Operation& operation, const std::vector<TaskRecord>& tasks) {
  if (operation.task >= tasks.size()) return false;
  const TaskRecord& record = tasks[operation.task];
  return operation.object >= record.stack_low && operation.object < record.stack_high;
}

// What semaphores, barriers and the like do to their own memory is no read of the user's, nor is the counting of those
// who share a pointer.
bool is_synchronisation(const Frame& frame) {
  if (frame.function.find("std::_Sp_counted_base") != std::string::npos) return true;
  constexpr std::string_view kHeaders[] = {"/bits/semaphore_base.h",
                                           "/bits/atomic_wait.h",
                                           "/bits/atomic_timed_wait.h",
                                           "/semaphore",
                                           "/latch",
                                           "/barrier",
                                           "/mutex",
                                           "/condition_variable",
                                           "/shared_mutex",
                                           "/future",
                                           "/stop_token",
                                           "/__atomic/",
                                           "/__semaphore/"};
  if (frame.file.find("/include/") == std::string::npos) return false;
  return std::any_of(std::begin(kHeaders), std::end(kHeaders), [&](std::string_view header) {
    return header.ends_with('/') ? frame.file.find(header) != std::string::npos : frame.file.ends_with(header);
  });
}

// The library's copying of what a new thread runs and gets. Names of templates with local types have no scope.
bool starts_thread(const Frame& frame) {
  struct Starter {
    std::string_view header;
    std::string_view name;
  };
  constexpr Starter kStarters[] = {{"/std_thread.h", "thread<"}, {"/thread", "jthread<"}, {"/future", "async<"}};
  return std::any_of(std::begin(kStarters), std::end(kStarters), [&](const Starter& one) {
    return frame.file.ends_with(one.header) &&
           (frame.function.starts_with(one.name) ||
            frame.function.find(fmt::format("::{}", one.name)) != std::string::npos);
  });
}

// What compilers make for a lambda beside its body: the copying of what it captured. Nobody wrote it.
bool copies_lambda(const Frame& frame) {
  const std::string& name = frame.function;
  if (name.starts_with("<lambda") || name.starts_with("~<lambda")) return true;
  std::size_t end = name.rfind("}::");  // `main::{lambda()#1}::`, `main::{unnamed}::`; clang: `main::$_0::`
  if (const std::size_t dollar = name.rfind("$_");
      dollar != std::string::npos && (end == std::string::npos || dollar > end)) {
    end = name.find("::", dollar);
    return end != std::string::npos && !name.substr(end).starts_with("::operator");
  }
  return end != std::string::npos && !name.substr(end).starts_with("}::operator");
}

// The pointer to the virtual methods of an object.
bool is_made_by_compiler(const std::string& variable) { return variable.find("._vptr") != std::string::npos; }

// The same place, as one that is no row.
std::uint32_t hidden_place(std::uint32_t place, ObservedExecution& seen) {
  SourcePlace hidden = seen.places[place];
  hidden.in_library = true;
  const auto known = std::find(seen.places.begin(), seen.places.end(), hidden);
  const auto number = static_cast<std::uint32_t>(known - seen.places.begin());
  if (known == seen.places.end()) seen.places.push_back(std::move(hidden));
  return number;
}

bool is_users(const Frame& frame) { return !is_library_frame(frame) && !copies_lambda(frame); }

// Accesses that overlap belong together: the number of its group for each event, 0 for what is not shared.
// `hands_over`: by event, what a creator writes into a thread's own copy of callable and arguments. That copy is the
// thread's from the start, so the pointers to what a lambda captures by reference are no variables that two tasks
// share.
std::vector<std::uint32_t> group_memory(const ExecutionRecord& record, const std::vector<bool>& hands_over,
                                        std::vector<Operation>& first_of_group) {
  std::vector<std::size_t> accesses;
  for (std::size_t i = 0; i < record.trace.size(); ++i) {
    if (is_memory_access(record.trace[i].operation.kind)) accesses.push_back(i);
  }
  const auto operation = [&](std::size_t i) -> const Operation& { return record.trace[i].operation; };
  std::stable_sort(accesses.begin(), accesses.end(),
                   [&](std::size_t a, std::size_t b) { return operation(a).object < operation(b).object; });
  std::vector<std::uint32_t> groups(record.trace.size());
  first_of_group.assign(1, Operation{});
  for (std::size_t begin = 0; begin < accesses.size();) {
    std::uint64_t end_address = operation(accesses[begin]).object + operation(accesses[begin]).size;
    std::size_t end = begin + 1;
    while (end < accesses.size() && operation(accesses[end]).object < end_address) {
      end_address = std::max(end_address, operation(accesses[end]).object + operation(accesses[end]).size);
      ++end;
    }
    TaskId before = kNoTask;
    bool shared = false;
    bool written = false;
    bool all_own = true;
    for (std::size_t i = begin; i < end; ++i) {
      const Operation& one = operation(accesses[i]);
      if (hands_over[accesses[i]]) continue;
      shared = shared || (before != kNoTask && one.task != before);
      before = one.task;
      written = written || writes_memory(record.trace[accesses[i]]);
      all_own = all_own && in_own_stack(one, record.tasks);
    }
    // Stacks are used again by later tasks: who is in its own shares nothing.
    if (shared && written && !all_own) {
      const auto number = static_cast<std::uint32_t>(first_of_group.size());
      first_of_group.push_back(operation(accesses[begin]));
      for (std::size_t i = begin; i < end; ++i) groups[accesses[i]] = number;
    }
    begin = end;
  }
  return groups;
}

}  // namespace

FutureRunner::FutureRunner(FutureRunnerOptions options) : options_(std::move(options)) {
  options_.launch.points = PointLevel::all;
}

Status FutureRunner::ensure_target() {
  if (target_ != nullptr && target_->can_execute()) return Status::ok();
  TargetSettings settings;
  settings.executable = options_.executable;
  settings.arguments = options_.program;
  settings.runtime = options_.runtime;
  settings.launch = options_.launch;
  settings.timeout = options_.timeout;
  settings.input = options_.input;
  settings.interrupted = options_.interrupted;
  auto started = Target::start(settings);
  if (!started.is_ok()) return started.status();
  target_ = std::move(started.value());
  symboliser_.reset();
  switch (target_->wait_for_arrival()) {
    case Arrival::forks:
    case Arrival::single:
      return Status::ok();
    case Arrival::ended:
    case Arrival::replaced:
      return Status::trouble(fmt::format("{} ended without creating a thread", options_.program[0]),
                             "futures are about what threads see of each other");
    case Arrival::too_slow:
      return Status::trouble(
          fmt::format("{} did not create a thread within {}", options_.program[0], duration_text(options_.timeout)),
          "allow more time: --timeout 60s");
    case Arrival::interrupted:
      break;
  }
  return Status::trouble("interrupted", "");
}

Result<PerformedExecution> FutureRunner::perform(const std::vector<std::uint64_t>& directions) {
  PlannedExecution planned;
  planned.plan.strategy = StrategyKind::sequential;
  planned.plan.exhaustive = 1;
  planned.details = directions;
  return perform(std::move(planned));
}

Result<PerformedExecution> FutureRunner::perform(PlannedExecution planned) {
  if (Status status = ensure_target(); !status.is_ok()) return status;
  planned.plan.trace = TraceLevel::values;
  planned.plan.short_sleeps = 1;
  target_->channel().watch = WatchRequest{};
  target_->channel().watch.creations = 1;
  const ExecutionEnd end = target_->execute(planned, 0);
  if (end == ExecutionEnd::interrupted) return Status::trouble("interrupted", "");
  if (end == ExecutionEnd::target_lost) {
    return Status::trouble(fmt::format("the process of {} died outside the execution", options_.program[0]),
                           "check whether it runs without Ravel");
  }
  ++executions_;
  PerformedExecution performed;
  performed.record = record_execution(*target_, end, options_.timeout);
  performed.record.plan = planned.plan;
  performed.seen = observe(performed.record);
  for (const FindingRecord& finding : performed.record.findings) {
    performed.findings.push_back(resolve_finding(finding, performed.record.tasks, symboliser(),
                                                 performed.record.weak_reads, performed.record.creations));
  }
  return performed;
}

Symboliser& FutureRunner::symboliser() {
  const std::size_t modules = target_->channel().modules;
  if (!symboliser_ || modules != symboliser_modules_) {
    symboliser_.emplace(options_.executable, modules_of(target_->channel()));
    symboliser_modules_ = modules;
  }
  return *symboliser_;
}

FutureRunner::Whereabouts FutureRunner::place_of(const TraceEvent& event, const StackRecord* stack,
                                                 ObservedExecution& into) {
  std::vector<Frame> frames = symboliser().code(event.operation.pc);
  if (std::none_of(frames.begin(), frames.end(), is_users) && stack != nullptr) {
    for (std::size_t i = 0; i < std::min<std::size_t>(stack->count, kMaxFrames); ++i) {
      const std::vector<Frame>& here = symboliser().code(stack->frames[i]);
      frames.insert(frames.end(), here.begin(), here.end());
    }
  }
  SourcePlace place;
  Whereabouts result;
  if (const Frame* const frame = user_frame(frames)) {
    const std::span<const Frame> below(frames.data(), frame);
    const bool hidden = is_library_frame(*frame) || std::any_of(below.begin(), below.end(), is_synchronisation);
    place = SourcePlace{frame->file, frame->line, location_text(*frame), hidden};
    const auto end = std::find_if(frames.begin(), frames.end(), is_users);
    result.hands_over = std::any_of(frames.begin(), end, starts_thread);
  }
  const auto known = std::find(into.places.begin(), into.places.end(), place);
  result.place = static_cast<std::uint32_t>(known - into.places.begin());
  if (known == into.places.end()) into.places.push_back(std::move(place));
  return result;
}

ObservedExecution FutureRunner::observe(const ExecutionRecord& record) {
  ObservedExecution seen;
  seen.complete =
      record.summary.trace_full == 0 && record.summary.external == 0 && record.summary.outcome != Outcome::cut;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Whereabouts> known;  // by pc and calls
  std::vector<std::uint32_t> places(record.trace.size());
  std::vector<bool> hands_over(record.trace.size());
  for (std::size_t i = 0; i < record.trace.size(); ++i) {
    const StackRecord* const stack = i < record.step_stacks.size() ? &record.step_stacks[i] : nullptr;
    std::uint64_t calls = 0;
    if (stack != nullptr) {
      for (std::size_t f = 0; f < std::min<std::size_t>(stack->count, kMaxFrames); ++f) {
        calls = calls * 31 + stack->frames[f];
      }
    }
    const auto [entry, is_new] = known.try_emplace({record.trace[i].operation.pc, calls});
    if (is_new) entry->second = place_of(record.trace[i], stack, seen);
    places[i] = entry->second.place;
    hands_over[i] = entry->second.hands_over && writes_memory(record.trace[i]);
  }
  std::vector<Operation> first_of_group;
  const std::vector<std::uint32_t> groups = group_memory(record, hands_over, first_of_group);
  LocalVariables locals(record.tasks, record.creations, symboliser());
  seen.variables.resize(first_of_group.size());
  for (std::size_t i = 1; i < first_of_group.size(); ++i) {
    const Operation& access = first_of_group[i];
    const DataName& data = symboliser().data(access.object, access.size);
    if (data.known()) {
      seen.variables[i].name = data.text();
    } else {
      const auto tasks = static_cast<TaskId>(record.tasks.size());
      const LocalName local = locals.at(access.object, access.size, tasks, record.summary.steps);
      if (local.known()) seen.variables[i].name = local.text();
    }
  }
  seen.by_task.resize(std::max<std::size_t>(record.summary.tasks, 1));
  std::map<std::tuple<TaskId, std::uint32_t, std::uint32_t>, std::uint32_t> occurrences;
  std::vector<std::vector<std::size_t>> writes(first_of_group.size());
  std::size_t offer = 0;
  seen.events.reserve(record.trace.size());
  for (std::size_t i = 0; i < record.trace.size(); ++i) {
    const TraceEvent& traced = record.trace[i];
    ObservedEvent event;
    event.operation = traced.operation;
    event.variable = groups[i];
    if (event.task() >= seen.by_task.size()) seen.by_task.resize(event.task() + 1);
    event.number = static_cast<std::uint32_t>(seen.by_task[event.task()].size() + 1);
    for (; offer < record.offered.size() && record.offered[offer].step <= i + 1; ++offer) {
      if (record.offered[offer].kind == DecisionKind::environment) event.answers.push_back(record.offered[offer].taken);
      if (record.offered[offer].kind == DecisionKind::reads_from) event.stores = record.offered[offer].options;
    }
    event.place = places[i];
    if (event.variable != 0 && is_made_by_compiler(seen.variables[event.variable].name)) {
      event.place = hidden_place(event.place, seen);
    }
    if (event.variable != 0) {
      event.reads = reads_memory(traced.operation.kind);
      event.writes = writes_memory(traced);
      event.occurrence = ++occurrences[{event.task(), event.place, event.variable}];
      if (event.reads) {
        event.source = kInitialValue;
        const std::vector<std::size_t>& before = writes[event.variable];
        for (std::size_t w = before.size(); w-- > 0;) {
          if (!overlap(seen.events[before[w]].operation, event.operation)) continue;
          event.source = static_cast<std::int64_t>(before[w]);
          break;
        }
        if ((traced.flags & kTraceStoreKnown) != 0) event.source = static_cast<std::int64_t>(traced.store) - 1;
      }
      const bool after = event.writes && !event.reads;
      event.value_known = (traced.flags & (after ? kTraceAfterKnown : kTraceBeforeKnown)) != 0;
      event.value = after ? traced.after : traced.before;
      if (event.writes) writes[event.variable].push_back(i);
    } else if (!is_memory_access(traced.operation.kind)) {
      event.value = traced.before;  // units of a semaphore
    }
    if (!is_modelled(traced.operation.kind) || !event.answers.empty()) seen.exact = false;
    seen.by_task[event.task()].push_back(i);
    seen.events.push_back(std::move(event));
  }
  return seen;
}

Status FutureRunner::save(const PerformedExecution& performed, std::uint64_t execution, const std::string& path) {
  const Channel& channel = target_->channel();
  const ModuleMap modules(options_.executable, modules_of(channel));
  ScheduleOrigin origin;
  origin.program = options_.program;
  origin.executable = options_.executable;
  origin.campaign_strategy = strategy_name(performed.record.plan.strategy);
  origin.execution = execution;
  origin.launch = target_->launch();
  origin.plan = performed.record.plan;
  Schedule schedule = build_schedule(origin, performed.record, {}, modules);
  if (!performed.findings.empty()) {
    schedule.finding = performed.findings[0].kind;
    schedule.finding_message = performed.findings[0].message;
    schedule.finding_id = performed.findings[0].signature;
  }
  return write_schedule(schedule, path);
}

}  // namespace ravel
