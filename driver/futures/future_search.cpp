// SPDX-License-Identifier: Apache-2.0
#include "driver/futures/future_search.h"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include "driver/futures/future_difference.h"
#include "driver/futures/order_directions.h"
#include "driver/futures/order_proof.h"
#include "reports/text_report.h"

namespace ravel {
namespace {

constexpr std::size_t kMostOccasions = 32;    // occasions of a pair considered in one execution
constexpr std::size_t kMostToReason = 8;      // executions searched for a reason
constexpr unsigned kMostAttempts = 4;         // executions for one pair that showed something else
constexpr std::size_t kMostRuledOut = 4'000;  // pairs of events, for a proof without further executions
// Shares of the time that is left: for orders, for the two proofs, for random schedules. The rest is for orders again.
constexpr double kShareOfOrders = 0.3;
constexpr double kShareOfRuling = 0.2;
constexpr double kShareOfProof = 0.5;
constexpr double kShareAtRandom = 0.5;
constexpr std::chrono::milliseconds kTimeForReasons{500};
constexpr std::size_t kFewStates = 10'000;
constexpr std::size_t kManyStates = 100'000;

constexpr std::size_t kPromising = 4;  // levels of kOtherReadsLevels: the last one often leads to something else

// The source line without surrounding blanks.
std::string code_at(const SourcePlace& place) {
  if (place.line == 0) return {};
  std::ifstream file(place.file);
  std::string line;
  for (std::uint32_t i = 0; i < place.line; ++i) {
    if (!std::getline(file, line)) return {};
  }
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string::npos) return {};
  return line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
}

std::string value_text(const ObservedEvent& read) {
  if (!read.value_known || read.operation.size > 8) return {};
  switch (read.operation.size) {
    case 1:
      return fmt::format("{}", static_cast<std::int8_t>(read.value));
    case 2:
      return fmt::format("{}", static_cast<std::int16_t>(read.value));
    case 4:
      return fmt::format("{}", static_cast<std::int32_t>(read.value));
    default:
      break;
  }
  // Eight bytes may be a pointer or a number.
  constexpr std::int64_t kMostNumber = std::int64_t{1} << 32;
  const auto number = static_cast<std::int64_t>(read.value);
  if (number > -kMostNumber && number < kMostNumber) return fmt::format("{}", number);
  return fmt::format("{:#x}", read.value);
}

std::string outcome_of(const PerformedExecution& performed) {
  return performed.findings.empty() ? "passed" : finding_name(performed.findings[0].kind);
}

}  // namespace

const char* status_text(FutureStatus status) {
  switch (status) {
    case FutureStatus::seen:
      return "seen";
    case FutureStatus::forced:
      return "forced";
    case FutureStatus::infeasible:
      return "infeasible";
    case FutureStatus::not_reached:
      return "not-reached";
    case FutureStatus::budget:
      return "budget";
  }
  return "";
}

std::string FutureRead::text() const {
  std::string result = object.empty() ? place.text : fmt::format("{} at {}", object, place.text);
  if (task != kNoTask) result += fmt::format(" T{} #{}", task, occurrence);
  return result;
}

FutureSearch::ReadKey FutureSearch::key_of(const ObservedExecution& seen, const ObservedEvent& read) const {
  ReadKey key{seen.places[read.place].text, seen.variables[read.variable].name};
  if (options_.occurrences) {
    key.task = read.task();
    key.occurrence = read.read_occurrence;
  }
  return key;
}

std::string FutureSearch::write_key(const ObservedExecution& seen, std::int64_t write) {
  return write < 0 ? std::string() : seen.places[seen.events[static_cast<std::size_t>(write)].place].text;
}

FutureSearch::StepName FutureSearch::step_name(const ObservedExecution& seen, std::int64_t event) {
  if (event < 0) return {};
  const ObservedEvent& one = seen.events[static_cast<std::size_t>(event)];
  return {one.task(), one.number};
}

