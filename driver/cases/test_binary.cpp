// SPDX-License-Identifier: Apache-2.0
#include "driver/cases/test_binary.h"

#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "driver/process/run_process.h"
#include "driver/target/execution_record.h"

namespace ravel {
namespace {

using Words = TestFramework::Words;

Result<RunEnd> ask_program(const TargetSettings& settings, const Words& words) {
  ProcessOrder order;
  order.file = settings.executable;
  order.words = {settings.arguments.front()};
  order.words.insert(order.words.end(), words.begin(), words.end());
  order.directory = settings.directory;
  order.addresses = AddressLayout::fixed_if_allowed;  // ThreadSanitizer's own runtime may need it
  order.own_group = true;
  order.core_files = false;
  order.default_signals = true;
  RunSettings run;
  run.timeout = settings.timeout;
  run.deadline = settings.deadline;
  return run_process(std::move(order), run);
}

Status no_answer(const TargetSettings& settings, const RunEnd& end, const std::string& question) {
  const std::string& program = settings.arguments.front();
  if (end.cut) {
    return Status::trouble(fmt::format("{} had not said which cases it has: {}", program, settings.deadline.reason()),
                           settings.deadline.interrupted() ? "" : "--time allows more");
  }
  return Status::trouble(
      fmt::format("{} did not answer {} within {}", program, question, duration_text(settings.timeout)),
      "--gtest is for binaries of GoogleTest, Catch2 and doctest; --timeout allows more time");
}

Result<std::unique_ptr<TestFramework>> find_framework(const TargetSettings& settings) {
  for (const char* const question : kQuestions) {
    const Result<RunEnd> end = ask_program(settings, {question});
    if (!end.is_ok()) return end.status();
    if (auto framework = framework_that_answers(end.value().output)) return framework;
    if (end.value().cut || end.value().timed_out) return no_answer(settings, end.value(), question);
  }
  return Status::trouble(
      fmt::format("{} is no test binary of GoogleTest, Catch2 or doctest: it does not answer --help as those do",
                  settings.arguments.front()),
      "without --gtest, ravel run explores the program as a whole");
}

}  // namespace

Result<TestBinary> TestBinary::ask(const TargetSettings& settings) {
  auto framework = find_framework(settings);
  if (!framework.is_ok()) return framework.status();
  TestBinary binary(std::move(framework.value()), settings.arguments);
  const Words question = binary.framework().listing_words(binary.arguments_);
  const Result<RunEnd> end = ask_program(settings, question);
  if (!end.is_ok()) return end.status();
  if (end.value().cut || end.value().timed_out) return no_answer(settings, end.value(), question.back());
  std::unordered_set<std::string> known;
  for (std::string& name : binary.framework().cases_in(end.value().output, binary.arguments_)) {
    if (known.insert(name).second) binary.cases_.push_back(std::move(name));
  }
  if (!binary.cases_.empty()) return binary;
  if (binary.arguments_.empty()) {
    return Status::trouble(
        fmt::format("{} has no {} case that it would run", binary.program_, binary.framework().name()),
        "check that the tests are linked into it, and that they are not disabled");
  }
  std::string words;
  for (const std::string& word : binary.arguments_) words += (words.empty() ? "" : " ") + word;
  return Status::trouble(fmt::format("no {} case of {} matches: {}", binary.framework().name(), binary.program_, words),
                         fmt::format("ravel run --gtest --list -- {} lists all", binary.program_));
}

std::vector<std::string> TestBinary::command_line_of(const std::string& name) const {
  std::vector<std::string> words = {program_};
  for (std::string& word : framework_->selecting_words(arguments_, name, cases_)) words.push_back(std::move(word));
  return words;
}

}  // namespace ravel
