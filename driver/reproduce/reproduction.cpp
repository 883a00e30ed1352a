// SPDX-License-Identifier: Apache-2.0
#include "driver/reproduce/reproduction.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "driver/pin/pin_files.h"
#include "driver/process/temporary_directory.h"
#include "driver/replay/replay.h"
#include "driver/reproduce/harness_writer.h"
#include "driver/reproduce/sequence_runner.h"
#include "driver/reproduce/test_explorer.h"
#include "driver/reproduce/test_writer.h"
#include "trace/schedule_reader.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// The harness is not moved when it is loaded, so its addresses are those of its file.
Symboliser symbols_of(const std::string& program) {
  constexpr std::uint64_t kEnd = std::uint64_t{1} << 40U;  // libraries lie above
  return {program, std::vector<SymbolModule>{{0x1000, kEnd, 0, program}}};
}

class Reproducer {
 public:
  explicit Reproducer(const ReproduceOptions& options) : options_(options) {}

  Result<Reproduction> run() {
    const auto began = Clock::now();
    plan_ = options_.build;
    plan_.deadline = options_.deadline;
    if (Status status = understand(); !status.is_ok()) return status;
    const auto work = TemporaryDirectory::make("ravel-reproduce");
    if (!work.is_ok()) return work.status();
    plan_.work = work.value().path();
    if (Status status = build(); !status.is_ok()) return status;
    if (Status status = search(); !status.is_ok()) return status;
    if (found_ || (near_ && result_.cut.empty())) {
      const Status status = write();
      if (!result_.reproduced()) note_cut();
      result_.unverified = found_ && !result_.reproduced() && !result_.cut.empty() && !result_.test_file.empty();
      if (!status.is_ok() && !result_.unverified) return status;
    }
    result_.seconds = seconds_since(began);
    return std::move(result_);
  }

 private:
  void say(const std::string& line) const {
    if (options_.progress) options_.progress(line);
  }

  void note_cut() {
    if (options_.deadline.has_come()) result_.cut = options_.deadline.reason();
  }

  Status understand() {
    auto report = read_crash(options_.crash);
    if (!report.is_ok()) return report.status();
    result_.report = std::move(report.value());
    // Which functions are about a handle is in the header; a class is in the names of the stack.
    ClassWish wish = options_.wish;
    if (!options_.handle.empty()) {
      if (Status status = list(options_.handle); !status.is_ok()) return status;
      wish.class_name = options_.handle;
      for (const ClassOperation& one : result_.listing.operations) wish.functions.insert(one.name);
    }
    result_.crashing = infer_class(result_.report, wish);
    if (!result_.crashing.found()) return Status::trouble(result_.crashing.sentence, "");
    const bool deadlock = options_.deadlock || result_.report.failure.kind == FindingKind::deadlock;
    if (!deadlock) {
      result_.target = target_of(result_.report, result_.crashing);
      return Status::ok();
    }
    auto target = deadlock_target_of(result_.report, result_.crashing, wish);
    if (!target.is_ok()) return target.status();
    result_.target = std::move(target.value());
    return Status::ok();
  }

  Status list(const std::string& name) {
    const auto began = Clock::now();
    say(fmt::format("reading {}", name));
    ListingRequest request;
    request.analyzer = options_.analyzer;
    request.headers = plan_.headers;
    request.class_name = name;
    request.handle = !options_.handle.empty();
    request.c_headers = plan_.c_headers;
    request.arguments = plan_.compiler;
    request.arguments.erase(request.arguments.begin(), request.arguments.end() - 1);
    request.arguments.insert(request.arguments.end(), plan_.options.begin(), plan_.options.end());
    request.directory = plan_.directory.string();
    request.values = options_.values;
    request.deadline = options_.deadline;
    auto listing = list_class(request);
    // The stack may have the name with its namespaces where the user left them out.
    if (!listing.is_ok() && !request.handle && request.class_name != result_.crashing.class_name) {
      request.class_name = result_.crashing.class_name;
      listing = list_class(request);
    }
    if (!listing.is_ok()) return listing.status();
    result_.listing = std::move(listing.value());
    result_.compile_seconds += seconds_since(began);
    return Status::ok();
  }