// Some read on the way sees what it saw in another execution: what follows is known from there, and was or will be
// looked at.
bool FutureSearch::goes_a_known_way(std::size_t execution, std::size_t target,
                                    const std::vector<std::size_t>& order) const {
  const ObservedExecution& seen = pool_.kept()[execution].seen;
  const std::vector<std::int64_t> sources = sources_in(seen, order);
  for (const std::size_t i : order) {
    if (sources[i] == kReadsNothing || sources[i] == seen.events[i].source || i == target) continue;
    if (sources_.contains({step_name(seen, static_cast<std::int64_t>(i)), step_name(seen, sources[i])})) return true;
  }
  return false;
}

// Learns what the executions of the pool have shown since the last call.
void FutureSearch::learn() {
  for (; learned_ < pool_.kept().size(); ++learned_) {
    const ObservedExecution& seen = pool_.kept()[learned_].seen;
    for (std::size_t i = 0; i < seen.events.size(); ++i) {
      const ObservedEvent& event = seen.events[i];
      if (!event.reads) continue;
      sources_.insert({step_name(seen, static_cast<std::int64_t>(i)), step_name(seen, event.source)});
      if (seen.places[event.place].in_library) continue;
      const ReadKey key = key_of(seen, event);
      if (!event.in_callee || !seen.variables[event.variable].is_heap) users_.insert(key);
      shown_.try_emplace(Pair{key, write_key(seen, event.source)}, Shown{learned_, i, false});
    }
  }
}

bool FutureSearch::has_news(const PerformedExecution& performed) const {
  const ObservedExecution& seen = performed.seen;
  return std::any_of(seen.events.begin(), seen.events.end(), [&](const ObservedEvent& event) {
    return event.reads && !seen.places[event.place].in_library &&
           !shown_.contains(Pair{key_of(seen, event), write_key(seen, event.source)});
  });
}

// Anything new that such an execution shows is as good as any other. True when every schedule was explored.
Result<bool> FutureSearch::look_around(const char* strategy, std::uint64_t most, double share_of_time,
                                       std::uint64_t& made) {
  return pool_.explore(strategy, most, share_of_time, [&](PerformedExecution& performed) {
    ++made;
    if (has_news(performed) || pool_.has_new_finding(performed)) {
      pool_.keep(std::move(performed));
      learn();
    }
    return ExecutionPool::Visit::go_on;
  });
}

// Every read that was seen, paired with every write of its variable that was seen and with the initial value.
std::vector<FutureSearch::Pair> FutureSearch::unshown() const {
  std::map<ReadKey, std::set<std::string>> wanted;
  for (const PerformedExecution& performed : pool_.kept()) {
    const ObservedExecution& seen = performed.seen;
    std::vector<std::set<std::string>> writes(seen.variables.size());
    for (std::size_t i = 0; i < seen.events.size(); ++i) {
      const ObservedEvent& event = seen.events[i];
      if (event.writes) writes[event.variable].insert(write_key(seen, static_cast<std::int64_t>(i)));
    }
    for (const ObservedEvent& event : seen.events) {
      if (!event.reads || seen.places[event.place].in_library) continue;
      std::set<std::string>& row = wanted[key_of(seen, event)];
      row.insert(writes[event.variable].begin(), writes[event.variable].end());
      row.insert("");
    }
  }
  std::vector<Pair> result;
  for (const auto& [read, writes] : wanted) {
    for (const std::string& write : writes) {
      Pair pair{read, write};
      if (!shown_.contains(pair) && is_asked_for(pair)) result.push_back(std::move(pair));
    }
  }
  // What the user asks about comes first.
  std::stable_partition(result.begin(), result.end(), [&](const Pair& pair) { return users_.contains(pair.read); });
  return result;
}

