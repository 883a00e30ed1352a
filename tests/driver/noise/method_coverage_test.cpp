// SPDX-License-Identifier: Apache-2.0
#include "driver/noise/method_coverage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

namespace ravel {
namespace {

// Code 0x1xx is in `push`, 0x2xx in `pop`, 0x3xx in `setup`; the rest is a library's.
std::string name_of(std::uint64_t pc) {
  switch (pc >> 8) {
    case 1:
      return "push";
    case 2:
      return "pop";
    case 3:
      return "setup";
    default:
      return {};
  }
}

RunEvents run(std::vector<std::uint64_t> concurrent, std::vector<Interruption> interruptions = {},
              std::vector<std::uint64_t> alone = {}) {
  RunEvents events;
  events.concurrent = std::move(concurrent);
  events.interruptions = std::move(interruptions);
  events.alone = std::move(alone);
  return events;
}

TEST(MethodCoverageTest, TwoTasksForEachFunctionAndOneForEachPair) {
  MethodCoverage coverage;
  EXPECT_EQ(coverage.share(), 0);
  coverage.learn(run({0x101, 0x102, 0x201, 0x999}, {}, {0x301}), name_of);
  MethodSummary now = coverage.summary();
  EXPECT_EQ(now.tasks, 4U);
  EXPECT_EQ(now.tasks_covered, 2U) << "both went by undisturbed";
  EXPECT_EQ(now.pairs, 4U);
  EXPECT_EQ(now.pairs_covered, 0U);
  EXPECT_EQ(now.single_threaded, 1U);

  coverage.learn(run({0x101, 0x201}, {{0x102, 0x201}}), name_of);
  now = coverage.summary();
  EXPECT_EQ(now.tasks_covered, 3U);
  EXPECT_EQ(now.pairs_covered, 1U);
  EXPECT_DOUBLE_EQ(coverage.share(), 0.75);
  ASSERT_EQ(now.rows.size(), 3U);
  EXPECT_EQ(now.rows[1].function, "push");
  EXPECT_EQ(now.rows[1].by, std::vector<std::string>{"pop"});
  EXPECT_EQ(now.rows[1].interrupted, 1U);
  EXPECT_EQ(now.rows[1].undisturbed, 1U);
}

TEST(MethodCoverageTest, WhoeverIsSeenAmongOthersIsNotSingleThreaded) {
  MethodCoverage coverage;
  coverage.learn(run({0x101}, {}, {0x301}), name_of);
  EXPECT_EQ(coverage.summary().single_threaded, 1U);
  coverage.learn(run({0x301}), name_of);
  EXPECT_EQ(coverage.summary().single_threaded, 0U);
}

TEST(MethodCoverageTest, NoiseIsWantedWhereATaskIsUncovered) {
  MethodCoverage coverage;
  coverage.learn(run({0x101, 0x201}, {{0x101, 0x201}}, {0x301}), name_of);
  EXPECT_EQ(coverage.weight_at(0x201), MethodCoverage::kMethod) << "pop was never interrupted";
  EXPECT_EQ(coverage.weight_at(0x101), 1) << "push was never left alone";
  EXPECT_EQ(coverage.weight_at(0x301), 1) << "nobody can interrupt setup";
  EXPECT_EQ(coverage.weight_at(0x999), 1);
  coverage.learn(run({0x101, 0x201}), name_of);
  EXPECT_EQ(coverage.weight_at(0x101), MethodCoverage::kPair) << "push was not interrupted by push";
  coverage.learn(run({0x101, 0x201}, {{0x101, 0x101}}), name_of);
  EXPECT_EQ(coverage.weight_at(0x101), 1) << "all is covered";
}

class CoverageFile : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/ravel-coverage-XXXXXX";
    directory_ = ::mkdtemp(name);
    path_ = directory_ + "/coverage.json";
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string directory_;
  std::string path_;
};

TEST_F(CoverageFile, AccumulatesOverInvocations) {
  MethodCoverage first;
  ASSERT_TRUE(first.read(path_).is_ok()) << "no file yet";
  first.learn(run({0x101, 0x201}, {{0x101, 0x201}}, {0x301}), name_of);
  ASSERT_TRUE(first.write(path_).is_ok());
  MethodCoverage second;
  ASSERT_TRUE(second.read(path_).is_ok());
  EXPECT_DOUBLE_EQ(second.share(), 0.5);
  EXPECT_EQ(second.summary().single_threaded, 1U);
  second.learn(run({0x101, 0x201}, {{0x201, 0x101}}), name_of);
  EXPECT_DOUBLE_EQ(second.share(), 1.0);
  EXPECT_EQ(second.summary().pairs_covered, 2U);
}

TEST_F(CoverageFile, RefusesOtherFiles) {
  for (const char* const text :
       {"", "{", "[]", "{}", R"({"ravel_coverage":2,"functions":[]})", R"({"ravel_coverage":1})",
        R"({"ravel_coverage":1,"functions":[1]})", R"({"ravel_coverage":1,"functions":[{"function":"f"}]})"}) {
    std::ofstream(path_) << text;
    MethodCoverage coverage;
    EXPECT_FALSE(coverage.read(path_).is_ok()) << text;
  }
}

// The record of a run: which code ran alone, and which locks are taken in a cycle.
class RunEventsTest : public ::testing::Test {
 protected:
  void event(TaskId task, OperationKind kind, std::uint64_t object, std::uint64_t pc) {
    EventChunk* chunk = nullptr;
    for (std::uint32_t i = 0; i < run_->chunks; ++i) {
      if (run_->chunk[i].task == task) chunk = &run_->chunk[i];
    }
    if (chunk == nullptr) {
      chunk = &run_->chunk[run_->chunks++];
      chunk->task = task;
    }
    std::size_t at = 0;
    while (chunk->event[at].clock != 0) ++at;
    FreeEvent& event = chunk->event[at];
    event.clock = ++clock_;
    event.kind = kind;
    event.object = object;
    event.pc = pc;
    run_->threads = std::max(run_->threads, task + 1);
    ++run_->thread[task].events;
  }

