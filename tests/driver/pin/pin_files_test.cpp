// SPDX-License-Identifier: Apache-2.0
#include "driver/pin/pin_files.h"

#include <gtest/gtest.h>

#include "driver/race_tests/race_file.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

TEST(PinFiles, NamesATestAfterProgramAndFinding) {
  EXPECT_EQ(test_name("/x/bank", FindingKind::data_race), "bank_data_race");
  EXPECT_EQ(test_name("3-way.test", FindingKind::deadlock), "_3_way_deadlock");
}

TEST(PinFiles, RefusesNamesThatAreNone) {
  EXPECT_TRUE(check_free("/no/such/dir", "bank_2").is_ok());
  for (const char* const name : {"", "2bank", "a b", "a/b", "a-b", ".."}) {
    EXPECT_FALSE(check_free("/no/such/dir", name).is_ok()) << name;
  }
}

TEST(PinFiles, WritesATestThatItsReaderTakesAndOverwritesNone) {
  const fs::path directory = fs::path(testing::TempDir()) / "pinned" / "bank_assertion";
  fs::remove_all(directory.parent_path());
  PinnedFiles files;
  files.directory = directory;
  files.test.name = "bank_assertion";
  files.test.arguments = {"--fast", "two words"};
  Action notify;
  notify.point = {PointKind::call, "bank.cpp", "deposit", 1, "balance"};
  notify.kind = ActionKind::notify;
  notify.after = true;
  notify.event = "T1 after balance";
  Action wait = notify;
  wait.kind = ActionKind::wait;
  wait.after = false;
  wait.task = 2;
  files.test.actions = {notify, wait};
  files.test.expectation = Expectation{FindingKind::assertion, {}, 0};
  files.finding = "an assertion\nfailed";
  files.schedule = "/x/1-assertion.ravel";
  ASSERT_TRUE(write_pinned_test(files).is_ok());
  const auto read = read_race_test(directory);
  ASSERT_TRUE(read.is_ok()) << read.status().what();
  EXPECT_EQ(read.value().name, "bank_assertion");
  EXPECT_EQ(read.value().arguments, files.test.arguments);
  EXPECT_EQ(read.value().actions.size(), 2U);
  ASSERT_EQ(read.value().sources.size(), 1U);
  EXPECT_EQ(read.value().sources[0].filename(), "test.cpp");
  EXPECT_FALSE(write_pinned_test(files).is_ok());
  EXPECT_FALSE(check_free(directory, "bank_assertion").is_ok());
}

}  // namespace
}  // namespace ravel