bool FutureSearch::is_asked_for(const Pair& pair) const {
  if (!options_.terms) return true;
  const SourcePlace* read = nullptr;
  const SourcePlace* write = nullptr;
  for (const PerformedExecution& performed : pool_.kept()) {
    for (const SourcePlace& place : performed.seen.places) {
      if (place.text == pair.read.place) read = &place;
      if (place.text == pair.write) write = &place;
    }
  }
  if (read == nullptr || (write == nullptr && !pair.write.empty())) return true;
  return options_.terms->has(*read, pair.read.object, pair.write.empty() ? nullptr : write);
}

std::vector<std::vector<ReadChoice>> FutureSearch::occasions(const ObservedExecution& seen, const Pair& pair) const {
  std::vector<std::vector<ReadChoice>> result;
  for (std::size_t r = 0; r < seen.events.size(); ++r) {
    const ObservedEvent& read = seen.events[r];
    if (!read.reads || key_of(seen, read) != pair.read) continue;
    if (pair.write.empty()) {
      result.push_back({{r, kInitialValue}});
      continue;
    }
    for (std::size_t w = 0; w < seen.events.size(); ++w) {
      const ObservedEvent& write = seen.events[w];
      if (w == r || !write.writes || write.variable != read.variable || !overlap(read.operation, write.operation))
        continue;
      // A task cannot have seen its own later writes.
      if (write.task() == read.task() && w > r) continue;
      if (seen.places[write.place].text == pair.write) result.push_back({{r, static_cast<std::int64_t>(w)}});
    }
  }
  return result;
}

// Performs an execution for this pair: does it show it?
Result<bool> FutureSearch::run_for(const Pair& pair, const std::vector<std::uint64_t>& directions) {
  const auto made = pool_.run(directions);
  if (!made.is_ok()) return made.status();
  learn();
  if (const auto shown = shown_.find(pair); shown != shown_.end()) {
    shown->second.forced = true;
    return true;
  }
  ++attempts_[pair];
  ++failed_attempts_;
  return false;
}

// True when it was shown.
Result<bool> FutureSearch::try_pair_in(const Pair& pair, std::size_t execution, OtherReads level,
                                       const Effort& effort) {
  const auto all = occasions(pool_.kept()[execution].seen, pair);
  std::vector<std::vector<ReadChoice>> possible;
  for (const auto& one : all) {
    if (possible.size() >= kMostOccasions) break;
    if (is_over(effort)) return false;
    if (!find_cycle(pool_.kept()[execution].seen, one)) possible.push_back(one);
  }
  for (const auto& choices : possible) {
    if (is_over(effort) || attempts_[pair] >= kMostAttempts) return false;
    const OrderFound found = find_order(pool_.kept()[execution].seen, choices, level, order_effort(effort));
    if (found.answer != OrderAnswer::found || goes_a_known_way(execution, choices[0].read, found.order)) continue;
    const std::vector<std::uint64_t> directions = directions_for(pool_.kept()[execution].seen, found.order);
    if (!pool_.are_new(directions)) continue;
    const auto shown = run_for(pair, directions);
    if (!shown.is_ok() || shown.value()) return shown;
  }
  if (level != OtherReads::same_write) return false;
  return try_older_store(pair, execution);
}

// Under the C++ model a load may take an older store: the same order with that choice.
Result<bool> FutureSearch::try_older_store(const Pair& pair, std::size_t execution) {
  const auto all = occasions(pool_.kept()[execution].seen, pair);
  for (const auto& choices : all) {
    const ObservedExecution& seen = pool_.kept()[execution].seen;
    const ReadChoice choice = choices[0];
    const ObservedEvent& read = seen.events[choice.read];
    if (read.stores < 2 || choice.write >= static_cast<std::int64_t>(choice.read)) continue;
    std::uint32_t newer = 0;
    for (auto i = static_cast<std::size_t>(choice.write + 1); i < choice.read; ++i) {
      const ObservedEvent& write = seen.events[i];
      if (write.writes && write.variable == read.variable && overlap(write.operation, read.operation)) ++newer;
    }
    if (newer == 0 || newer >= read.stores) continue;
    if (pool_.out_of_budget() || attempts_[pair] >= kMostAttempts) return false;
    std::vector<std::size_t> order(choice.read + 1);
    for (std::size_t i = 0; i <= choice.read; ++i) order[i] = i;
    const auto shown = run_for(
        pair, with_direction(directions_for(seen, order), {read.task(), read.number, DirectionKind::store, 0, newer}));
    if (!shown.is_ok() || shown.value()) return shown;
  }
  return false;
}

