// SPDX-License-Identifier: Apache-2.0
#include "driver/noise/noise_campaign.h"

#include <sys/wait.h>

#include <algorithm>
#include <thread>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "base/mutex.h"
#include "driver/noise/free_watch.h"
#include "driver/noise/oracle.h"
#include "driver/noise/reproduction.h"
#include "driver/noise/run_events.h"
#include "driver/noise/sync_calls.h"
#include "driver/target/failure_words.h"
#include "driver/target/running_program.h"
#include "reports/finding_report.h"
#include "reports/symboliser.h"

namespace ravel {
namespace {

constexpr std::size_t kWholeOutput = std::size_t{64} << 20;  // kept when it is compared
constexpr std::size_t kMaxFailures = 100;                    // different ones that are distinguished
constexpr std::size_t kMostRecordings = 3;                   // of one failure
constexpr std::size_t kMostSamples = 4;                      // runs that passed, for the race detector
constexpr double kShareOfRuns = 0.8;                         // of the time; the rest is for following their records

// One run to perform.
struct RunOrder {
  std::uint64_t number = 0;  // counts from 0, both arms
  bool control = false;
  PlannedNoise planned;
  std::vector<std::uint64_t> sites;
  std::vector<std::uint8_t> weights;
};

// What one run showed.
struct RunReport {
  std::optional<FindingRecord> failure;
  std::vector<TaskRecord> tasks;
  std::string detail;
};

class Session {
 public:
  Session(const NoiseOptions& options, NoiseObserver& observer)
      : options_(options),
        observer_(observer),
        planner_(options.noise, options.longest, options.seed),
        modules_(options.target.executable) {
    result_.program = options.target.arguments;
    result_.seed = options.seed;
    result_.recorded = options.record;
    if (options.control) result_.control.emplace();
  }

  Status prepare() {
    const MutexLock lock(mutex_);
    if (options_.expected_output) expected_ = options_.expected_output;
    return options_.coverage_file.empty() ? Status::ok() : coverage_.read(options_.coverage_file);
  }

  void work() {
    RunningProgram program(target_settings());
    while (const std::optional<RunOrder> order = next_order()) perform(*order, program);
  }

  NoiseEnd take_end();

 private:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

  bool is_over() const { return options_.target.deadline.has_come(); }

  std::optional<RunOrder> next_order();
  void perform(const RunOrder& order, RunningProgram& program);
  TargetSettings target_settings() const;
  RunReport judge(Target& target, ExecutionEnd end, bool deadlocked);
  void judge_output(Target& target, RunReport& report);
  void finish(const RunOrder& order, Target& target, const RunReport& report, const RunEvents& events);
  void learn_locked(const RunOrder& order, const Channel& channel, const RunEvents& events, bool failed)
      RAVEL_REQUIRES(mutex_);
  void count_failure_locked(const RunOrder& order, Target& target, const RunReport& report) RAVEL_REQUIRES(mutex_);
  Symboliser& symbols_locked(const Channel& channel) RAVEL_REQUIRES(mutex_);
  bool wants_revisits(const RunOrder& order) {
    const MutexLock lock(mutex_);
    return !order.control && planner_.wants_revisits();
  }
  void note_once_locked(const std::string& sentence) RAVEL_REQUIRES(mutex_) {
    auto& notes = result_.notes;
    if (std::find(notes.begin(), notes.end(), sentence) == notes.end()) notes.push_back(sentence);
  }
  void fail(Status trouble) {
    const MutexLock lock(mutex_);
    if (trouble_.is_ok()) trouble_ = std::move(trouble);
    stopped_ = true;
  }

  const NoiseOptions& options_;
  NoiseObserver& observer_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();

