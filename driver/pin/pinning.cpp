// SPDX-License-Identifier: Apache-2.0
#include "driver/pin/pinning.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "driver/pin/forced_order.h"
#include "driver/pin/place_names.h"
#include "driver/pin/program_build.h"
#include "driver/race_tests/race_file.h"
#include "driver/race_tests/weaving.h"
#include "driver/race_tests/woven_tests.h"
#include "reports/text_report.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostTests = 64;  // in one build
constexpr unsigned kTrialRepeats = 20;  // of each of them
constexpr unsigned kMostRounds = 12;    // builds in search of fewer actions
constexpr std::size_t kMostPrecedences = 48;

const char* words_for(EnvironmentKind kind) {
  switch (kind) {
    case EnvironmentKind::spurious_wakeup:
      return "a spurious wake-up";
    case EnvironmentKind::early_timeout:
      return "a timeout that comes early";
    case EnvironmentKind::short_sleep:
      return "a sleep that is over at once";
    case EnvironmentKind::weak_failure:
      return "a weak compare-exchange that fails";
    default:
      return "a choice of its environment";
  }
}

class Pinning {
 public:
  Pinning(Replay& replay, const ShrunkFinding& shrunk, const CompileCommands& commands, const PinOptions& options)
      : shrunk_(shrunk),
        commands_(commands),
        options_(options),
        names_(commands, options.analyzer, options.deadline),
        order_(order_of(shrunk, replay.symbols())) {}

  Result<PinResult> run() {
    result_.finding = shrunk_.finding.message;
    const Status status = force_it();
    if (!result_.test && options_.deadline.has_come()) {
      result_.why = fmt::format("{} after {}", options_.deadline.reason(), counted(result_.tried, "test"));
      result_.cut = true;
      return std::move(result_);
    }
    if (!status.is_ok()) return status;
    return std::move(result_);
  }

 private:
  struct Candidate {
    std::vector<Choice> choices;
    TestRunResult trial;
    bool reports = false;  // every time
  };

  // Sets the test in the result, or says there why there is none.
  Status force_it() {
    std::vector<Precedence> precedences = precedences_of(order_);
    const std::optional<Precedence> race = racing_steps();
    if (race) {
      std::erase(precedences, *race);
      precedences.insert(precedences.begin(), *race);
    }
    if (precedences.size() > kMostPrecedences) precedences.resize(kMostPrecedences);
    if (Status status = look_up_names(); !status.is_ok()) return status;
    expect();
    forced_ = force(order_, precedences, names_);
    if (!forced_.empty()) return search();
    result_.why = beyond_order();
    if (!result_.why.empty()) return Status::ok();
    result_.why = precedences.empty()
                      ? "the failing execution has no order between tasks that could be forced"
                      : "no step of the order is at a named place in the sources where an action can go";
    return Status::ok();
  }

  void tell(const std::string& line) const {
    if (options_.progress) options_.progress(line);
  }

  Status look_up_names() {
    std::vector<StepPlace> places;
    for (const OrderedStep& step : order_.steps) places.insert(places.end(), step.places.begin(), step.places.end());
    return names_.look_up(places);
  }

  // The last steps of the two tasks on the two sides of a data race.
  std::optional<Precedence> racing_steps() const {
    if (shrunk_.finding.kind != FindingKind::data_race || shrunk_.evidence.finding.participants < 2) {
      return std::nullopt;
    }
    std::vector<std::size_t> sides;
    for (unsigned side = 0; side < 2; ++side) {
      const Operation& operation = shrunk_.evidence.finding.participant[side].operation;
      for (std::size_t i = order_.steps.size(); i-- > 0;) {
        const OrderedStep& step = order_.steps[i];
        if (step.task != operation.task || step.pc != operation.pc || step.places.empty()) continue;
        sides.push_back(i);
        break;
      }
    }
    if (sides.size() < 2 || sides[0] == sides[1]) return std::nullopt;
    return Precedence{std::min(sides[0], sides[1]), std::max(sides[0], sides[1]), false};
  }