Result<bool> FutureSearch::try_pair(const Pair& pair, OtherReads level, const Effort& effort) {
  for (std::size_t execution = 0; execution < pool_.kept().size(); ++execution) {
    if (is_over(effort) || attempts_[pair] >= kMostAttempts) return false;
    if (!looked_at_.insert({pair, execution, level}).second) continue;
    auto shown = try_pair_in(pair, execution, level, effort);
    if (!shown.is_ok() || shown.value()) return shown;
  }
  return false;
}

// Only one read (a step of one task) could see several writes, all of which were seen, and every other pair of
// operations is ruled out whatever the other reads see. Then every execution does what one of those seen did.
bool FutureSearch::everything_ruled_out(const Effort& effort) const {
  std::map<StepName, std::set<StepName>> named;
  for (const PerformedExecution& performed : pool_.kept()) {
    const ObservedExecution& seen = performed.seen;
    if (!seen.exact || !seen.complete) return false;
    // Nobody has seen what a task that was still alive when the program ended would have done.
    for (std::size_t task = 1; task < seen.by_task.size(); ++task) {
      const std::vector<std::size_t>& its = seen.by_task[task];
      if (its.empty() || seen.events[its.back()].operation.kind != OperationKind::task_end) return false;
    }
    // Under the C++ model atomics do more than their order shows.
    const bool weak = performed.record.summary.weak_memory != 0;
    const auto is_atomic = [](const ObservedEvent& event) {
      return event.variable != 0 && event.operation.kind >= OperationKind::atomic_load;
    };
    if (weak && std::any_of(seen.events.begin(), seen.events.end(), is_atomic)) return false;
  }
  for (const auto& [read, write] : sources_) named[read].insert(write);
  std::optional<StepName> undecided;
  for (const auto& [read, writes] : named) {
    if (writes.size() < 2) continue;
    if (undecided) return false;
    undecided = read;
  }
  std::size_t looked_at = 0;
  for (const PerformedExecution& performed : pool_.kept()) {
    const ObservedExecution& seen = performed.seen;
    // Where that one sees something else, everything is as in another execution.
    std::size_t keeps = kNoRead;
    if (undecided && undecided->task < seen.by_task.size() &&
        undecided->number <= seen.by_task[undecided->task].size()) {
      keeps = seen.by_task[undecided->task][undecided->number - 1];
    }
    for (std::size_t r = 0; r < seen.events.size(); ++r) {
      const ObservedEvent& read = seen.events[r];
      if (!read.reads) continue;
      const std::set<StepName>& its = named.at(step_name(seen, static_cast<std::int64_t>(r)));
      std::vector<std::int64_t> writes{kInitialValue};
      for (std::size_t w = 0; w < seen.events.size(); ++w) {
        const ObservedEvent& write = seen.events[w];
        if (w != r && write.writes && write.variable == read.variable && overlap(read.operation, write.operation)) {
          writes.push_back(static_cast<std::int64_t>(w));
        }
      }
      for (const std::int64_t write : writes) {
        if (its.contains(step_name(seen, write))) continue;
        if (++looked_at > kMostRuledOut || is_over(effort)) return false;
        const ReadChoice choice{r, write};
        const std::span<const ReadChoice> one(&choice, 1);
        if (find_cycle(seen, one)) continue;
        const OrderFound found =
            find_order(seen, one, OtherReads::anything_at_all, order_effort(effort, r == keeps ? kNoRead : keeps));
        if (found.answer != OrderAnswer::impossible) return false;
      }
    }
  }
  return true;
}

