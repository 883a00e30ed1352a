// SPDX-License-Identifier: Apache-2.0
#include "driver/generate/generation.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "driver/target/running_program.h"
#include "reports/finding_report.h"
#include "reports/text_report.h"
#include "strategies/registry.h"
#include "strategies/search_prefix.h"

namespace ravel {
namespace {

// Executions of the first look. What only others call is seen later, and then is no function of its own.
constexpr std::uint64_t kLooks = 8;

// Functions by where they begin.
using FunctionMap = std::map<std::uint64_t, CalledFunction>;

void add_functions(FunctionMap& functions, const ExecutionRecord& record, Symboliser& symboliser) {
  for (const TraceEvent& event : record.trace) {
    const std::uint64_t pc = event.operation.pc;
    if (event.operation.kind != OperationKind::call_begin || functions.contains(pc)) continue;
    const Frame& frame = symboliser.code(pc).back();
    const bool own = !frame.file.empty() && !is_library_frame(frame);
    functions[pc] = own ? CalledFunction{frame.function, frame.file, frame.line} : CalledFunction{};
  }
}

Result<FunctionMap> find_functions(const CampaignOptions& campaign) {
  TargetSettings settings = campaign.target;
  settings.launch.calls = CallPoints::all;
  settings.launch.random_seed = campaign.seed;
  RunningProgram program(settings);
  const std::unique_ptr<Planner> sequential = make_planner("sequential", campaign.seed);
  const std::unique_ptr<Planner> mixed = make_planner("random", campaign.seed);
  FunctionMap functions;
  for (std::uint64_t look = 0; look < kLooks; ++look) {
    PlannedExecution planned = (look == 0 ? sequential : mixed)->next(look);
    planned.plan.trace = TraceLevel::operations;
    const auto record = program.perform(planned, program.sites_now(), {});
    if (!record.is_ok()) return record.status();
    if (record.value().without_tasks) {
      return Status::trouble(fmt::format("{} ended without creating a thread", program.name()),
                             "ravel generate is about calls that different threads make; give the program arguments "
                             "with which it has several");
    }
    program.learn_new_sites();
    program.need_identities(record.value().summary.tasks);
    add_functions(functions, record.value(), program.symboliser());
  }
  std::erase_if(functions, [](const auto& entry) { return entry.second.name.empty(); });
  if (functions.empty()) {
    return Status::trouble(
        fmt::format("no function of {}'s own sources was seen to run beside another thread", program.name()),
        "build it with `ravel c++` instead of the compiler, without -O");
  }
  return functions;
}

FunctionPair pair_of(std::string a, std::string b) {
  if (b < a) std::swap(a, b);
  return {std::move(a), std::move(b)};
}

}  // namespace

std::set<std::string> Generation::parallel_functions() const {
  std::set<std::string> names;
  for (const auto& [names_of_pair, outcome] : pairs) {
    names.insert(names_of_pair.first);
    names.insert(names_of_pair.second);
  }
  return names;
}

std::optional<FunctionPair> functions_of(const ResolvedFinding& finding, const std::set<std::string>& names) {
  std::vector<std::string> sides;
  for (const ResolvedStack& stack : finding.stacks) {
    const auto known = std::find_if(stack.whole.begin(), stack.whole.end(),
                                    [&](const Frame& frame) { return names.contains(frame.function); });
    if (known != stack.whole.end()) sides.push_back(known->function);
  }
  if (sides.size() != 2) return std::nullopt;
  return pair_of(sides[0], sides[1]);
}

Result<Generation> explore_in_place(CampaignOptions campaign, const InPlaceOptions& options,
                                    CampaignObserver& observer) {
  const auto found = find_functions(campaign);
  if (!found.is_ok()) return found.status();
  const FunctionMap& functions = found.value();
  Generation generation;
  std::set<std::string> names;
  for (const auto& [pc, function] : functions) {
    campaign.first_sites.push_back(pc);
    if (names.insert(function.name).second) generation.functions.push_back(function);
  }
  std::sort(generation.functions.begin(), generation.functions.end(),
            [](const CalledFunction& a, const CalledFunction& b) { return a.name < b.name; });

  InPlaceLog log;
  campaign.target.launch.calls = CallPoints::listed;
  campaign.strategy = strategy_name(StrategyKind::dpor);
  campaign.planner = [&] { return std::make_unique<InPlacePlanner>(options, log); };
  campaign.keep_going = true;
  campaign.jobs = 1;
  generation.end = Campaign(campaign, observer).run();
  generation.end.result.command = "generate";
  generation.left = log.left;
  generation.recordings = log.recordings;
  generation.whole_recordings = log.incomplete_recordings == 0;

  if (!generation.whole_recordings) {
    generation.end.result.notes.push_back(fmt::format(
        "{} of {} were not looked at as a whole: they have more than {} steps or {} threads, or left Ravel's "
        "control; pairs may be missing",
        log.incomplete_recordings, counted(log.recordings, "recording"), kMaxSearchSteps, kMaxSearchTasks));
  }
  const auto name_of = [&](std::uint64_t pc) { return functions.at(pc).name; };
  for (const auto& [a, b] : log.parallel) generation.pairs[pair_of(name_of(a), name_of(b))].complete = false;
  for (const ExploredPair& pair : log.pairs) {
    PairOutcome& outcome = generation.pairs[pair_of(name_of(pair.functions[0]), name_of(pair.functions[1]))];
    outcome.complete = (outcome.contexts == 0 || outcome.complete) && pair.complete;
    ++outcome.contexts;
    outcome.executions += pair.executions;
    outcome.orders += pair.orders;
  }
  for (const ReportedFinding& finding : generation.end.result.findings) {
    const auto sides = functions_of(finding.finding, names);
    if (sides) generation.pairs[*sides].findings.push_back(finding.id);
  }
  return generation;
}

}  // namespace ravel
