// SPDX-License-Identifier: Apache-2.0
#include "runtime/scheduler/spin_index.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <set>
#include <utility>

namespace ravel {
namespace {

class SpinIndexTest : public ::testing::Test {
 protected:
  struct Object {
    std::uint64_t address;
    std::uint16_t size;
  };

  void spin(TaskId task, std::initializer_list<Object> objects) {
    watches_[task] = SpinWatch();
    std::uint64_t pc = 1;
    for (const Object& object : objects) {
      Operation operation;
      operation.kind = OperationKind::atomic_load;
      operation.object = object.address;
      operation.size = object.size;
      operation.pc = pc++;
      watches_[task].arrive(operation, 0, 1, true);
    }
    index_->add(task, watches_[task]);
  }
  void stop(TaskId task) { index_->remove(task, watches_[task]); }

  // The tasks that are shown and watch it in fact.
  std::set<TaskId> watching(std::uint64_t address, std::uint64_t size) {
    std::set<TaskId> tasks;
    index_->visit_watching(address, size, [&](TaskId task) {
      if (watches_[task].watches(address, size)) tasks.insert(task);
    });
    return tasks;
  }

  std::unique_ptr<SpinIndex> index_ = std::make_unique<SpinIndex>();
  SpinWatch watches_[8];
};

using Tasks = std::set<TaskId>;

TEST_F(SpinIndexTest, AWriteFindsWhoWatchesItsBytes) {
  spin(1, {{0x1000, 4}});
  spin(2, {{0x1004, 4}, {0x8000, 8}});
  EXPECT_EQ(watching(0x1000, 4), Tasks({1}));
  EXPECT_EQ(watching(0x1000, 8), Tasks({1, 2}));
  EXPECT_EQ(watching(0x8007, 1), Tasks({2}));
  EXPECT_EQ(watching(0x9000, 8), Tasks());
}

TEST_F(SpinIndexTest, AWriteOverManyLinesFindsAllOfThem) {
  spin(1, {{0x1000, 4}});
  spin(2, {{0x2000, 4}});
  spin(3, {{0x90000, 4}});
  EXPECT_EQ(watching(0x0ff8, 0x1010), Tasks({1, 2}));
  EXPECT_EQ(watching(0, 0x100000), Tasks({1, 2, 3}));
}

TEST_F(SpinIndexTest, WhoLooksAtNothingAtManyLinesOrAcrossThemIsFound) {
  spin(1, {});
  spin(2, {{0x1000, 1}, {0x2000, 1}, {0x3000, 1}, {0x4000, 1}, {0x5000, 1}, {0x6000, 1}});
  spin(3, {{0x103c, 8}});
  EXPECT_EQ(watching(0x6000, 1), Tasks({1, 2}));
  EXPECT_EQ(watching(0x1043, 1), Tasks({1, 3}));
}

TEST_F(SpinIndexTest, WhoStoppedIsNotFoundAndMayBeginAgain) {
  for (int round = 0; round < 3; ++round) {
    spin(1, {{0x1000, 4}, {0x5000, 4}});
    spin(2, {{0x1000, 4}});
    spin(3, {});
    stop(1);
    EXPECT_EQ(watching(0x1000, 4), Tasks({2, 3}));
    stop(3);
    EXPECT_EQ(watching(0x1000, 4), Tasks({2}));
    stop(2);
    EXPECT_EQ(watching(0x1000, 4), Tasks());
    EXPECT_EQ(watching(0x5000, 4), Tasks());
  }
}

TEST_F(SpinIndexTest, TheOneThatIsShownMayStop) {
  for (TaskId task = 1; task < 8; ++task) spin(task, {{0x1000, 4}});
  Tasks seen;
  index_->visit_watching(0x1000, 4, [&](TaskId task) {
    seen.insert(task);
    stop(task);
  });
  EXPECT_EQ(seen.size(), 7U);
  EXPECT_EQ(watching(0x1000, 4), Tasks());
}

}  // namespace
}  // namespace ravel
