// SPDX-License-Identifier: Apache-2.0
// Suppressions files as ThreadSanitizer's users have them: which lines are read, which names they match, which findings
// they suppress.
#include "driver/campaign/suppressions.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace ravel {
namespace {

namespace fs = std::filesystem;

class SuppressionsTest : public testing::Test {
 protected:
  SuppressionsTest() {
    std::string pattern = (fs::temp_directory_path() / "ravel-supp-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~SuppressionsTest() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  std::string file(const std::string& text, const std::string& name = "tsan.supp") const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  Suppressions rules(const std::string& text) const {
    auto loaded = Suppressions::load({{file(text), false}}, "/bin/prog");
    EXPECT_TRUE(loaded.is_ok()) << loaded.status().what();
    return loaded.is_ok() ? loaded.value() : Suppressions();
  }
  bool suppresses(const std::string& text, const ResolvedFinding& finding) const {
    return rules(text).match(finding) != nullptr;
  }
  std::string trouble(const std::string& text) const {
    const auto loaded = Suppressions::load({{file(text), false}}, "/bin/prog");
    EXPECT_FALSE(loaded.is_ok());
    if (loaded.is_ok()) return "";
    EXPECT_FALSE(loaded.status().advice().empty());
    return loaded.status().what();
  }

  fs::path folder_;
};

Frame frame(const std::string& function, const std::string& file, const std::string& module = "/home/user/bank") {
  Frame result;
  result.function = function;
  result.file = file;
  result.line = 1;
  result.module = module;
  return result;
}

// T1 writes bank::balance through std::swap; T2 reads it in a library.
ResolvedFinding race() {
  ResolvedFinding finding;
  finding.kind = FindingKind::data_race;
  finding.memory.name = "bank::balance.amount";
  finding.memory.variable = "bank::balance";
  ResolvedStack write;
  write.task = 1;
  write.whole = {frame("void std::swap<int>(int&, int&)", "/usr/include/c++/12/bits/move.h"),
                 frame("bank::deposit(int)", "src/bank.cpp"), frame("worker(void*)", "src/main.cpp")};
  write.frames = {write.whole[1], write.whole[2]};
  ResolvedStack read;
  read.task = 2;
  read.whole = {frame("inflate", "", "/usr/lib/libz.so.1.2.13"), frame("auditor(void*)", "src/audit.cpp")};
  read.frames = read.whole;
  finding.stacks = {write, read};
  ResolvedTask task;
  task.task = 1;
  task.creator = 0;
  task.created_at = {frame("start_workers()", "src/main.cpp")};
  ResolvedTask other;
  other.task = 7;
  other.creator = 0;
  other.created_at = {frame("start_allocator()", "src/main.cpp")};
  finding.tasks = {task, other};
  return finding;
}

ResolvedFinding finding_of(FindingKind kind) {
  ResolvedFinding finding = race();
  finding.kind = kind;
  return finding;
}

TEST(Patterns, StandAnywhereUnlessTied) {
  EXPECT_TRUE(pattern_matches("deposit", "bank::deposit(int)"));
  EXPECT_TRUE(pattern_matches("^bank::", "bank::deposit(int)"));
  EXPECT_FALSE(pattern_matches("^deposit", "bank::deposit(int)"));
  EXPECT_TRUE(pattern_matches("(int)$", "bank::deposit(int)"));
  EXPECT_FALSE(pattern_matches("deposit$", "bank::deposit(int)"));
  EXPECT_TRUE(pattern_matches("^main$", "main"));
  EXPECT_FALSE(pattern_matches("^main$", "main2"));
  EXPECT_FALSE(pattern_matches("^main$", "domain"));
  EXPECT_TRUE(pattern_matches("foo$", "foofoo")) << "not the first foo, but the last";
}

TEST(Patterns, AStarIsAnything) {
  EXPECT_TRUE(pattern_matches("*", "x"));
  EXPECT_TRUE(pattern_matches("bank*(int)", "bank::deposit(int)"));
  EXPECT_TRUE(pattern_matches("^*deposit*$", "bank::deposit(int)"));
  EXPECT_TRUE(pattern_matches("src/*.cpp", "/home/src/a/b.cpp"));
  EXPECT_TRUE(pattern_matches("a*a", "aa"));
  EXPECT_FALSE(pattern_matches("a*a", "a"));
  EXPECT_FALSE(pattern_matches("^a*a$", "a"));
  EXPECT_TRUE(pattern_matches("^a*", "abc"));
  EXPECT_FALSE(pattern_matches("^b*", "abc"));
  EXPECT_FALSE(pattern_matches("*x*", "abc"));
}

TEST(Patterns, NothingMatchesNoName) {
  EXPECT_FALSE(pattern_matches("*", ""));
  EXPECT_FALSE(pattern_matches("foo", ""));
}

TEST_F(SuppressionsTest, ReadsTheFilesOfThreadSanitizer) {
  const Suppressions suppressions = rules(
      "# comment\r\n"
      "\r\n"
      "   race:foo  \r\n"
      "race_top:a::b(int)\n"
      "mutex:m\nthread:t\nsignal:s\n"
      "deadlock:^main$\n"
      "\t# another\n"
      "called_from_lib:libz.so");
  ASSERT_EQ(suppressions.rules().size(), 7U);
  EXPECT_EQ(suppressions.rules()[0].text(), "race:foo");
  EXPECT_EQ(suppressions.rules()[0].line, 3U);
  EXPECT_EQ(suppressions.rules()[1].text(), "race_top:a::b(int)");
  EXPECT_EQ(suppressions.rules()[6].text(), "called_from_lib:libz.so");
  EXPECT_EQ(suppressions.rules()[6].line, 10U);
}

TEST_F(SuppressionsTest, AnEmptyFileSuppressesNothing) {
  EXPECT_FALSE(suppresses("", race()));
  EXPECT_FALSE(suppresses("# race:*\n", race()));
}

TEST_F(SuppressionsTest, ABadLineIsNamed) {
  EXPECT_NE(trouble("race:ok\nraces:foo\n").find("line 2 of "), std::string::npos);
  EXPECT_NE(trouble("deposit\n").find("is not a suppression: deposit"), std::string::npos);
  EXPECT_NE(trouble("race: \n").find("names nothing"), std::string::npos);
}

TEST_F(SuppressionsTest, AMissingFileIsNamed) {
  const auto typed = Suppressions::load({{"/no/such/file", false}}, "/bin/prog");
  ASSERT_FALSE(typed.is_ok());
  EXPECT_EQ(typed.status().what(), "cannot read the suppressions in /no/such/file: No such file or directory");
  const auto environment = Suppressions::load({{"/no/such/file", true}}, "/bin/prog");
  ASSERT_FALSE(environment.is_ok());
  EXPECT_NE(environment.status().what().find("TSAN_OPTIONS"), std::string::npos);
  const auto folder = Suppressions::load({{folder_.string(), false}}, "/bin/prog");
  ASSERT_FALSE(folder.is_ok());
  EXPECT_NE(folder.status().what().find("is a directory"), std::string::npos);
}

TEST_F(SuppressionsTest, ARelativeFileMayLieBesideTheProgram) {
  file("race:foo\n", "beside.supp");
  const auto loaded = Suppressions::load({{"beside.supp", true}}, (folder_ / "prog").string());
  ASSERT_TRUE(loaded.is_ok()) << loaded.status().what();
  EXPECT_EQ(loaded.value().rules().size(), 1U);
}

TEST_F(SuppressionsTest, SeveralFilesCountTogether) {
  const auto loaded = Suppressions::load({{file("race:foo\n", "a"), false}, {file("race:^worker\n", "b"), false}}, "");
  ASSERT_TRUE(loaded.is_ok());
  const SuppressionRule* const rule = loaded.value().match(race());
  ASSERT_NE(rule, nullptr);
  EXPECT_EQ(rule->file, (folder_ / "b").string());
  EXPECT_EQ(rule->index, 1U);
}

TEST_F(SuppressionsTest, RaceLooksAtFunctionFileAndModuleOfAnyFrame) {
  EXPECT_TRUE(suppresses("race:bank::deposit", race()));
  EXPECT_TRUE(suppresses("race:auditor", race()));
  EXPECT_TRUE(suppresses("race:audit.cpp", race()));
  EXPECT_TRUE(suppresses("race:libz.so", race()));
  EXPECT_TRUE(suppresses("race:^void std::swap", race())) << "frames that reports leave out count";
  EXPECT_TRUE(suppresses("race:start_workers", race())) << "where a task of the race was created";
  EXPECT_FALSE(suppresses("race:start_allocator", race())) << "a task that takes no part";
  EXPECT_FALSE(suppresses("race:withdraw", race()));
}

TEST_F(SuppressionsTest, RaceLooksAtTheVariable) {
  EXPECT_TRUE(suppresses("race:^bank::balance$", race()));
  EXPECT_FALSE(suppresses("race:^balance$", race()));
}

TEST_F(SuppressionsTest, FilesMatchByTheirFullPathToo) {
  EXPECT_TRUE(suppresses("race:^src/bank.cpp$", race()));
  EXPECT_TRUE(suppresses("race:^" + fs::current_path().string() + "/src/bank.cpp", race()));
}

TEST_F(SuppressionsTest, RaceTopLooksAtTheInnermostFrameOnly) {
  EXPECT_TRUE(suppresses("race_top:std::swap", race()));
  EXPECT_TRUE(suppresses("race_top:inflate", race()));
  EXPECT_FALSE(suppresses("race_top:bank::deposit", race()));
}

TEST_F(SuppressionsTest, CalledFromLibLooksAtTheModuleOfTheInnermostFrame) {
  EXPECT_TRUE(suppresses("called_from_lib:libz.so", race()));
  EXPECT_FALSE(suppresses("called_from_lib:inflate", race())) << "a function is not a library";
  EXPECT_TRUE(suppresses("called_from_lib:libz", finding_of(FindingKind::lock_misuse)));
  EXPECT_FALSE(suppresses("called_from_lib:libz", finding_of(FindingKind::assertion)));
}

TEST_F(SuppressionsTest, CalledFromLibHidesTheUnclearRacesOfALibrary) {
  ResolvedFinding unclear = race();
  unclear.may_be_ordered_by = "libgomp.so.1";
  EXPECT_TRUE(suppresses("called_from_lib:libgomp", unclear));
  EXPECT_FALSE(suppresses("called_from_lib:libtbb", unclear));
  EXPECT_FALSE(suppresses("called_from_lib:libgomp", race())) << "a race that nothing explains";
}

TEST_F(SuppressionsTest, EachTypeCoversItsOwnFindings) {
  EXPECT_TRUE(suppresses("race:*", finding_of(FindingKind::use_after_free)));
  EXPECT_FALSE(suppresses("race:*", finding_of(FindingKind::double_free)));
  EXPECT_FALSE(suppresses("race:*", finding_of(FindingKind::deadlock)));
  EXPECT_TRUE(suppresses("deadlock:*", finding_of(FindingKind::deadlock)));
  EXPECT_FALSE(suppresses("deadlock:*", race()));
  EXPECT_FALSE(suppresses("deadlock:*", finding_of(FindingKind::lost_wakeup)));
  EXPECT_TRUE(suppresses("mutex:*", finding_of(FindingKind::lock_misuse)));
  EXPECT_FALSE(suppresses("mutex:*", finding_of(FindingKind::deadlock)));
  for (unsigned kind = 0; kind < kFindingKinds; ++kind) {
    EXPECT_FALSE(suppresses("thread:*\nsignal:*", finding_of(static_cast<FindingKind>(kind))));
  }
}

TEST_F(SuppressionsTest, DeadlockLooksAtWhereTheLocksWereTaken) {
  ResolvedFinding finding = finding_of(FindingKind::deadlock);
  HeldLock lock;
  lock.taken_at = {frame("open_account()", "src/open.cpp")};
  finding.stacks[0].held = {lock};
  EXPECT_TRUE(suppresses("deadlock:open_account", finding));
  EXPECT_FALSE(suppresses("race:open_account", [&] {
    ResolvedFinding other = finding;
    other.kind = FindingKind::data_race;
    return other;
  }()));
}

TEST(OptionsOfTsan, NameTheFile) {
  EXPECT_EQ(suppressions_in_options(""), "");
  EXPECT_EQ(suppressions_in_options("suppressions=a.supp"), "a.supp");
  EXPECT_EQ(suppressions_in_options("halt_on_error=1 suppressions=dir/a.supp second_deadlock_stack=1"), "dir/a.supp");
  EXPECT_EQ(suppressions_in_options("history_size=7:suppressions=a.supp"), "a.supp");
  EXPECT_EQ(suppressions_in_options("suppressions='my files/a.supp',verbosity=1"), "my files/a.supp");
  EXPECT_EQ(suppressions_in_options("suppressions=\"a b\""), "a b");
  EXPECT_EQ(suppressions_in_options("print_suppressions=1"), "");
  EXPECT_EQ(suppressions_in_options("nonsense suppressions=a"), "a");
  EXPECT_EQ(suppressions_in_options("suppressions='never closed"), "never closed");
  EXPECT_EQ(suppressions_in_options("suppressions=a suppressions=b"), "b") << "the last one counts";
}

}  // namespace
}  // namespace ravel
