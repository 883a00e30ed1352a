// SPDX-License-Identifier: Apache-2.0
#include "driver/futures/future_search.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>

#include "driver/campaign/replay.h"
#include "driver/futures/order_proof.h"
#include "strategies/directions.h"
#include "strategies/registry.h"
#include "trace/schedule_reader.h"

namespace ravel {
namespace {

constexpr std::size_t kMostOccasions = 32;    // of a pair in one execution that are looked at
constexpr unsigned kMostAttempts = 4;         // executions for one pair that showed something else
constexpr std::uint64_t kShortLook = 200;     // executions, for a request that names what was never seen
constexpr std::size_t kMostRuledOut = 4'000;  // pairs of events, for a proof without further executions

constexpr OtherReads kLevels[] = {OtherReads::same_write, OtherReads::same_value, OtherReads::written_stays_written,
                                  OtherReads::anything, OtherReads::anything_at_all};
constexpr std::size_t kPromising = 4;  // of them: the last one often leads to something else

// The line of the source, without blanks around it.
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
      return fmt::format("{:#x}", read.value);
  }
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

std::vector<std::uint64_t> directions_for(const ObservedExecution& seen, const std::vector<std::size_t>& order) {
  std::vector<Direction> directions;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const ObservedEvent& event = seen.events[order[i]];
    for (std::size_t answer = 0; answer < event.answers.size(); ++answer) {
      if (event.answers[answer] == 0) continue;
      directions.push_back({event.task(), event.number, DirectionKind::environment, static_cast<std::uint16_t>(answer),
                            event.answers[answer]});
    }
    if (i + 1 < order.size()) {
      directions.push_back({event.task(), event.number, DirectionKind::go_to, 0, seen.events[order[i + 1]].task()});
    }
  }
  std::sort(directions.begin(), directions.end());
  std::vector<std::uint64_t> words;
  for (const Direction& direction : directions) {
    std::uint64_t two[kWordsPerDirection];
    write_direction(direction, two);
    words.insert(words.end(), std::begin(two), std::end(two));
  }
  return words;
}

FutureSearch::FutureSearch(FutureOptions options)
    : options_(std::move(options)),
      runner_(options_.runner),
      deadline_(std::chrono::steady_clock::now() +
                std::chrono::duration_cast<std::chrono::steady_clock::duration>(options_.time)) {}