  void expect() {
    Expectation expectation;
    expectation.kind = shrunk_.finding.kind;
    if (const auto race = racing_steps(); race && expectation.kind == FindingKind::data_race) {
      for (const std::size_t step : {race->first, race->second}) {
        const StepPlace& place = order_.steps[step].places.front();
        const PlaceName* name = names_.find(place);
        expectation.points.push_back(
            name != nullptr ? name->point : Point{PointKind::line, names_.short_path(place.file), "", place.line, ""});
      }
    }
    expectation_ = std::move(expectation);
  }

  RaceTest test_of(const std::vector<Choice>& choices, const std::string& name) const {
    RaceTest test;
    test.name = name;
    test.file = options_.tests / name / kRaceFileName;
    test.arguments = options_.arguments;
    test.actions = actions_of(forced_, choices);
    unsigned line = 0;
    for (Action& action : test.actions) action.line = ++line;
    test.expectation = expectation_;
    test.expectation->line = ++line;
    return test;
  }

  struct BuiltTests {
    std::string program;
    fs::path list;
    std::vector<WovenTest> tests;  // in the order they were given
  };

  // The program with all these tests woven into it.
  Result<BuiltTests> build(const std::vector<RaceTest>& tests) {
    const fs::path out = options_.work / fmt::format("build{}", ++builds_);
    WeaveOptions weaving;
    weaving.out = out / "woven";
    weaving.analyzer = options_.analyzer;
    weaving.include = options_.include;
    weaving.deadline = options_.deadline;
    const auto woven = weave(tests, commands_, weaving);
    if (!woven.is_ok()) return woven.status();
    const auto copies = CompileCommands::read(weaving.out / "compile_commands.json");
    if (!copies.is_ok()) return copies.status();
    std::vector<CompileCommand> all;
    for (const CompileCommand& command : commands_.all()) {
      const fs::path copy = weaving.out / command.file.relative_path();
      const auto& list = copies.value().all();
      const auto mine = std::find_if(list.begin(), list.end(), [&](const CompileCommand& c) { return c.file == copy; });
      all.push_back(mine == list.end() ? command : *mine);
    }
    BuildOptions building;
    building.program = options_.program;
    building.out = out;
    building.link = options_.link;
    building.sync_library = options_.sync_library;
    building.ravel = options_.ravel;
    building.deadline = options_.deadline;
    auto program = build_program(all, building);
    if (!program.is_ok()) return program.status();
    const fs::path list = weaving.out / kWovenList;
    auto listed = read_woven_tests(list);
    if (!listed.is_ok()) return listed.status();
    return BuiltTests{std::move(program.value()), list, std::move(listed.value())};
  }

  Result<TestRunResult> run_test(const WovenTest& test, const std::string& program, unsigned repeats,
                                 std::uint64_t seed) const {
    TestRunOptions running;
    running.program = {program};
    running.repeats = repeats;
    running.seed = seed;
    running.timeout = options_.timeout;
    running.out = (options_.work / "schedules").string();
    running.deadline = options_.deadline;
    return run_race_test(test, running);
  }