  Mutex mutex_;
  NoisePlanner planner_ RAVEL_GUARDED_BY(mutex_);
  MethodCoverage coverage_ RAVEL_GUARDED_BY(mutex_);
  std::uint64_t ordered_ RAVEL_GUARDED_BY(mutex_) = 0;
  std::uint64_t next_sample_ RAVEL_GUARDED_BY(mutex_) = 1;
  bool listed_ RAVEL_GUARDED_BY(mutex_) = false;  // its calls were read from the program's file
  bool stopped_ RAVEL_GUARDED_BY(mutex_) = false;
  Status trouble_ RAVEL_GUARDED_BY(mutex_) = Status::ok();
  NoiseResult result_ RAVEL_GUARDED_BY(mutex_);
  std::optional<std::string> expected_ RAVEL_GUARDED_BY(mutex_);  // output
  std::vector<std::uint64_t> sites_ RAVEL_GUARDED_BY(mutex_);     // code whose accesses are events
  std::unordered_set<std::uint64_t> sites_known_ RAVEL_GUARDED_BY(mutex_);
  std::vector<std::uint64_t> places_ RAVEL_GUARDED_BY(mutex_);  // all code with concurrent events
  std::unordered_set<std::uint64_t> places_known_ RAVEL_GUARDED_BY(mutex_);
  std::unordered_set<std::uint64_t> cycle_locks_ RAVEL_GUARDED_BY(mutex_);
  std::unordered_map<std::string, std::size_t> failures_ RAVEL_GUARDED_BY(mutex_);  // by signature
  std::vector<std::vector<Recording>> recordings_ RAVEL_GUARDED_BY(mutex_);         // of each failure
  std::vector<Recording> samples_ RAVEL_GUARDED_BY(mutex_);                         // of runs that passed
  LoadedModules modules_ RAVEL_GUARDED_BY(mutex_);
};

std::optional<RunOrder> Session::next_order() {
  constexpr std::uint8_t kCycleWeight = 16;
  const MutexLock lock(mutex_);
  const std::uint64_t budget = options_.control ? options_.runs * 2 : options_.runs;
  if (stopped_ || is_over() || ordered_ >= budget) return std::nullopt;
  // What follows the runs needs some of the time.
  const double share = failures_.empty() && !options_.races ? 1 : kShareOfRuns;
  if (options_.time && seconds() >= share * std::chrono::duration<double>(*options_.time).count()) return std::nullopt;
  RunOrder order;
  order.number = ordered_++;
  order.control = options_.control && order.number % 2 == 1;
  const std::uint64_t in_arm = options_.control ? order.number / 2 : order.number;
  order.planned = order.control ? planner_.quiet(in_arm) : planner_.plan(in_arm);
  order.planned.plan.record = options_.record ? 1 : 0;
  order.planned.plan.coverage = order.control ? 0 : 1;
  order.sites = sites_;
  const std::vector<std::uint64_t>& targets = order.planned.arm.targets;
  const auto weight_at = [&](std::uint64_t pc) RAVEL_REQUIRES(mutex_) {
    if (std::find(targets.begin(), targets.end(), pc) != targets.end()) return kTargetWeight;
    return std::max(coverage_.weight_at(pc), cycle_locks_.contains(pc) ? kCycleWeight : std::uint8_t{1});
  };
  for (const std::uint64_t pc : order.sites) order.weights.push_back(weight_at(pc));
  if (order.control) return order;
  // Other code is named only where it is to be disturbed more than usual.
  for (const std::uint64_t pc : places_) {
    if (order.sites.size() == kMaxSites) break;
    const std::uint8_t weight = weight_at(pc);
    if (weight == 1 || sites_known_.contains(pc)) continue;
    order.sites.push_back(pc);
    order.weights.push_back(weight);
  }
  return order;
}

TargetSettings Session::target_settings() const {
  TargetSettings settings = options_.target;
  settings.launch.carrier = CarrierKind::free;
  settings.launch.single = 1;
  settings.launch.random_seed = options_.seed;
  if (options_.expected_output || options_.same_output || !options_.oracle.empty()) settings.output_head = kWholeOutput;
  return settings;
}

void Session::perform(const RunOrder& order, RunningProgram& program) {
  FreeWatch watch;
  bool deadlocked = false;
  std::optional<KernelView> kernel;
  const Result<ExecutionEnd> end =
      program.run_freely(order.planned.plan, order.sites, order.weights, [&](const Channel& seen, pid_t process) {
        if (!kernel) kernel = kernel_view(process);
        deadlocked = watch.is_deadlocked(take_snapshot(seen.result.free), std::chrono::steady_clock::now(), *kernel);
        return deadlocked;
      });
  if (!end.is_ok()) return fail(end.status());
  if (end.value() == ExecutionEnd::cut) return;
  if (end.value() == ExecutionEnd::target_lost) {
    return fail(
        Status::trouble(fmt::format("the process of {} died before its run began", program.name()),
                        "check whether it runs without Ravel, and the memory limits of this shell (ulimit -v)"));
  }
  Target& target = program.target();
  const RunReport report = judge(target, end.value(), deadlocked);
  if (is_over()) return;  // what was judged may be an effect of the run being cut
  finish(order, target, report, read_run_events(target.channel().result.free, wants_revisits(order)));
}

RunReport Session::judge(Target& target, ExecutionEnd end, bool deadlocked) {
  RunReport report;
  if (end == ExecutionEnd::timed_out) {
    const FreeSnapshot snapshot = take_snapshot(target.channel().result.free);
    report.tasks = task_records_of(snapshot);
    report.failure =
        deadlocked ? record_of(snapshot, FindingKind::deadlock, "")
                   : record_of(snapshot, FindingKind::timeout,
                               fmt::format("the run did not end within {}", duration_text(options_.target.timeout)));
    return report;
  }
  const int status = target.wait_status();
  const bool is_ok = WIFEXITED(status) && target.is_ok_exit(WEXITSTATUS(status));
  if (!is_ok) report.failure = failure_of_status(status, target.output().text());
  judge_output(target, report);
  return report;
}

void Session::judge_output(Target& target, RunReport& report) {
  if (!options_.expected_output && !options_.same_output && options_.oracle.empty()) return;
  const std::string output = target.output().text();
  if (!report.failure && (options_.expected_output || options_.same_output)) {
    std::string expected;
    {
      const MutexLock lock(mutex_);
      if (!expected_) expected_ = output;
      expected = *expected_;
    }
    if (output != expected) {
      report.failure =
          failure_record(FindingKind::wrong_output,
                         options_.expected_output ? fmt::format("the output differs from {}", options_.expected_name)
                                                  : std::string("the output differs from that of the first run"));
      report.detail = first_difference(expected, output);
    }
  }
  if (options_.oracle.empty()) return;
  auto verdict =
      ask_oracle(options_.oracle, output, target.wait_status(), options_.target.timeout, options_.target.deadline);
  if (!verdict.is_ok()) return fail(verdict.status());
  if (report.failure || verdict.value().passed) return;
  report.failure = failure_record(FindingKind::wrong_output, verdict.value().message);
  report.detail = verdict.value().said;
}

// Addresses are the same in all runs: one table is enough, unless a run loads more libraries.
Symboliser& Session::symbols_locked(const Channel& channel) {
  if (modules_of(channel).size() > modules_.size()) modules_.refresh(modules_of(channel));
  return modules_.symboliser();
}

void Session::learn_locked(const RunOrder& order, const Channel& channel, const RunEvents& events, bool failed) {
  const FreeRun& run = channel.result.free;
  for (const std::uint64_t pc : new_sites_of(channel)) {
    if (pc != 0 && sites_.size() < kMaxSites && sites_known_.insert(pc).second) sites_.push_back(pc);
  }
  for (const std::uint64_t pc : events.concurrent) {
    if (places_known_.insert(pc).second) places_.push_back(pc);
  }
  planner_.hunt_revisits(events.revisits);
  cycle_locks_.insert(events.cycle_locks.begin(), events.cycle_locks.end());
  if (channel.launch.instrumented != 0) result_.instrumented = true;
  if (run.record_full != 0) {
    note_once_locked(
        "a run had more concurrent events than its record holds; such runs cannot be followed to their end");
  }
  if (run.interruptions_full != 0)
    note_once_locked("a run had more interruptions than are counted; coverage is a lower bound");
  if (run.priority_denied != 0) {
    note_once_locked(
        "the system does not let threads raise their priority again, so the noise `priority` was left out "
        "(it needs CAP_SYS_NICE)");
  }
  if (run.threads > kMaxFreeThreads) {
    note_once_locked(fmt::format("only the first {} threads of a run are disturbed", kMaxFreeThreads));
  }
  if (order.control) return;
  planner_.learn(order.planned, events.placed, failed);
  const bool deadlocked = std::any_of(result_.failures.begin(), result_.failures.end(), [](const NoiseFailure& one) {
    return one.seen.finding.kind == FindingKind::deadlock;
  });
  if (deadlocked) {
    planner_.stop_hunting();
  } else if (!cycle_locks_.empty()) {
    planner_.hunt_deadlock(options_.control ? ordered_ / 2 : ordered_);
  }
  result_.events += events.events;
  for (unsigned i = 0; i < kNoiseKinds; ++i) result_.noises[i] += run.noises[i];
  Symboliser& symbols = symbols_locked(channel);
  const auto name_of = [&](std::uint64_t pc) RAVEL_REQUIRES(mutex_) {
    const Frame* const frame = user_frame(symbols.code(pc));
    if (frame == nullptr || is_library_frame(*frame)) return std::string();
    if (frame->function != "??") return frame->function;
    note_once_locked("there are concurrent events in code without names, which coverage leaves out; build it with -g");
    return std::string();
  };
  if (!listed_ && channel.launch.modules > 0) {
    listed_ = true;
    std::vector<std::uint64_t> calls = synchronising_calls(options_.target.executable);
    for (std::uint64_t& pc : calls) pc += channel.launch.module[0].bias;  // the program itself comes first
    coverage_.list(calls, name_of);
  }
  coverage_.learn(events, name_of);
}

void Session::count_failure_locked(const RunOrder& order, Target& target, const RunReport& report) {
  const ResolvedFinding finding = resolve_finding(*report.failure, report.tasks, symbols_locked(target.channel()));
  const auto known = failures_.find(finding.signature);
  std::size_t index = 0;
  if (known != failures_.end()) {
    index = known->second;
  } else if (result_.failures.size() == kMaxFailures) {
    note_once_locked(fmt::format("more than {} different failures; further ones are only counted", kMaxFailures));
    return;
  } else {
    index = result_.failures.size();
    failures_.emplace(finding.signature, index);
    NoiseFailure failure;
    failure.seen.id = static_cast<std::uint32_t>(index + 1);
    failure.seen.finding = finding;
    failure.seen.first_execution = order.number + 1;
    failure.seen.tasks = target.channel().result.free.threads;
    failure.seen.output = target.output().text();
    failure.seen.output_truncated = target.output().dropped_bytes() > 0;
    constexpr std::size_t kToldOutput = OutputCapture::kHeadBytes + OutputCapture::kTailBytes;
    if (failure.seen.output.size() > kToldOutput) {
      failure.seen.output.erase(0, failure.seen.output.size() - kToldOutput);
      failure.seen.output_truncated = true;
    }
    failure.detail = report.detail;
    result_.failures.push_back(std::move(failure));
    recordings_.emplace_back();
  }
  NoiseFailure& failure = result_.failures[index];
  ++failure.seen.count;
  if (order.control) ++failure.control_count;
  if (options_.record && recordings_[index].size() < kMostRecordings && index < kMostReproduced) {
    recordings_[index].push_back(read_recording(target.channel().result.free));
  }
}

void Session::finish(const RunOrder& order, Target& target, const RunReport& report, const RunEvents& events) {
  const MutexLock lock(mutex_);
  FailureRate& arm = order.control ? *result_.control : result_.seeded;
  ++arm.runs;
  learn_locked(order, target.channel(), events, report.failure.has_value());
  if (report.failure) {
    ++arm.failures;
    count_failure_locked(order, target, report);
    if (options_.stop_on_failure) stopped_ = true;
  } else if (options_.races && samples_.size() < kMostSamples && arm.runs >= next_sample_) {
    samples_.push_back(read_recording(target.channel().result.free));
    next_sample_ = arm.runs * 4;
  }
  const double covered = coverage_.share();
  if (options_.until_coverage && covered >= *options_.until_coverage) stopped_ = true;
  const std::uint64_t budget = options_.control ? options_.runs * 2 : options_.runs;
  observer_.on_progress({result_.runs(), options_.time && options_.runs == ~std::uint64_t{0} >> 1 ? 0 : budget,
                         result_.seeded.failures + (result_.control ? result_.control->failures : 0), covered,
                         seconds()});
}

NoiseEnd Session::take_end() {
  const MutexLock lock(mutex_);
  result_.seconds = seconds();
  result_.coverage = coverage_.summary();
  NoiseEnd end;
  end.trouble = trouble_;
  if (!options_.coverage_file.empty() && result_.runs() > 0) {
    const Status written = coverage_.write(options_.coverage_file);
    if (written.is_ok()) result_.coverage_file = options_.coverage_file;
    if (!written.is_ok() && end.trouble.is_ok()) end.trouble = written;
  }
  // The most frequent failures first: their records lead back to them soonest.
  for (std::size_t i = 0; i < result_.failures.size() && i < kMostReproduced && end.trouble.is_ok(); ++i) {
    if (options_.target.deadline.interrupted()) break;
    NoiseFailure& failure = result_.failures[i];
    if (!options_.record) {
      failure.reproduction = ReproductionResult{};
      failure.reproduction->reason = "its runs were not recorded (--no-record), so there is nothing to follow";
      continue;
    }
    observer_.on_reproduction(failure);
    failure.reproduction = reproduce(options_, failure, recordings_[i]);
  }
  if (options_.races && end.trouble.is_ok() && !options_.target.deadline.interrupted()) {
    DetectorResult detected = detect_races(options_, samples_, static_cast<std::uint32_t>(result_.failures.size() + 1));
    result_.races = std::move(detected.findings);
    result_.race_executions = detected.executions;
    if (samples_.empty()) note_once_locked("no run passed, so there was no record to look for races near it");
    if (!detected.trouble.empty()) {
      note_once_locked(fmt::format("a record could not be followed to look for races: {}", detected.trouble));
    }
  }
  end.result = std::move(result_);
  return end;
}

}  // namespace

NoiseEnd NoiseCampaign::run() {
  Session session(options_, observer_);
  if (const Status status = session.prepare(); !status.is_ok()) {
    NoiseEnd end;
    end.trouble = status;
    return end;
  }
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < options_.jobs; ++i) threads.emplace_back([&session] { session.work(); });
  session.work();
  for (std::thread& thread : threads) thread.join();
  return session.take_end();
}

}  // namespace ravel