FutureSearch::ReadKey FutureSearch::key_of(const ObservedExecution& seen, const ObservedEvent& read) const {
  ReadKey key{seen.places[read.place].text, seen.variables[read.variable].name};
  if (options_.occurrences) {
    key.task = read.task();
    key.occurrence = read.occurrence;
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

// Some read on the way sees what it saw in another execution: what follows there is known, and was or will be looked
// at.
bool FutureSearch::goes_a_known_way(std::size_t execution, std::size_t target,
                                    const std::vector<std::size_t>& order) const {
  const ObservedExecution& seen = pool_[execution].seen;
  const std::vector<std::int64_t> sources = sources_in(seen, order);
  for (const std::size_t i : order) {
    if (sources[i] == kReadsNothing || sources[i] == seen.events[i].source || i == target) continue;
    if (sources_.contains({step_name(seen, static_cast<std::int64_t>(i)), step_name(seen, sources[i])})) return true;
  }
  return false;
}

bool FutureSearch::out_of_budget() const {
  return learned_ >= options_.executions || std::chrono::steady_clock::now() >= deadline_;
}

Result<std::size_t> FutureSearch::run(const std::vector<std::uint64_t>& directions) {
  auto performed = runner_.perform(directions);
  if (!performed.is_ok()) return performed.status();
  ++learned_;
  if (options_.progress) options_.progress(runner_.executions());
  return learn(std::move(performed.value()));
}

std::size_t FutureSearch::learn(PerformedExecution performed) {
  const std::size_t index = pool_.size();
  const ObservedExecution& seen = performed.seen;
  for (std::size_t i = 0; i < seen.events.size(); ++i) {
    const ObservedEvent& event = seen.events[i];
    if (!event.reads) continue;
    sources_.insert({step_name(seen, static_cast<std::int64_t>(i)), step_name(seen, event.source)});
    if (seen.places[event.place].in_library) continue;
    shown_.try_emplace(Pair{key_of(seen, event), write_key(seen, event.source)}, Shown{index, i, false});
  }
  std::error_code error;
  const std::filesystem::path directory = std::filesystem::path(options_.out) / "futures";
  std::filesystem::create_directories(directory, error);
  const std::string path = (directory / fmt::format("{}.ravel", index + 1)).string();
  const Status saved = runner_.save(performed, index, path);
  schedules_.push_back(saved.is_ok() ? path : "");
  pool_.push_back(std::move(performed));
  return index;
}

// Every read that was seen with every write of its variable that was seen, and with the value before the threads.
std::vector<FutureSearch::Pair> FutureSearch::unshown() const {
  std::map<ReadKey, std::set<std::string>> wanted;
  for (const PerformedExecution& performed : pool_) {
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
  return result;
}

bool FutureSearch::is_asked_for(const Pair& pair) const {
  if (!options_.terms) return true;
  const SourcePlace* read = nullptr;
  const SourcePlace* write = nullptr;
  for (const PerformedExecution& performed : pool_) {
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
      // What a task does later it cannot have seen.
      if (write.task() == read.task() && w > r) continue;
      if (seen.places[write.place].text == pair.write) result.push_back({{r, static_cast<std::int64_t>(w)}});
    }
  }
  return result;
}

// True when it was shown.
Result<bool> FutureSearch::try_pair_in(const Pair& pair, std::size_t execution, OtherReads level) {
  const auto all = occasions(pool_[execution].seen, pair);
  std::vector<std::vector<ReadChoice>> possible;
  for (const auto& one : all) {
    if (possible.size() >= kMostOccasions) break;
    if (!find_circle(pool_[execution].seen, one)) possible.push_back(one);
  }
  for (const auto& choices : possible) {
    if (out_of_budget() || attempts_[pair] >= kMostAttempts) return false;
    const OrderFound found = find_order(pool_[execution].seen, choices, level);
    if (found.answer != OrderAnswer::found || goes_a_known_way(execution, choices[0].read, found.order)) continue;
    const std::vector<std::uint64_t> directions = directions_for(pool_[execution].seen, found.order);
    if (!ran_.insert(directions).second) continue;
    const auto made = run(directions);
    if (!made.is_ok()) return made.status();
    if (const auto shown = shown_.find(pair); shown != shown_.end()) {
      shown->second.forced = true;
      return true;
    }
    ++attempts_[pair];
    ++failed_attempts_;
  }
  if (level != OtherReads::same_write) return false;
  return try_older_store(pair, execution);
}

// Under the C++ model a load may take an older store: the same order, and that choice.
Result<bool> FutureSearch::try_older_store(const Pair& pair, std::size_t execution) {
  const auto all = occasions(pool_[execution].seen, pair);
  for (const auto& choices : all) {
    const ObservedExecution& seen = pool_[execution].seen;
    const ReadChoice choice = choices[0];
    const ObservedEvent& read = seen.events[choice.read];
    if (read.stores < 2 || choice.write >= static_cast<std::int64_t>(choice.read)) continue;
    std::uint32_t newer = 0;
    for (auto i = static_cast<std::size_t>(choice.write + 1); i < choice.read; ++i) {
      const ObservedEvent& write = seen.events[i];
      if (write.writes && write.variable == read.variable && overlap(write.operation, read.operation)) ++newer;
    }
    if (newer == 0 || newer >= read.stores) continue;
    if (out_of_budget() || attempts_[pair] >= kMostAttempts) return false;
    std::vector<std::size_t> order(choice.read + 1);
    for (std::size_t i = 0; i <= choice.read; ++i) order[i] = i;
    std::vector<std::uint64_t> words = directions_for(seen, order);
    std::uint64_t two[kWordsPerDirection];
    write_direction({read.task(), read.number, DirectionKind::store, 0, newer}, two);
    // Words stand in ascending order of place and kind.
    std::size_t at = 0;
    while (at < words.size() && std::pair(words[at], words[at + 1]) < std::pair(two[0], two[1]))
      at += kWordsPerDirection;
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), std::begin(two), std::end(two));
    const auto made = run(words);
    if (!made.is_ok()) return made.status();
    if (const auto shown = shown_.find(pair); shown != shown_.end()) {
      shown->second.forced = true;
      return true;
    }
    ++attempts_[pair];
    ++failed_attempts_;
  }
  return false;
}