// Tries this many levels, the most certain first; every execution may make more possible.
Status FutureSearch::show_what_is_left(std::size_t levels, const Effort& effort) {
  for (std::size_t level = 0; level < levels && !is_over(effort);) {
    const std::size_t before = pool_.kept().size();
    for (const Pair& pair : unshown()) {
      if (shown_.contains(pair)) continue;
      const auto tried = try_pair(pair, kOtherReadsLevels[level], effort);
      if (!tried.is_ok()) return tried.status();
      if (level > 0 && pool_.kept().size() > before) break;
    }
    level = pool_.kept().size() > before ? 0 : level + 1;
  }
  return Status::ok();
}

Result<FutureTable> FutureSearch::explore() {
  if (const auto first = pool_.run({}); !first.is_ok()) return first.status();
  learn();
  const Status status = search();
  if (!status.is_ok() && !pool_.deadline().has_come()) return status;
  if (proof_.empty() && pool_.deadline().has_come()) proof_ = pool_.deadline().reason();
  FutureTable result = table();
  result.interrupted = pool_.deadline().interrupted();
  return result;
}

Status FutureSearch::search() {
  if (!options_.exhaustive) {
    const Effort little{kFewStates, pool_.after_share(kShareOfOrders)};
    if (Status status = show_what_is_left(kPromising, little); !status.is_ok()) return status;
    proved_ = everything_ruled_out({kManyStates, pool_.after_share(kShareOfRuling)});
  }
  if (proved_) proof_ = "every other order of the operations is ruled out, and no other read affects what they are";
  // The sources say that there is nothing else.
  const bool answered =
      options_.terms && !options_.exhaustive && unshown().empty() && options_.terms->all_reached(table());
  if (answered && !proved_) proof_ = "every term of the sources was shown";
  if (!proved_ && !answered && (options_.proof > 0 || options_.exhaustive)) {
    const auto complete =
        look_around("dpor", options_.proof, options_.exhaustive ? 1 : kShareOfProof, proof_executions_);
    if (!complete.is_ok()) return complete.status();
    proved_ = complete.value();
    proof_ =
        proved_
            ? fmt::format("an exhaustive search explored every schedule ({})", counted(proof_executions_, "execution"))
            : fmt::format("an exhaustive search was not at its end after {}", counted(proof_executions_, "execution"));
  }
  if (!proved_ && !answered && !options_.exhaustive) {
    const auto looked = look_around("auto", options_.random, kShareAtRandom, random_executions_);
    if (!looked.is_ok()) return looked.status();
    looked_at_.clear();  // with more effort now
    const Effort all{kManyStates, pool_.after_share(1)};
    if (Status status = show_what_is_left(std::size(kOtherReadsLevels), all); !status.is_ok()) return status;
  }
  return Status::ok();
}

// The shortest cycle that rules out the pair in the first executions; does one rule out every occasion there?
FutureSearch::Reason FutureSearch::reason_for(const Pair& pair) const {
  ShortestCycle shortest;
  Reason reason;
  std::size_t looked_at = 0;
  for (std::size_t i = 0; i < pool_.kept().size() && i < kMostToReason; ++i) {
    const ObservedExecution& seen = pool_.kept()[i].seen;
    for (const auto& choices : occasions(seen, pair)) {
      if (++looked_at > kMostOccasions) break;
      if (!shortest.look_at(seen, choices)) reason.everywhere = false;
    }
  }
  reason.cycle = shortest.text();
  reason.everywhere = reason.everywhere && looked_at > 0;
  return reason;
}

