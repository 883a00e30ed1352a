// SPDX-License-Identifier: Apache-2.0
#include "driver/race_tests/foreign_detector.h"

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/format.h>

#include "driver/process/environment.h"
#include "driver/process/run_process.h"
#include "driver/race_tests/tsan_report.h"
#include "driver/race_tests/valgrind_report.h"
#include "driver/target/execution_record.h"
#include "driver/target/failure_words.h"
#include "driver/target/program_file.h"
#include "driver/target/schedule_builder.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

constexpr int kTsanExitCode = 66;
constexpr int kWaitExitCode = 67;  // include/ravel/sync.h
constexpr std::size_t kMostOutput = std::size_t{16} << 20;

// The line in which the woven code says why it ended the program: "ravel: test order waits for ...".
std::string last_words(const std::string& output) {
  constexpr std::string_view kBegin = "ravel: ";
  std::string words;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kBegin)) words = line.substr(kBegin.size());
  }
  return words;
}

}  // namespace

Result<ForeignDetector> ForeignDetector::prepare(const TestRunOptions& options) {
  const auto program = inspect_program(options.program[0]);
  if (!program.is_ok()) return program.status();
  const BuildLevel level = program.value().level;
  const bool for_tsan = level == BuildLevel::tsan_shared || level == BuildLevel::tsan_static;
  if (options.detector == Detector::tsan && !for_tsan) {
    return Status::trouble(
        fmt::format("{} is not built with -fsanitize=thread, so ThreadSanitizer is not in it", options.program[0]),
        "compile and link the woven sources with -fsanitize=thread");
  }
  if (options.detector != Detector::tsan) {
    if (level != BuildLevel::plain) {
      return Status::trouble(
          fmt::format("{} is built with a sanitizer, and valgrind cannot run such programs", options.program[0]),
          "compile the woven sources without -fsanitize");
    }
    if (find_in_path("valgrind").empty()) {
      return Status::trouble("valgrind is not installed",
                             "install it (apt install valgrind), or choose another detector");
    }
  }
  auto directory = TemporaryDirectory::make("ravel-test");
  if (!directory.is_ok()) return directory.status();
  return ForeignDetector(options, std::move(directory.value()));
}

// What the detector wrote; one run leaves one file, or one per process.
std::string ForeignDetector::take_log() const {
  std::string text;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_.path(), error)) {
    std::ifstream file(entry.path(), std::ios::binary);
    text.append(std::istreambuf_iterator<char>(file), {});
    fs::remove(entry.path(), error);
  }
  return text;
}

Result<std::vector<DetectorReport>> ForeignDetector::run(const WovenTest& test) const {
  const bool tsan = options_.detector == Detector::tsan;
  const std::string log = directory_.path() / "log";
  ProcessOrder run;
  run.own_group = true;
  run.addresses = AddressLayout::fixed_if_allowed;  // ThreadSanitizer needs it on some kernels
  run.advice = "check that it runs by itself, and the limits of this shell (ulimit -a)";
  const auto limit = std::chrono::duration_cast<std::chrono::milliseconds>(options_.wait_limit);
  run.environment = {fmt::format("{}={}", kRaceTestVariable, test.name),
                     fmt::format("RAVEL_SYNC_TIMEOUT_MS={}", std::max<std::int64_t>(1, limit.count()))};
  if (tsan) {
    const char* const user = std::getenv("TSAN_OPTIONS");
    run.environment.push_back(fmt::format("TSAN_OPTIONS={}{}log_path={}:exitcode={}:verbosity=1",
                                          user == nullptr ? "" : user, user == nullptr ? "" : ":", log, kTsanExitCode));
  } else {
    run.words = {"valgrind", "-q", "--xml=yes", "--xml-file=" + log + ".%p"};
    if (options_.detector == Detector::helgrind) run.words.emplace_back("--tool=helgrind");
    if (options_.detector == Detector::drd) {
      run.words.emplace_back("--tool=drd");
      run.words.emplace_back("--check-stack-var=yes");  // local variables of one thread that others get hold of
    }
  }
  run.words.insert(run.words.end(), options_.program.begin(), options_.program.end());
  run.words.insert(run.words.end(), test.arguments.begin(), test.arguments.end());
  RunSettings settings;
  settings.errors = true;
  settings.output_head = kMostOutput;
  settings.timeout = options_.timeout;
  settings.deadline = options_.deadline;
  const auto ran = run_process(run, settings);
  const std::string text = take_log();
  if (!ran.is_ok()) return ran.status();
  const RunEnd& end = ran.value();
  std::vector<DetectorReport> reports;
  if (end.cut) return reports;
  if (tsan && !tsan_was_running(text)) {
    return Status::trouble(
        fmt::format("ThreadSanitizer did not start in {}", options_.program[0]),
        "link it with -fsanitize=thread and your own compiler: `ravel c++` links Ravel in its place");
  }
  reports = tsan ? parse_tsan_reports(text) : parse_valgrind_reports(text);
  // Valgrind's tools do not know C++ atomics. If a test says where its race is, only that race counts.
  if (!tsan && !test.racing.empty()) {
    std::erase_if(reports, [&](const DetectorReport& one) { return meaning_of(one, test) != Meaning::expected; });
  }
  DetectorReport failure;
  if (end.timed_out) {
    // Why is not known here. A test that expects the program to be stuck has got what it expects.
    failure.kind = test.expected && is_stuck(*test.expected) ? *test.expected : FindingKind::timeout;
    failure.sentence = fmt::format("the run did not end within {}", duration_text(options_.timeout));
    reports.push_back(failure);
    return reports;
  }
  if (WIFEXITED(end.wait_status) && WEXITSTATUS(end.wait_status) == kWaitExitCode) {
    const std::string words = last_words(end.output);
    failure.waits = words.find("never notified") != std::string::npos;
    failure.sentence = words;
    if (!failure.waits && !words.empty()) return Status::trouble(words, "run the test under Ravel: --detector ravel");
    if (failure.waits) {
      reports.push_back(failure);
      return reports;
    }
  }
  const bool by_tsan =
      tsan && !reports.empty() && WIFEXITED(end.wait_status) && WEXITSTATUS(end.wait_status) == kTsanExitCode;
  if (by_tsan) return reports;
  if (const auto record = failure_of_status(end.wait_status, end.output)) {
    failure.kind = record->kind;
    failure.sentence = record->message;
    reports.push_back(failure);
  }
  return reports;
}

}  // namespace ravel