Result<bool> FutureSearch::try_pair(const Pair& pair, OtherReads level) {
  for (std::size_t execution = 0; execution < pool_.size(); ++execution) {
    if (out_of_budget() || attempts_[pair] >= kMostAttempts) return false;
    if (!looked_at_.insert({pair, execution, level}).second) continue;
    auto shown = try_pair_in(pair, execution, level);
    if (!shown.is_ok() || shown.value()) return shown;
  }
  return false;
}

// No read but one (a step of one task) could see several writes, all of those were seen, and every other pair of
// operations is ruled out whatever the other reads see. Then each execution does what one of those seen did.
bool FutureSearch::everything_ruled_out() const {
  std::map<StepName, std::set<StepName>> named;
  for (const PerformedExecution& performed : pool_) {
    const ObservedExecution& seen = performed.seen;
    if (!seen.exact || !seen.complete) return false;
    // What a task would have done that was still there when the program ended, nobody has seen.
    for (std::size_t task = 1; task < seen.by_task.size(); ++task) {
      const std::vector<std::size_t>& its = seen.by_task[task];
      if (its.empty() || seen.events[its.back()].operation.kind != OperationKind::task_end) return false;
    }
    // Under the C++ model atomics do more than their order tells.
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
  for (const PerformedExecution& performed : pool_) {
    const ObservedExecution& seen = performed.seen;
    // Where that one sees something else, it is as in another execution.
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
        if (++looked_at > kMostRuledOut) return false;
        const ReadChoice choice{r, write};
        const std::span<const ReadChoice> one(&choice, 1);
        if (find_circle(seen, one)) continue;
        const OrderFound found = find_order(seen, one, OtherReads::anything_at_all, r == keeps ? kNoRead : keeps);
        if (found.answer != OrderAnswer::impossible) return false;
      }
    }
  }
  return true;
}

// True when every behaviour of the program was explored. `stop`: what is looked for has come.
Result<bool> FutureSearch::search_exhaustively(std::uint64_t most,
                                               const std::function<bool(const PerformedExecution&)>& stop) {
  const std::unique_ptr<Planner> planner = make_planner("dpor", 1);
  const auto begun = std::chrono::steady_clock::now();
  const auto end = begun + (deadline_ - begun) * 2 / 3;  // some time is left for what it does not prove
  for (std::uint64_t i = 0; i < most && !planner->finished(); ++i) {
    if (std::chrono::steady_clock::now() >= end || !planner->ready()) return false;
    const PlannedExecution planned = planner->next(i);
    auto performed = runner_.perform(planned);
    if (!performed.is_ok()) return performed.status();
    ++proof_executions_;
    if (options_.progress) options_.progress(runner_.executions());
    ExecutionView view = runner_.view();
    view.failed = !performed.value().findings.empty();
    planner->learn(planned, view);
    if (stop(performed.value())) return false;
  }
  return planner->finished() && planner->complete();
}