FutureTable FutureSearch::table() {
  learn();
  FutureTable table;
  table.executions = pool_.directed();
  table.failed_attempts = failed_attempts_;
  table.proof_executions = proof_executions_;
  table.random_executions = random_executions_;
  table.proved = proved_;
  table.proof = proof_;
  std::map<ReadKey, FutureRead> rows;
  std::map<std::string, SourcePlace> places;
  for (const PerformedExecution& performed : pool_.kept()) {
    for (const SourcePlace& place : performed.seen.places) places.emplace(place.text, place);
  }
  std::map<std::size_t, std::string> differences;
  const auto difference_from = [&](std::size_t failing) -> const std::string& {
    const auto [known, is_new] = differences.try_emplace(failing);
    if (is_new) known->second = difference_of(failing);
    return known->second;
  };
  const auto row_of = [&](const ReadKey& key) -> FutureRead& {
    const auto [row, is_new] = rows.try_emplace(key);
    if (is_new) {
      row->second.place = places[key.place];
      row->second.code = code_at(row->second.place);
      row->second.object = key.object;
      row->second.task = key.task;
      row->second.occurrence = key.occurrence;
      row->second.internal = !users_.contains(key);
    }
    return row->second;
  };
  const auto definition_of = [&](const Pair& pair) {
    FutureDefinition definition;
    definition.initial = pair.write.empty();
    if (!definition.initial) definition.place = places[pair.write];
    definition.code = code_at(definition.place);
    return definition;
  };
  for (const auto& [pair, shown] : shown_) {
    FutureDefinition definition = definition_of(pair);
    const PerformedExecution& performed = pool_.kept()[shown.execution];
    definition.status = shown.forced ? FutureStatus::forced : FutureStatus::seen;
    definition.execution = shown.execution + 1;
    definition.outcome = outcome_of(performed);
    if (!performed.findings.empty()) {
      definition.message = performed.findings[0].message;
      definition.difference = difference_from(shown.execution);
    }
    definition.output = performed.record.output;
    definition.schedule = pool_.schedule(shown.execution);
    definition.value = value_text(performed.seen.events[shown.event]);
    row_of(pair.read).definitions.push_back(std::move(definition));
  }
  // When the time is up there is still some for the reasons, but not for all that there may be.
  const Deadline for_reasons = Deadline().within(kTimeForReasons);
  for (const Pair& pair : unshown()) {
    FutureDefinition definition = definition_of(pair);
    const bool no_time = pool_.deadline().has_come() && for_reasons.has_come();
    const Reason reason = no_time ? Reason{"", false} : reason_for(pair);
    definition.reason = reason.cycle;
    definition.spoken_against = reason.everywhere;
    definition.status = proved_ ? FutureStatus::infeasible : FutureStatus::budget;
    if (definition.reason.empty()) {
      definition.reason = proved_ ? "no schedule of the program shows it" : "no order that shows it was found";
    }
    row_of(pair.read).definitions.push_back(std::move(definition));
  }
  for (auto& [key, row] : rows) {
    std::stable_sort(row.definitions.begin(), row.definitions.end(),
                     [](const FutureDefinition& a, const FutureDefinition& b) {
                       return std::tuple(!a.initial, a.place.file, a.place.line) <
                              std::tuple(!b.initial, b.place.file, b.place.line);
                     });
    table.reads.push_back(std::move(row));
  }
  std::stable_sort(table.reads.begin(), table.reads.end(), [](const FutureRead& a, const FutureRead& b) {
    return std::tuple(a.place.file, a.place.line) < std::tuple(b.place.file, b.place.line);
  });
  if (options_.terms) options_.terms->compare(table);
  std::set<std::string> signatures;
  for (std::size_t execution = 0; execution < pool_.kept().size(); ++execution) {
    const PerformedExecution& performed = pool_.kept()[execution];
    for (const ResolvedFinding& finding : performed.findings) {
      if (!signatures.insert(finding.signature).second) continue;
      table.findings.push_back({finding_name(finding.kind), finding.message, execution + 1, performed.record.output,
                                pool_.schedule(execution), difference_from(execution)});
    }
  }
  return table;
}

// Which reads of a failing execution saw a different write than in the nearest passing execution.
std::string FutureSearch::difference_of(std::size_t failing) const {
  const auto nearest = nearest_passing(pool_.kept(), failing);
  if (!nearest) return {};
  return fmt::format("unlike in execution {}, which passed: {}", nearest->execution + 1,
                     differences_text(nearest->reads));
}

}  // namespace ravel