  // Builds one program with all candidates and runs each, a few times at first: most that do not hold show it at once.
  Status try_all(std::vector<Candidate>& candidates) {
    std::vector<RaceTest> tests;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      tests.push_back(test_of(candidates[i].choices, fmt::format("{}_{}", options_.name, i + 1)));
    }
    const auto built = build(tests);
    if (!built.is_ok()) return built.status();
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (options_.deadline.has_come()) return Status::ok();
      tell(fmt::format("build {}: runs test {} of {}", builds_, i + 1, candidates.size()));
      Candidate& candidate = candidates[i];
      for (const unsigned repeats : {1U, 4U, kTrialRepeats}) {
        const auto trial = run_test(built.value().tests[i], built.value().program, repeats, 1);
        if (!trial.is_ok()) return trial.status();
        candidate.trial = trial.value();
        candidate.reports = trial.value().reported == repeats;
        if (!candidate.reports) break;
      }
      ++result_.tried;
      if (candidate.reports) break;  // fewest first
    }
    return Status::ok();
  }

  static const Candidate* first_that_reports(const std::vector<Candidate>& candidates) {
    const auto found = std::find_if(candidates.begin(), candidates.end(), [](const Candidate& c) { return c.reports; });
    return found == candidates.end() ? nullptr : &*found;
  }

  static std::vector<Candidate> as_candidates(const std::vector<std::vector<Choice>>& all) {
    std::vector<Candidate> candidates;
    candidates.reserve(all.size());
    for (const std::vector<Choice>& choices : all) candidates.push_back({choices, {}, false});
    return candidates;
  }

  // The main thread may have run the same code before the first thread was created, where nothing is recorded: then
  // it takes the names of the tasks.
  std::vector<Choice> whole_order(bool by_task) const {
    std::vector<Choice> whole;
    for (std::size_t i = 0; i < forced_.size(); ++i) whole.push_back({i, 0, 0, by_task});
    return whole;
  }

  // The whole order with one precedence at other places, and then without one of the others: its own best place may be
  // the wrong one. Where there are places that are exact, only those.
  std::vector<std::vector<Choice>> other_places() const {
    const auto useful = [](const std::vector<ActionPlace>& places) {
      const auto is_exact = [](const ActionPlace& place) { return place.exact; };
      const auto exact = static_cast<std::size_t>(std::count_if(places.begin(), places.end(), is_exact));
      return std::min<std::size_t>(exact > 0 ? exact : places.size(), 3);
    };
    std::vector<std::vector<Choice>> orders;
    for (std::size_t i = 0; i < forced_.size(); ++i) {
      for (std::size_t n = 0; n < useful(forced_[i].notifies); ++n) {
        for (std::size_t w = 0; w < useful(forced_[i].waits); ++w) {
          if (n == 0 && w == 0) continue;
          orders.push_back(whole_order(true));
          orders.back()[i].notify = n;
          orders.back()[i].wait = w;
        }
      }
    }
    const std::size_t wholes = orders.size();
    for (std::size_t order = 0; order < wholes && orders.size() < kMostTests; ++order) {
      for (std::size_t left_out = 0; left_out < forced_.size() && forced_.size() > 1; ++left_out) {
        const Choice& one = orders[order][left_out];
        if (one.notify != 0 || one.wait != 0) continue;
        orders.push_back(orders[order]);
        orders.back().erase(orders.back().begin() + static_cast<std::ptrdiff_t>(left_out));
      }
    }
    if (orders.size() > kMostTests) orders.resize(kMostTests);
    return orders;
  }

  // Compiling takes most of the time, so one build holds as many tests as possible.
  Status search() {
    std::vector<std::vector<Choice>> tests;
    const auto add = [&](const std::vector<std::vector<Choice>>& more) {
      tests.insert(tests.end(), more.begin(), more.end());
    };
    for (const bool by_task : {false, true}) add(smaller_choices(whole_order(by_task), kMostTests));
    add(other_places());
    for (std::size_t begin = 0; begin < tests.size(); begin += kMostTests) {
      const std::size_t end = std::min(begin + kMostTests, tests.size());
      const auto first = tests.begin();
      const Status status =
          pursue({first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(end)});
      if (!status.is_ok()) return status;
      if (result_.test || options_.deadline.has_come()) return Status::ok();
    }
    explain_failure();
    return Status::ok();
  }

  // Finds the first of these tests that reports every time, drops precedences of it as long as it does, and verifies
  // what is left.
  Status pursue(std::vector<std::vector<Choice>> tests) {
    std::vector<Choice> held;
    for (unsigned round = 0; round < kMostRounds; ++round) {
      tell(fmt::format("build {}: weaves {}", builds_ + 1, counted(tests.size(), "test")));
      std::vector<Candidate> candidates = as_candidates(tests);
      if (Status status = try_all(candidates); !status.is_ok()) return status;
      note_best(candidates);
      const Candidate* best = first_that_reports(candidates);
      if (best == nullptr) break;
      const bool fewer = held.empty() || best->choices.size() < held.size();
      held = best->choices;
      if (!fewer || held.size() <= 1 || smaller_were_tried(held)) break;
      tests = smaller_choices(held, kMostTests);
    }
    if (held.empty() || options_.deadline.has_come()) return Status::ok();
    return verify(held);
  }

  bool smaller_were_tried(const std::vector<Choice>& choices) const {
    const auto is_best_place = [](const Choice& choice) { return choice.notify == 0 && choice.wait == 0; };
    return forced_.size() <= kFewPrecedences && std::all_of(choices.begin(), choices.end(), is_best_place);
  }

  void note_best(const std::vector<Candidate>& candidates) {
    for (const Candidate& candidate : candidates) {
      if (candidate.trial.repeats == 0) continue;
      if (!best_trial_ ||
          candidate.trial.reported * best_trial_->repeats > best_trial_->reported * candidate.trial.repeats) {
        best_trial_ = candidate.trial;
        best_choices_ = candidate.choices;
      }
    }
  }

  Status verify(const std::vector<Choice>& choices) {
    const RaceTest test = test_of(choices, options_.name);
    const auto built = build({test});
    if (!built.is_ok()) return built.status();
    tell(fmt::format("verifies {}", counted(test.actions.size(), "action")));
    const auto verified = run_test(built.value().tests.front(), built.value().program, options_.repeats, 1'000'000);
    if (!verified.is_ok()) return verified.status();
    best_trial_ = verified.value();
    best_choices_ = choices;
    if (verified.value().reported < options_.repeats) return Status::ok();
    result_.verified = verified.value();
    result_.test = test;
    result_.program = built.value().program;
    result_.list = built.value().list;
    return Status::ok();
  }

  void explain_failure() {
    result_.why = "no test forces the order of this schedule every time";
    if (const std::string more = beyond_order(); !more.empty()) {
      result_.why = more;
      return;
    }
    const auto place = [&](std::size_t step) {
      const StepPlace& at = order_.steps[step].places.front();
      return fmt::format("T{} at {}:{}", order_.steps[step].task, at.file.filename().string(), at.line);
    };
    for (const ForcedPrecedence& one : forced_) {
      const bool first = !one.notifies.front().exact;
      if (!first && one.waits.front().exact) continue;
      result_.why += fmt::format("; {} is interrupted within one statement, where no action can go",
                                 place(first ? one.precedence.first : one.precedence.second));
      return;
    }
    if (!best_trial_) return;
    const Precedence& first = forced_[best_choices_.front().precedence].precedence;
    result_.why += fmt::format("; the best forces {} before {}, and reports in {} of {} repeats", place(first.first),
                               place(first.second), best_trial_->reported, best_trial_->repeats);
    if (!best_trial_->first_wait.empty()) result_.why += "; " + best_trial_->first_wait;
  }

  // What the failure needs besides an order of steps; empty: nothing.
  std::string beyond_order() const {
    if (!shrunk_.finding.weak_reads.empty()) {
      return "the failure needs a load to read an older store, which no order of steps can force";
    }
    for (const OfferedChoice& choice : shrunk_.record.offered) {
      if (choice.kind != DecisionKind::environment || choice.taken == 0) continue;
      if (!environment_is_quiet(choice.detail)) continue;
      return fmt::format("the failure needs {}, which no order of steps can force", words_for(choice.detail));
    }
    return {};
  }

  const ShrunkFinding& shrunk_;
  const CompileCommands& commands_;
  const PinOptions& options_;
  PlaceNames names_;
  FailingOrder order_;
  std::vector<ForcedPrecedence> forced_;
  std::optional<Expectation> expectation_;
  std::optional<TestRunResult> best_trial_;
  std::vector<Choice> best_choices_;
  unsigned builds_ = 0;
  PinResult result_;
};

}  // namespace

Result<PinResult> pin(Replay& replay, const ShrunkFinding& shrunk, const CompileCommands& commands,
                      const PinOptions& options) {
  return Pinning(replay, shrunk, commands, options).run();
}

}  // namespace ravel