// Tries these levels, what is sure to come first; every execution may make more of it possible.
Status FutureSearch::show_what_is_left(std::size_t first, std::size_t end) {
  for (std::size_t level = first; level < end && !out_of_budget();) {
    const std::size_t before = pool_.size();
    for (const Pair& pair : unshown()) {
      if (options_.runner.interrupted != nullptr && options_.runner.interrupted->load()) {
        return Status::trouble("interrupted", "");
      }
      if (shown_.contains(pair)) continue;
      const auto tried = try_pair(pair, kLevels[level]);
      if (!tried.is_ok()) return tried.status();
      if (level > 0 && pool_.size() > before) break;
    }
    level = pool_.size() > before ? 0 : level + 1;
  }
  return Status::ok();
}

Result<FutureTable> FutureSearch::explore() {
  if (const auto first = run({}); !first.is_ok()) return first.status();
  if (!options_.exhaustive) {
    if (Status status = show_what_is_left(0, kPromising); !status.is_ok()) return status;
  }
  proved_ = !options_.exhaustive && everything_ruled_out();
  if (proved_) proof_ = "every other order of the operations is ruled out, and what they are depends on no other read";
  // The sources tell that there is nothing else.
  const bool answered =
      options_.terms && !options_.exhaustive && unshown().empty() && options_.terms->all_reached(table());
  if (answered && !proved_) proof_ = "every term of the sources was shown";
  if (!proved_ && !answered && (options_.proof > 0 || options_.exhaustive)) {
    // What such an execution shows that was not known is as good as any other.
    const auto complete = search_exhaustively(options_.proof, [this](const PerformedExecution& performed) {
      const ObservedExecution& seen = performed.seen;
      const bool news = std::any_of(seen.events.begin(), seen.events.end(), [&](const ObservedEvent& event) {
        return event.reads && !seen.places[event.place].in_library &&
               !shown_.contains(Pair{key_of(seen, event), write_key(seen, event.source)});
      });
      if (news) learn(PerformedExecution(performed));
      return false;
    });
    if (!complete.is_ok()) return complete.status();
    proved_ = complete.value();
    proof_ = proved_ ? fmt::format("an exhaustive search explored every schedule ({} executions)", proof_executions_)
                     : fmt::format("an exhaustive search was not at its end after {} executions", proof_executions_);
  }
  if (!proved_ && !options_.exhaustive) {
    if (Status status = show_what_is_left(kPromising, std::size(kLevels)); !status.is_ok()) return status;
  }
  return table();
}

std::string FutureSearch::reason_for(const Pair& pair) const {
  std::string best;
  std::size_t shortest = ~std::size_t{0};
  for (const PerformedExecution& performed : pool_) {
    for (const auto& choices : occasions(performed.seen, pair)) {
      const auto circle = find_circle(performed.seen, choices);
      if (circle && circle->size() < shortest) {
        shortest = circle->size();
        best = circle_text(performed.seen, *circle);
      }
    }
  }
  return best;
}