  Status build() {
    const std::string& wished = options_.wish.class_name;
    if (options_.handle.empty()) {
      if (Status status = list(wished.empty() ? result_.crashing.class_name : wished); !status.is_ok()) return status;
    }
    const auto began = Clock::now();
    if (Status status = check_method(); !status.is_ok()) return status;
    say(fmt::format("compiling the calls of {}", result_.listing.name));
    auto built = build_harness(result_.listing, plan_);
    if (!built.is_ok()) return built.status();
    harness_ = std::move(built.value());
    result_.compile_seconds += seconds_since(began);
    return check_method();
  }

  Status check_method() const {
    for (const ClassOperation& operation : result_.listing.operations) {
      if (!operation.makes_object() && operation.method() == result_.crashing.method) return Status::ok();
    }
    for (const OperationLeftOut& one : result_.listing.left_out) {
      if (!one.signature.starts_with(result_.crashing.method)) continue;
      return Status::trouble(fmt::format("a test cannot call {}: {}", one.signature, one.reason),
                             "values of your own help where a parameter has none: --values FILE");
    }
    return Status::trouble(
        fmt::format("{} has no public method {} that a test could call", result_.listing.name, result_.crashing.method),
        "name the method that other code calls: --method NAME");
  }

  Status search() {
    const auto began = Clock::now();
    say("searching for a test");
    auto runner = SequenceRunner::start(harness_.program, options_.recorder, plan_.work.string(), options_.deadline);
    if (!runner.is_ok()) return runner.status();
    Symboliser symbols = symbols_of(harness_.program);
    PlaceTable table(symbols);
    SearchSettings settings;
    settings.method = result_.crashing.method;
    settings.without = options_.without;
    settings.sorted = options_.sorted;
    settings.seed = options_.seed;
    settings.longest = options_.longest;
    settings.threads = options_.threads;
    settings.suffix = options_.suffix;
    settings.deadline = options_.deadline;
    TestSearch search(result_.listing, result_.target, *runner.value(), table, settings);
    Status trouble = Status::ok();
    search.run([&](const TestCandidate& test) { return explore(test, trouble); });
    if (!trouble.is_ok()) return trouble;
    result_.counts = search.counts();
    result_.sequences = runner.value()->performed();
    if (!found_) note_cut();
    result_.search_seconds = seconds_since(began);
    if (runner.value()->is_lost() && !options_.deadline.has_come()) {
      return Status::trouble("the harness ended unexpectedly", "please report it, with the class");
    }
    return Status::ok();
  }

  ExploreSettings explore_settings() const {
    ExploreSettings settings;
    settings.executions = options_.executions;
    settings.seed = options_.seed;
    settings.timeout = options_.timeout;
    settings.input = options_.input;
    settings.deadline = options_.deadline;
    settings.directory = plan_.work.string();
    settings.out = (plan_.work / "schedules").string();
    return settings;
  }

  bool explore(const TestCandidate& test, Status& trouble) {
    std::vector<std::string> words = {harness_.program, "test", sequence_text(test.prefix)};
    for (const Sequence& suffix : test.suffixes) words.push_back(sequence_text(suffix));
    const auto explored = explore_test(words, result_.target, explore_settings());
    if (!explored.is_ok()) {
      trouble = explored.status();
      return true;
    }
    result_.executions += explored.value().executions;
    if (explored.value().near && !near_) {
      near_ = test;
      result_.near = explored.value().near;
    }
    if (!explored.value().match) return false;
    found_ = test;
    return true;
  }

