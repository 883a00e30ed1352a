// SPDX-License-Identifier: Apache-2.0
// The schedule file: what is written comes back, what is damaged is named, what is long stays small.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>
#include <string>

#include "tests/trace/sample_schedules.h"
#include "trace/schedule_format.h"
#include "trace/schedule_hash.h"
#include "trace/schedule_plan.h"
#include "trace/schedule_reader.h"
#include "trace/schedule_writer.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

std::string sentence(std::string_view text) {
  const Result<Schedule> result = parse_schedule(text, "x.ravel");
  return result.is_ok() ? "ok" : result.status().what();
}

// Recomputes the end line, as a program that writes wrong values would.
std::string sealed(std::string text) {
  const std::size_t end = text.rfind("\nend ");
  if (end != std::string::npos) text.resize(end + 1);
  char line[32];
  std::snprintf(line, sizeof line, "end %016llx\n", static_cast<unsigned long long>(schedule_checksum(text)));
  return text + line;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

double bytes_per_decision(const Schedule& schedule) {
  std::uint64_t decisions = 0;
  for (const DecisionRun& run : schedule.decisions) decisions += run.kind == DecisionKind::task ? run.count : 0;
  return static_cast<double>(format_schedule(schedule).size()) / static_cast<double>(decisions);
}

class ScheduleFile : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/ravel-schedule-test-XXXXXX";
    ASSERT_NE(::mkdtemp(name), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const char* name) const { return folder_ + "/" + name; }
  std::string folder_;
};

TEST(ScheduleRoundTrip, Example) {
  const Schedule schedule = example_schedule();
  const Result<Schedule> back = parse_schedule(format_schedule(schedule));
  ASSERT_TRUE(back.is_ok()) << back.status().what();
  expect_equal(schedule, back.value());
}

TEST(ScheduleRoundTrip, RandomSchedules) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    const Schedule schedule = random_schedule(seed);
    const std::string text = format_schedule(schedule);
    const Result<Schedule> back = parse_schedule(text);
    ASSERT_TRUE(back.is_ok()) << back.status().what();
    expect_equal(schedule, back.value());
    EXPECT_EQ(text, format_schedule(back.value()));
    if (HasFailure()) break;
  }
}