  std::unique_ptr<FreeRun, void (*)(FreeRun*)> run_{static_cast<FreeRun*>(std::calloc(1, sizeof(FreeRun))),
                                                    [](FreeRun* run) { std::free(run); }};
  std::uint64_t clock_ = 0;
};

TEST_F(RunEventsTest, TheFirstThreadIsAloneAgainWhenAllAreJoined) {
  event(0, OperationKind::task_create, 1, 0x10);
  event(0, OperationKind::write, 0x5000, 0x11);
  event(1, OperationKind::write, 0x5000, 0x12);
  event(0, OperationKind::task_join, 1, 0x13);
  event(0, OperationKind::read, 0x5000, 0x14);
  run_->interruption[77] = {0x11, 0x12};
  const RunEvents events = read_run_events(*run_);
  EXPECT_EQ(events.events, 5U);
  EXPECT_EQ(events.concurrent, (std::vector<std::uint64_t>{0x10, 0x11, 0x12}));
  EXPECT_EQ(events.alone, (std::vector<std::uint64_t>{0x13, 0x14}));
  ASSERT_EQ(events.interruptions.size(), 1U);
  EXPECT_EQ(events.interruptions[0].by, 0x12U);
}

TEST_F(RunEventsTest, LocksThatAreTakenInACycle) {
  for (const TaskId task : {1U, 2U}) {
    const std::uint64_t first = task == 1 ? 0xa0 : 0xb0;
    const std::uint64_t second = task == 1 ? 0xb0 : 0xa0;
    event(task, OperationKind::mutex_lock, first, 0x20 + task);
    event(task, OperationKind::mutex_lock, second, 0x30 + task);
    event(task, OperationKind::mutex_unlock, second, 0x40);
    event(task, OperationKind::mutex_unlock, first, 0x40);
    event(task, OperationKind::mutex_lock, 0xc0, 0x50);
    event(task, OperationKind::mutex_lock, 0xd0, 0x51);
  }
  EXPECT_EQ(read_run_events(*run_).cycle_locks, (std::vector<std::uint64_t>{0x21, 0x22}));
}

}  // namespace
}  // namespace ravel