  // The test as a program of its own, explored again: its schedule is for this program, not for the harness.
  Status write() {
    const auto began = Clock::now();
    say("writing the test");
    result_.test = found_ ? *found_ : *near_;
    const fs::path out = options_.out;
    std::error_code error;
    fs::create_directories(out, error);
    if (error) {
      return Status::trouble(fmt::format("cannot make {}: {}", options_.shown_out, error.message()),
                             "name another directory with --out");
    }
    const fs::path source = out / "test.cpp";
    const fs::path shown = fs::path(options_.shown_out) / "test.cpp";
    TestText text;
    text.includes = include_lines(plan_.included, plan_.c_headers);
    const StackPlace& place = result_.target.places.front();
    text.comments = {fmt::format("Reproduces a crash of {} in {}{}.", result_.listing.name, place.function,
                                 place.line == 0 ? "" : fmt::format(" ({}:{})", base_name(place.file), place.line)),
                     "Written by ravel reproduce. Build and run it:",
                     "  " + build_command(shown, fs::path(options_.shown_out) / "test", plan_)};
    if (Status status = write_source(source, text); !status.is_ok()) return status;
    if (options_.googletest) {
      TestText gtest = text;
      gtest.googletest = true;
      gtest.comments.pop_back();
      gtest.comments.push_back(
          "  " +
          build_command(fs::path(options_.shown_out) / "gtest.cpp", fs::path(options_.shown_out) / "gtest", plan_) +
          " -lgtest_main -lgtest");
      if (Status status = write_source(out / "gtest.cpp", gtest); !status.is_ok()) return status;
    }
    result_.test_calls = test_size(result_.listing, result_.test);
    result_.test_file = shown.string();
    std::ofstream(out / "compile_commands.json") << compile_commands_of(source, plan_);
    result_.build_command = build_command(shown, fs::path(options_.shown_out) / "test", plan_);
    const fs::path program = out / "test";
    auto built = build_test(source, program, harness_.objects, plan_);
    if (!built.is_ok()) return built.status();
    result_.compile_seconds += seconds_since(began);
    return verify(fs::path(options_.shown_out) / "test");
  }

  Status write_source(const fs::path& path, const TestText& text) const {
    std::ofstream file(path);
    file << write_test(result_.listing, result_.test, text);
    if (file.good()) return Status::ok();
    return Status::trouble(fmt::format("cannot write {}", path.string()), "name another directory with --out");
  }

  Status verify(const fs::path& program) {
    say("verifying the test");
    ExploreSettings settings = explore_settings();
    settings.directory.clear();
    settings.out = options_.shown_out;
    settings.shrink = true;
    settings.wanted = found_ ? StackMatch::exact : StackMatch::functions;
    const auto explored = explore_test({program.string()}, result_.target, settings);
    if (!explored.is_ok()) return explored.status();
    if (!explored.value().match) return Status::ok();  // not reproduced after all
    const ReportedFinding& finding = *explored.value().match;
    auto schedule = read_schedule(finding.schedule_path);
    if (!schedule.is_ok()) return schedule.status();
    Status status = Status::ok();
    TargetSettings target = target_settings({program.string()}, settings, status);
    if (!status.is_ok()) return status;
    target.launch = schedule.value().launch;
    Replay replay(schedule.value(), target, finding.schedule_path);
    for (unsigned i = 0; i < options_.repeats && !options_.deadline.has_come(); ++i) {
      const auto again = replay.run(false);
      if (options_.deadline.has_come()) break;  // in the middle of it
      if (!again.is_ok()) return again.status();
      ++result_.repeats;
      if (again.value().finding) ++result_.replays;
    }
    result_.finding = finding;
    result_.match = result_.target.match(finding.finding);
    result_.program = program.string();
    result_.schedule = finding.schedule_path;
    return Status::ok();
  }

  const ReproduceOptions& options_;
  Reproduction result_;
  BuildPlan plan_;
  BuiltHarness harness_;
  std::optional<TestCandidate> found_;
  std::optional<TestCandidate> near_;
};

}  // namespace

std::string Reproduction::race_test_name() const { return test_name(listing.name, finding->finding.kind); }

Result<Reproduction> reproduce(const ReproduceOptions& options) { return Reproducer(options).run(); }

}  // namespace ravel