TEST(ScheduleRoundTrip, LongExecutions) {
  for (const std::uint32_t tasks : {1U, 2U, 8U, 60U}) {
    SCOPED_TRACE(tasks);
    const Schedule schedule = long_schedule(tasks, 50'000, tasks);
    const Result<Schedule> back = parse_schedule(format_schedule(schedule));
    ASSERT_TRUE(back.is_ok()) << back.status().what();
    expect_equal(schedule, back.value());
  }
}

// The example in the document is what the writer writes, and what the reader reads.
TEST(ScheduleDocument, WorkedExampleIsTheFormat) {
  std::ifstream file(RAVEL_SOURCE_DIR "/docs/formats/schedule.md");
  std::stringstream document;
  document << file.rdbuf();
  EXPECT_NE(document.str().find("```\n" + format_schedule(example_schedule()) + "```\n"), std::string::npos)
      << "docs/formats/schedule.md should quote this:\n"
      << format_schedule(example_schedule());
}

TEST(ScheduleText, LinesAreShort) {
  for (const Schedule& schedule : {example_schedule(), long_schedule(6, 20'000, 1)}) {
    std::istringstream lines(format_schedule(schedule));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), kScheduleColumns) << line;
  }
}

TEST(ScheduleText, ShortDecisionsAreReadable) {
  EXPECT_NE(format_schedule(example_schedule()).find("\na2b3<spurious-wakeup=1>c4\n"), std::string::npos);
}

TEST(ScheduleSize, AtMostOneBytePerDecisionEvenWhenEveryStepSwitches) {
  for (const std::uint32_t tasks : {2U, 3U, 5U, 8U, 12U, 16U}) {
    const double bytes = bytes_per_decision(long_schedule(tasks, 20'000, tasks));
    EXPECT_LE(bytes, 1.0) << tasks;
    RecordProperty("tasks_" + std::to_string(tasks), std::to_string(bytes));
  }
}

TEST(ScheduleSize, RoundRobinCostsNextToNothing) {
  Schedule schedule = long_schedule(1, 100'000, 1);
  schedule.decisions.clear();
  for (std::uint32_t i = 0; i < schedule.operations.size(); ++i) {
    schedule.operations[i] = {i % 5, OperationKind::atomic_rmw, {0, 0x40 + i / 5 % 7}};
    schedule.decisions.push_back({.value = i % 5});
  }
  EXPECT_LE(bytes_per_decision(schedule), 0.05);
}

TEST(ScheduleSize, OperationsOfVeryLongExecutionsAreDropped) {
  const Schedule schedule = long_schedule(4, kMaxKeptOperations + 1, 1);
  const Result<Schedule> back = parse_schedule(format_schedule(schedule));
  ASSERT_TRUE(back.is_ok()) << back.status().what();
  EXPECT_TRUE(back.value().operations.empty());
  EXPECT_TRUE(back.value().decisions == schedule.decisions);
}

TEST(ScheduleSize, OperationsOfOtherTasksThanDecidedAreDropped) {
  Schedule schedule = example_schedule();
  schedule.operations[0].task = 1;
  const Result<Schedule> back = parse_schedule(format_schedule(schedule));
  ASSERT_TRUE(back.is_ok()) << back.status().what();
  EXPECT_TRUE(back.value().operations.empty());
}

TEST(ScheduleDamage, ForeignFiles) {
  EXPECT_EQ(sentence(""), "x.ravel is not a schedule file: it is empty");
  EXPECT_EQ(sentence("\x7f"
                     "ELF..."),
            "x.ravel is not a schedule file: it does not begin with `ravel-schedule`");
  EXPECT_EQ(sentence("#!/bin/sh\n"), "x.ravel is not a schedule file: it does not begin with `ravel-schedule`");
}

TEST(ScheduleDamage, NewerVersion) {
  const Result<Schedule> result =
      parse_schedule(replaced(format_schedule(example_schedule()), "ravel-schedule 1", "ravel-schedule 2"), "x.ravel");
  ASSERT_FALSE(result.is_ok());
  EXPECT_EQ(result.status().what(),
            "x.ravel was made by a newer Ravel: its format is version 2, this Ravel reads up to 1");
  EXPECT_EQ(result.status().advice(), "update Ravel");
}

TEST(ScheduleDamage, TruncatedAnywhere) {
  const std::string text = format_schedule(example_schedule());
  for (std::size_t length = 1; length + 1 < text.size(); ++length) {
    EXPECT_EQ(sentence(text.substr(0, length)),
              "x.ravel is truncated: its last line, `end` with a checksum, is missing")
        << length;
  }
  // Only the last newline is missing: nothing is lost.
  EXPECT_EQ(sentence(text.substr(0, text.size() - 1)), "ok");
}

TEST(ScheduleDamage, EveryChangedByteIsNoticed) {
  const std::string text = format_schedule(example_schedule());
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char change : {'\1', ' '}) {
      std::string damaged = text;
      damaged[at] = static_cast<char>(damaged[at] ^ change);
      if (damaged[at] == '\n' && at + 1 == text.size()) continue;
      EXPECT_NE(sentence(damaged), "ok") << at;
    }
  }
}

TEST(ScheduleDamage, NamesTheLine) {
  const std::string text = format_schedule(example_schedule());
  EXPECT_EQ(sentence(replaced(text, "execution=17", "execution=18")),
            "x.ravel is damaged: the checksum at line " + std::to_string(std::count(text.begin(), text.end(), '\n')) +
                " does not match what precedes it");
  EXPECT_EQ(sentence(replaced(text, "steps: 9", "steps: nine")),
            "x.ravel is damaged at line 11: nine is not a value for `steps`");
  EXPECT_EQ(sentence(replaced(text, "a2b3<", "a2!3<")),
            "x.ravel is damaged at line 18: there is something that is not a decision");
  EXPECT_EQ(sentence(text + "more\n"), "x.ravel is damaged: something follows its `end` line");
  EXPECT_EQ(sentence(replaced(text, "schedule 1\n", "schedule 1\r\n")),
            "x.ravel is damaged: its line endings were changed to those of Windows");
}

TEST(ScheduleDamage, WrongValues) {
  const std::string text = format_schedule(example_schedule());
  const auto wrong = [&](std::string_view from, std::string_view to) {
    return sentence(sealed(replaced(text, from, to)));
  };
  EXPECT_EQ(wrong("finding: deadlock", "finding: boredom"),
            "x.ravel has a wrong value at line 8: boredom is not a value for `finding`");
  EXPECT_EQ(
      wrong("plan: pct", "plan: psychic"),
      "x.ravel has a wrong value at line 7: \"psychic seed=42 depth=3 length=120 envir\"... is not a value for `plan`");
  EXPECT_EQ(wrong("carrier=fiber", "carrier=pigeon"),
            "x.ravel has a wrong value at line 6: carrier=pigeon is not a value for `launch`");
  EXPECT_EQ(wrong("carrier=fiber", "gravity=low"),
            "x.ravel has a wrong value at line 6: gravity=low is not a value for `launch`");
  EXPECT_EQ(wrong("\"two of them\"", "\"two of them"),
            "x.ravel has a wrong value at line 3: \"./bank --accounts \\\"two of them\" is not a value for `program`");
  EXPECT_EQ(wrong("decisions: 9", "decisions: 10"),
            "x.ravel has a wrong value at line 17: there are 9 decisions where 10 are announced");
  EXPECT_EQ(wrong("operations: 9", "operations: 90"),
            "x.ravel has a wrong value at line 19: there are more operations than decisions");
  EXPECT_EQ(wrong("sites: 4", "sites: 5"), "x.ravel has a wrong value at line 17: this is not a line of sites");
  EXPECT_EQ(wrong("sites: 4", "sites: 3"), "x.ravel has a wrong value at line 16: there are more sites than announced");
  EXPECT_EQ(wrong("steps: 9\n", ""), "x.ravel has a wrong value at line 14: the line `steps` is missing before here");
  EXPECT_EQ(wrong("steps: 9\n", "steps: 9\nsteps: 9\n"), "x.ravel has a wrong value at line 12: `steps` appears twice");
  EXPECT_EQ(wrong("lock@0+1180", "lock@7+1180"), "x.ravel has a wrong value at line 20: lock@7+1180 is not a place");
}

// A header line that a later version adds does not stop this one.
TEST(ScheduleVersion, UnknownHeaderLinesAreSkipped) {
  EXPECT_EQ(sentence(sealed(replaced(format_schedule(example_schedule()), "steps: 9\n", "steps: 9\ncolour: blue\n"))),
            "ok");
}

// Ten words make a thousand characters, twenty a million: the reader must stop at what an execution can have.
TEST(ScheduleBounds, WordsCannotExplode) {
  std::string words;
  const std::string names = "!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~ABCDEFGHIJKLMNOP";
  char before = 'a';
  for (const char name : names) {
    if (name == '{' || name == '<') continue;
    words += std::string("words: ") + name + before + before + "\n";
    before = name;
  }
  const std::string text = format_schedule(example_schedule());
  const std::string bomb = sealed(replaced(text, "a2b3<spurious-wakeup=1>c4\n", words + before + "\n"));
  EXPECT_NE(sentence(bomb).find("there are more decisions than an execution can have"), std::string::npos)
      << sentence(bomb);
}

TEST(ScheduleBounds, WordsMayNotContradictThemselves) {
  const std::string text = format_schedule(example_schedule());
  for (const char* words : {"words: AAb\n", "words: Aab ABc BAc\n", "words: Aab aAb\n", "words: Aab BAC AcC\n"}) {
    const std::string cyclic = sealed(replaced(text, "a2b3<spurious-wakeup=1>c4\n", std::string(words) + "A\n"));
    EXPECT_NE(sentence(cyclic), "ok") << words;
  }
}

TEST_F(ScheduleFile, WriteThenRead) {
  ASSERT_TRUE(write_schedule(example_schedule(), path("a.ravel")).is_ok());
  const Result<Schedule> back = read_schedule(path("a.ravel"));
  ASSERT_TRUE(back.is_ok()) << back.status().what();
  expect_equal(example_schedule(), back.value());
  // Nothing else is left in the folder.
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(ScheduleFile, WriteReplacesWholeFilesOnly) {
  ASSERT_TRUE(write_schedule(long_schedule(3, 500, 1), path("a.ravel")).is_ok());
  ASSERT_TRUE(write_schedule(example_schedule(), path("a.ravel")).is_ok());
  ASSERT_TRUE(read_schedule(path("a.ravel")).is_ok());
  EXPECT_EQ(fs::file_size(path("a.ravel")), format_schedule(example_schedule()).size());
}

TEST_F(ScheduleFile, TroubleIsOneSentence) {
  EXPECT_EQ(read_schedule(path("none")).status().what(),
            "cannot read the schedule " + path("none") + ": No such file or directory");
  EXPECT_EQ(read_schedule(folder_).status().what(), folder_ + " is a directory, not a schedule file");
  EXPECT_EQ(read_schedule("/dev/null").status().what(), "/dev/null is not a schedule file: it is not a regular file");
  EXPECT_EQ(write_schedule(example_schedule(), path("no/such/folder")).what(),
            "cannot write the schedule " + path("no/such/folder") + ": No such file or directory");
}

TEST(PlanText, KeepsWhereTasksAreHeldBack) {
  Plan plan;
  plan.strategy = StrategyKind::pos;
  plan.seed = 9;
  plan.hold[0] = {100, 200};
  plan.hold[1] = {200, 100};
  EXPECT_EQ(format_plan(plan), "pos seed=9 hold=100:200,200:100");
  EXPECT_EQ(parse_plan(format_plan(plan)), plan);
  for (LockHold& hold : plan.hold) hold = {7, 8};
  EXPECT_EQ(parse_plan(format_plan(plan)), plan);
  for (const char* wrong : {"pos hold=", "pos hold=1", "pos hold=1:", "pos hold=:2", "pos hold=0:2", "pos hold=1:2,",
                            "pos hold=1:2,3", "pos hold=1:2,1:2,1:2,1:2,1:2"}) {
    EXPECT_FALSE(parse_plan(wrong).has_value()) << wrong;
  }
}

TEST(PlanText, SaysWhatIsNotDefault) {
  EXPECT_EQ(format_plan(example_schedule().plan), "pct seed=42 depth=3 length=120 environment=1/1024");
  EXPECT_EQ(format_plan(Plan{}), "sequential seed=0");
  EXPECT_FALSE(parse_plan("").has_value());
  EXPECT_FALSE(parse_plan("pct environment=1/1000").has_value());
  EXPECT_FALSE(parse_plan("pct depth").has_value());
  EXPECT_FALSE(parse_plan("pct depth=three").has_value());
}

TEST(PlanText, KnowsTheParametersOfTheStrategyAlone) {
  ASSERT_TRUE(parse_plan("random seed=1 switch=1/8").has_value());
  EXPECT_EQ(parse_plan("random seed=1 switch=1/8")->parameter("switch"), 3U);
  EXPECT_FALSE(parse_plan("pos seed=1 switch=1/8").has_value());
  EXPECT_FALSE(parse_plan("random seed=1 switch=8").has_value());
  Plan plan = *parse_plan("pct seed=1 depth=3 length=120");
  EXPECT_EQ(plan.parameter("depth"), 3U);
  EXPECT_EQ(plan.parameter("length"), 120U);
  plan.change_strategy(StrategyKind::random);
  EXPECT_EQ(format_plan(plan), "random seed=1") << "what the other strategy had does not count";
}

TEST(OperationHash, DependsOnWhatReplayCompares) {
  const Schedule schedule = example_schedule();
  const std::uint64_t hash = hash_operations(schedule.operations, schedule.modules);
  const auto changed = [&](auto&& change) {
    Schedule other = schedule;
    change(other);
    return hash_operations(other.operations, other.modules) != hash;
  };
  EXPECT_TRUE(changed([](Schedule& s) { s.operations[3].task = 5; }));
  EXPECT_TRUE(changed([](Schedule& s) { s.operations[3].kind = OperationKind::mutex_try_lock; }));
  EXPECT_TRUE(changed([](Schedule& s) { s.operations[3].where.offset += 4; }));
  EXPECT_TRUE(changed([](Schedule& s) { s.operations[3].where.module = 1; }));
  EXPECT_TRUE(changed([](Schedule& s) { std::swap(s.operations[3], s.operations[4]); }));
  EXPECT_TRUE(changed([](Schedule& s) { s.operations.pop_back(); }));
  EXPECT_FALSE(changed([](Schedule& s) { s.modules[0].path = "/elsewhere/renamed"; }));
  EXPECT_FALSE(changed([](Schedule& s) { s.modules[1].path = "/usr/lib/libc.so.6"; }));
  // The same modules in another order.
  EXPECT_FALSE(changed([](Schedule& s) {
    s.modules.insert(s.modules.begin() + 1, {"/lib/libm.so.6", ""});
    for (ScheduleStep& step : s.operations) step.where.module += step.where.module == 1 ? 1U : 0U;
  }));
}

}  // namespace
}  // namespace ravel