FutureTable FutureSearch::table() const {
  FutureTable table;
  table.executions = learned_;
  table.failed_attempts = failed_attempts_;
  table.proof_executions = proof_executions_;
  table.proved = proved_;
  table.proof = proof_;
  std::map<ReadKey, FutureRead> rows;
  std::map<std::string, SourcePlace> places;
  for (const PerformedExecution& performed : pool_) {
    for (const SourcePlace& place : performed.seen.places) places.emplace(place.text, place);
  }
  const auto row_of = [&](const ReadKey& key) -> FutureRead& {
    const auto [row, is_new] = rows.try_emplace(key);
    if (is_new) {
      row->second.place = places[key.place];
      row->second.code = code_at(row->second.place);
      row->second.object = key.object;
      row->second.task = key.task;
      row->second.occurrence = key.occurrence;
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
    const PerformedExecution& performed = pool_[shown.execution];
    definition.status = shown.forced ? FutureStatus::forced : FutureStatus::seen;
    definition.execution = shown.execution + 1;
    definition.outcome = outcome_of(performed);
    if (!performed.findings.empty()) {
      definition.message = performed.findings[0].message;
      definition.difference = difference_of(shown.execution);
    }
    definition.output = performed.record.output;
    definition.schedule = schedules_[shown.execution];
    definition.value = value_text(performed.seen.events[shown.event]);
    row_of(pair.read).definitions.push_back(std::move(definition));
  }
  for (const Pair& pair : unshown()) {
    FutureDefinition definition = definition_of(pair);
    definition.reason = reason_for(pair);
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
  return table;
}

// Which reads of a failing execution saw another write than in the execution nearest to it that passed.
std::string FutureSearch::difference_of(std::size_t failing) const {
  using Who = std::tuple<TaskId, std::string, std::string, std::uint32_t>;
  const auto reads_of = [](const ObservedExecution& seen) {
    std::map<Who, std::string> reads;
    for (const ObservedEvent& event : seen.events) {
      if (!event.reads || seen.places[event.place].in_library) continue;
      reads[{event.task(), seen.places[event.place].text, seen.variables[event.variable].name, event.occurrence}] =
          write_key(seen, event.source);
    }
    return reads;
  };
  const auto mine = reads_of(pool_[failing].seen);
  std::string best;
  std::size_t fewest = ~std::size_t{0};
  for (std::size_t other = 0; other < pool_.size(); ++other) {
    if (!pool_[other].findings.empty()) continue;
    const auto its = reads_of(pool_[other].seen);
    std::string text;
    std::size_t count = 0;
    for (const auto& [who, write] : mine) {
      const auto there = its.find(who);
      if (there == its.end() || there->second == write) continue;
      const auto name = [](const std::string& place) {
        return place.empty() ? std::string("the initial value") : place;
      };
      text += fmt::format("{}{} at {} in T{} sees {}, not {}", text.empty() ? "" : "; ",
                          std::get<2>(who).empty() ? "memory" : std::get<2>(who), std::get<1>(who), std::get<0>(who),
                          name(write), name(there->second));
      ++count;
    }
    if (count == 0 || count >= fewest) continue;
    fewest = count;
    best = fmt::format("unlike in execution {}, which passed: {}", other + 1, text);
  }
  return best;
}

std::string FutureSearch::reason_for(const std::vector<FutureChoice>& choices) const {
  std::string best;
  std::size_t shortest = ~std::size_t{0};
  for (const PerformedExecution& performed : pool_) {
    for (const auto& way : ways_to_choose(choices, performed.seen, kMostOccasions)) {
      const auto circle = find_circle(performed.seen, way);
      if (circle && circle->size() < shortest) {
        shortest = circle->size();
        best = circle_text(performed.seen, *circle);
      }
    }
  }
  return best;
}

Result<ForcedFuture> FutureSearch::force(const std::vector<FutureChoice>& choices) {
  if (Status status = check_choices(choices); !status.is_ok()) return status;
  if (const auto first = run({}); !first.is_ok()) return first.status();
  ForcedFuture forced;
  const auto finish = [&](std::size_t index) {
    forced.status = FutureStatus::forced;
    forced.shown_by = index;
    forced.schedule = schedules_[index];
  };
  std::set<std::size_t> spent;  // executions that have nothing left to try
  // A read that comes only when another has seen something: the choices that there are bring the others about.
  const auto attempt = [&](std::size_t execution, std::span<const FutureChoice> some) -> Result<bool> {
    for (const OtherReads level : kLevels) {
      for (const auto& way : ways_to_choose(some, pool_[execution].seen, kMostOccasions)) {
        if (out_of_budget()) return false;
        if (way.empty() || find_circle(pool_[execution].seen, way)) continue;
        const OrderFound found = find_order(pool_[execution].seen, way, level);
        if (found.answer != OrderAnswer::found) continue;
        const std::vector<std::uint64_t> directions = directions_for(pool_[execution].seen, found.order);
        if (!ran_.insert(directions).second) continue;
        const auto made = run(directions);
        if (!made.is_ok()) return made.status();
        if (shows(pool_[made.value()].seen, choices)) {
          finish(made.value());
          return true;
        }
        if (shows(pool_[made.value()].seen, some)) return false;  // that much holds: go on from there
      }
    }
    return false;
  };
  if (shows(pool_[0].seen, choices)) finish(0);
  for (std::size_t execution = 0; execution < pool_.size() && !forced.shown_by && !out_of_budget(); ++execution) {
    const auto whole = attempt(execution, choices);
    if (!whole.is_ok()) return whole.status();
    if (whole.value()) break;
    for (const FutureChoice& one : choices) {
      if (forced.shown_by || choices.size() == 1) break;
      if (shows(pool_[execution].seen, std::span(&one, 1))) continue;
      // Keeping those that hold here.
      std::vector<FutureChoice> some;
      for (const FutureChoice& other : choices) {
        if (&other == &one || shows(pool_[execution].seen, std::span(&other, 1))) some.push_back(other);
      }
      const auto part = attempt(execution, some);
      if (!part.is_ok()) return part.status();
    }
  }
  bool complete = false;
  if (!forced.shown_by && options_.proof > 0) {
    // What no execution has come to so far may be a slip of the pen: then a short look is enough.
    std::vector<const ObservedExecution*> so_far;
    for (const PerformedExecution& performed : pool_) so_far.push_back(&performed.seen);
    const bool known = check_against(choices, so_far).is_ok();
    std::optional<PerformedExecution> showing;
    std::vector<PerformedExecution> kept;
    const auto searched = search_exhaustively(known ? options_.proof : std::min(options_.proof, kShortLook),
                                              [&](const PerformedExecution& performed) {
                                                if (shows(performed.seen, choices)) {
                                                  showing = performed;
                                                  return true;
                                                }
                                                const bool helps = !ways_to_choose(choices, performed.seen, 1).empty();
                                                if (helps && kept.empty()) kept.push_back(performed);
                                                return false;
                                              });
    if (!searched.is_ok()) return searched.status();
    complete = searched.value();
    if (showing) finish(learn(std::move(*showing)));
    for (PerformedExecution& one : kept) learn(std::move(one));
  }
  forced.executions = learned_;
  forced.proof_executions = proof_executions_;
  if (forced.shown_by) return forced;
  std::vector<const ObservedExecution*> seen;
  for (const PerformedExecution& performed : pool_) seen.push_back(&performed.seen);
  if (Status status = check_against(choices, seen); !status.is_ok()) return status;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    for (std::size_t j = i + 1; j < choices.size(); ++j) {
      const std::vector<FutureChoice> both{choices[i], choices[j]};
      const bool alone = std::any_of(seen.begin(), seen.end(), [&](const ObservedExecution* one) {
        return !ways_to_choose(std::span(&both[0], 1), *one, 1).empty() &&
               !ways_to_choose(std::span(&both[1], 1), *one, 1).empty();
      });
      const bool together = std::any_of(seen.begin(), seen.end(), [&](const ObservedExecution* one) {
        return !ways_to_choose(both, *one, 1).empty();
      });
      if (alone && !together) {
        return Status::trouble(fmt::format("two choices are for one read: '{}' and '{}'", both[0].text, both[1].text),
                               "keep one, or tell the occurrences apart: #1 and #2");
      }
    }
  }
  forced.reason = reason_for(choices);
  forced.status = complete ? FutureStatus::infeasible : FutureStatus::budget;
  if (forced.reason.empty()) {
    forced.reason = complete ? "no schedule of the program shows it" : "no order that shows it was found";
  }
  return forced;
}

Result<std::size_t> FutureSearch::add_schedule(const std::string& path) {
  auto schedule = read_schedule(path);
  if (!schedule.is_ok()) return schedule.status();
  PlannedExecution planned{strict_replay_plan(schedule.value().plan), schedule.value().decisions};
  auto performed = runner_.perform(std::move(planned));
  if (!performed.is_ok()) return performed.status();
  ++learned_;
  return learn(std::move(performed.value()));
}

}  // namespace ravel
