// SPDX-License-Identifier: Apache-2.0
// The JSON summary: the keys scripts rely on, and that a file appears whole or not at all.
#include "reports/json_report.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/reports/golden.h"
#include "tests/reports/sample_findings.h"

namespace ravel {
namespace {
namespace fs = std::filesystem;

CampaignResult sample() {
  SampleFindings samples;
  CampaignResult result;
  result.program = {"./bank", "--fast"};
  result.strategy = "pos";
  result.seed = 7;
  result.executions = 123;
  result.seconds = 0.5;
  result.steps = 45678;
  result.distinct_orders = 57;
  result.unseen_probability = 0.25;
  result.verified_deterministic = true;
  result.instrumented = true;
  result.notes = {"a note"};
  for (unsigned kind = 0; kind < kFindingKinds; ++kind) {
    result.findings.push_back(samples.reported(static_cast<FindingKind>(kind)));
  }
  return result;
}

TEST(JsonReport, HasTheKeysOfTheContract) {
  const auto json = nlohmann::json::parse(json_report(sample()));
  EXPECT_EQ(json.at("ravel"), RAVEL_VERSION);
  EXPECT_EQ(json.at("command"), "run");
  EXPECT_EQ(json.at("program"), nlohmann::json::array({"./bank", "--fast"}));
  EXPECT_EQ(json.at("strategy"), "pos");
  EXPECT_EQ(json.at("seed"), 7);
  EXPECT_EQ(json.at("executions"), 123);
  EXPECT_EQ(json.at("seconds"), 0.5);
  EXPECT_EQ(json.at("executions_per_second"), 246.0);
  EXPECT_EQ(json.at("steps"), 45678);
  EXPECT_EQ(json.at("distinct_orders"), 57);
  EXPECT_EQ(json.at("unseen_probability"), 0.25);
  EXPECT_EQ(json.at("complete"), false);
  EXPECT_EQ(json.at("verified_deterministic"), true);
  EXPECT_EQ(json.at("carrier"), "fiber");
  EXPECT_EQ(json.at("instrumented"), true);

  ASSERT_EQ(json.at("findings").size(), kFindingKinds);
  const auto& race = json.at("findings").at(0);
  EXPECT_EQ(race.at("id"), 1);
  EXPECT_EQ(race.at("kind"), "data-race");
  EXPECT_TRUE(race.at("message").is_string());
  EXPECT_EQ(race.at("first_execution"), 4);
  EXPECT_EQ(race.at("count"), 12);
  EXPECT_EQ(race.at("schedule"), ".ravel/1-data-race.ravel");
  EXPECT_EQ(race.at("preemptions"), 1);
  EXPECT_EQ(race.at("tasks"), 3);
  ASSERT_EQ(race.at("stacks").size(), 2U);
  const auto& stack = race.at("stacks").at(0);
  EXPECT_EQ(stack.at("task"), 1);
  EXPECT_EQ(stack.at("operation"), "write 4 bytes");
  EXPECT_EQ(stack.at("object"), "bank::balance");
  const auto& top = stack.at("frames").at(0);
  EXPECT_EQ(top.at("function"), "bank::Account::deposit(int)");
  EXPECT_EQ(top.at("file"), "bank.cpp");
  EXPECT_EQ(top.at("line"), 12);
}

TEST(JsonReport, TellsWhatPctPromises) {
  CampaignResult result;
  EXPECT_FALSE(nlohmann::json::parse(json_report(result)).at("coverage").contains("pct_guarantee"));
  result.coverage.pct = {{1, 100, 4, 0, 0.75}, {2, 90, 4, 60, 0.25}};
  const auto bounds = nlohmann::json::parse(json_report(result)).at("coverage").at("pct_guarantee");
  ASSERT_EQ(bounds.size(), 2U);
  EXPECT_EQ(bounds[0].at("depth"), 1);
  EXPECT_EQ(bounds[0].at("steps"), nullptr);
  EXPECT_EQ(
      bounds[1],
      (nlohmann::json{{"depth", 2}, {"executions", 90}, {"tasks", 4}, {"steps", 60}, {"found_probability", 0.25}}));
}

DecidingOperation deciding(std::uint64_t number, TaskId task, const char* operation, std::uint32_t line) {
  DecidingOperation result;
  result.operation = operation;
  result.step.number = number;
  result.step.task = task;
  result.step.object = "bank::balance";
  result.step.held = {"mutex M1"};
  Frame frame;
  frame.function = "deposit(int)";
  frame.file = "bank.cpp";
  frame.line = line;
  result.step.stack = {frame};
  return result;
}

TEST(JsonReport, TellsTheCauseWithBothStacks) {
  CampaignResult result = sample();
  result.findings.resize(2);
  Explanation& explanation = result.findings[0].explanation.emplace();
  ExplainedCause& cause = explanation.cause.emplace();
  cause.first = deciding(7, 1, "read 4 bytes", 12);
  cause.first.step.before = "0";
  cause.first.step.after = "0";
  cause.second = deciding(9, 2, "write 4 bytes", 17);
  cause.second.step.kind = OperationKind::write;
  cause.second.step.after = "100";
  cause.passes_otherwise = true;
  auto findings = nlohmann::json::parse(json_report(result)).at("findings");
  EXPECT_EQ(findings[1].at("cause"), nullptr) << "nobody looked for it";
  const auto& told = findings[0].at("cause");
  EXPECT_EQ(told.at("first").at("task"), 1);
  EXPECT_EQ(told.at("first").at("operation"), "read 4 bytes");
  EXPECT_EQ(told.at("first").at("object"), "bank::balance");
  EXPECT_EQ(told.at("first").at("step"), 7);
  EXPECT_EQ(told.at("first").at("before"), "0");
  EXPECT_FALSE(told.at("first").contains("after")) << "a read changes nothing";
  EXPECT_EQ(told.at("first").at("held"), nlohmann::json::array({"mutex M1"}));
  EXPECT_EQ(told.at("first").at("frames")[0].at("line"), 12);
  EXPECT_EQ(told.at("second").at("task"), 2);
  EXPECT_EQ(told.at("second").at("after"), "100");
  EXPECT_EQ(told.at("second").at("frames")[0].at("file"), "bank.cpp");
  EXPECT_EQ(told.at("third"), nullptr);
  EXPECT_EQ(told.at("second_happened"), true);
  EXPECT_EQ(told.at("passes_otherwise"), true);
  EXPECT_EQ(told.at("older_store"), false);

  // What another task had not come to has no step.
  cause.second.step.number = 0;
  cause.second_happened = false;
  findings = nlohmann::json::parse(json_report(result)).at("findings");
  EXPECT_EQ(findings[0].at("cause").at("second").at("step"), nullptr);
  EXPECT_EQ(findings[0].at("cause").at("second_happened"), false);
}

TEST(JsonReport, EveryFindingHasTheSameCoreKeys) {
  const auto json = nlohmann::json::parse(json_report(sample()));
  for (const auto& finding : json.at("findings")) {
    for (const char* key : {"id", "kind", "message", "first_execution", "count", "schedule", "preemptions", "tasks",
                            "stacks", "step", "signature", "replayed", "output", "cause"}) {
      EXPECT_TRUE(finding.contains(key)) << finding.at("kind") << " lacks " << key;
    }
    EXPECT_TRUE(finding_from_name(finding.at("kind").get<std::string>()).has_value());
    EXPECT_FALSE(finding.at("message").get<std::string>().empty());
  }
}

TEST(JsonReport, LooksLikeItsGoldenFile) {
  CampaignResult result = sample();
  std::string text = json_report(result);
  const std::string version = std::string("\"ravel\": \"") + RAVEL_VERSION + "\"";
  const std::size_t at = text.find(version);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, version.size(), "\"ravel\": \"VERSION\"");
  expect_golden("report.json", text);
}

TEST(JsonReport, OutputThatIsNotUtf8IsReplaced) {
  CampaignResult result = sample();
  result.findings.resize(1);
  result.findings[0].output = "a\xff\xfe z";
  const auto json = nlohmann::json::parse(json_report(result));
  EXPECT_EQ(json.at("findings").at(0).at("output"), "a\xef\xbf\xbd\xef\xbf\xbd z");
}

TEST(JsonReport, AnEmptyCampaignIsValid) {
  const auto json = nlohmann::json::parse(json_report(CampaignResult{}));
  EXPECT_EQ(json.at("findings"), nlohmann::json::array());
  EXPECT_EQ(json.at("executions_per_second"), 0.0);
}

class WriteReport : public ::testing::Test {
 protected:
  WriteReport() {
    std::string pattern = (fs::temp_directory_path() / "ravel-json-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~WriteReport() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  static std::string read(const fs::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  fs::path folder_;
};

TEST_F(WriteReport, ReplacesAFileAndLeavesNothingElse) {
  const fs::path path = folder_ / "out.json";
  std::ofstream(path) << "old and longer than the new text";
  ASSERT_TRUE(write_report("new\n", path.string()).is_ok());
  EXPECT_EQ(read(path), "new\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(WriteReport, SaysWhyItCannot) {
  const Status missing = write_report("x", (folder_ / "no" / "out.json").string());
  EXPECT_FALSE(missing.is_ok());
  EXPECT_NE(missing.what().find("No such file or directory"), std::string::npos) << missing.what();
  EXPECT_FALSE(missing.advice().empty());
  const Status directory = write_report("x", folder_.string());
  EXPECT_FALSE(directory.is_ok());
  EXPECT_NE(directory.what().find("Is a directory"), std::string::npos) << directory.what();
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(WriteReport, WritesIntoDevicesInPlace) {
  EXPECT_TRUE(write_report("x", "/dev/null").is_ok());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  const Status full = write_report("x", "/dev/full");
  EXPECT_FALSE(full.is_ok());
}

TEST_F(WriteReport, DashIsStandardOutput) {
  ::testing::internal::CaptureStdout();
  EXPECT_TRUE(write_report("to stdout\n", "-").is_ok());
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "to stdout\n");
}

}  // namespace
}  // namespace ravel
