// SPDX-License-Identifier: Apache-2.0
// The file of a race test: what it means, and the message for every mistake in it.
#include "driver/race_tests/race_file.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

namespace ravel {
namespace {

namespace fs = std::filesystem;

RaceTest parse(std::string_view text) {
  const Result<RaceTest> test = parse_race_test(text, "add/race.txt", "add");
  EXPECT_TRUE(test.is_ok()) << test.status().what();
  return test.is_ok() ? test.value() : RaceTest{};
}

// One action, with the notify that every wait needs.
Action action_of(const std::string& line) {
  const RaceTest test = parse("at a.cpp 1 notify(\"E\")\n" + line + "\n");
  EXPECT_EQ(test.actions.size(), 2U) << line;
  return test.actions.empty() ? Action{} : test.actions.back();
}

std::string trouble(std::string_view text) {
  const Result<RaceTest> test = parse_race_test(text, "add/race.txt", "add");
  EXPECT_FALSE(test.is_ok()) << text;
  if (test.is_ok()) return {};
  EXPECT_FALSE(test.status().advice().empty()) << text;
  EXPECT_EQ(test.status().what().find('\n'), std::string::npos);
  return test.status().what();
}

TEST(RaceFile, TheExampleOfTheDesignNote) {
  const RaceTest test = parse(R"(
# is_empty() is called while the first element is added
test list_add_empty                       # default: the name of the directory
run --gtest_filter=List.AddEmpty          # extra arguments for the program

at list.cpp List::add 1           notify("linking")
at list.cpp List::is_empty 1      wait("linking") on arrival 2
at list.cpp List::grow 3          wait("grown") if i == 3 && this->size_ > 0 for T2
at list.cpp:42                    notify("asked")
at list.cpp List::add call 2 of push_back      wait("asked")
at list.cpp List::add access 1 of size_        notify("grown")

expect race at list.cpp List::add access 1 of size_ and list.cpp:57
)");
  EXPECT_EQ(test.name, "list_add_empty");
  EXPECT_EQ(test.name_line, 3U);
  ASSERT_EQ(test.actions.size(), 6U);

  const Point add{PointKind::comment, "list.cpp", "List::add", 1, ""};
  EXPECT_EQ(test.actions[0], (Action{add, ActionKind::notify, false, "linking", "", 0, 0, 6}));
  EXPECT_EQ(test.arguments, std::vector<std::string>{"--gtest_filter=List.AddEmpty"});
  EXPECT_EQ(test.actions[1].kind, ActionKind::wait);
  EXPECT_EQ(test.actions[1].arrival, 2U);
  EXPECT_EQ(test.actions[2].condition, "i == 3 && this->size_ > 0");
  EXPECT_EQ(test.actions[2].task, 2U);
  EXPECT_EQ(test.actions[2].point.number, 3U);
  EXPECT_EQ(test.actions[3].point, (Point{PointKind::line, "list.cpp", "", 42, ""}));
  EXPECT_EQ(test.actions[4].point, (Point{PointKind::call, "list.cpp", "List::add", 2, "push_back"}));
  EXPECT_EQ(test.actions[5].point, (Point{PointKind::access, "list.cpp", "List::add", 1, "size_"}));

  ASSERT_TRUE(test.expectation);
  EXPECT_EQ(test.expectation->kind, FindingKind::data_race);
  ASSERT_EQ(test.expectation->points.size(), 2U);
  EXPECT_EQ(test.expectation->points[0], test.actions[5].point);
  EXPECT_EQ(test.expectation->points[1], (Point{PointKind::line, "list.cpp", "", 57, ""}));
}

TEST(RaceFile, WithoutANameTheDirectoryGivesIt) {
  const RaceTest test = parse("expect deadlock\n");
  EXPECT_EQ(test.name, "add");
  EXPECT_EQ(test.name_line, 0U);
  EXPECT_EQ(test.expectation->kind, FindingKind::deadlock);
  EXPECT_TRUE(test.expectation->points.empty());
}

TEST(RaceFile, ScopesAreNamesAsInCpp) {
  EXPECT_EQ(action_of("at a.cpp 2 wait(\"E\")").point.scope, "");
  EXPECT_EQ(action_of("at a.cpp f(int, const std::string&) 2 wait(\"E\")").point.scope, "f(int, const std::string&)");
  EXPECT_EQ(action_of("at a.cpp Map<int, K>::find(K) const 2 wait(\"E\")").point.scope, "Map<int, K>::find(K) const");
  EXPECT_EQ(action_of("at a.cpp X::operator bool 2 wait(\"E\")").point.scope, "X::operator bool");
  EXPECT_EQ(action_of("at a.cpp X::operator< 2 wait(\"E\")").point.scope, "X::operator<");
  EXPECT_EQ(action_of("at a.cpp call 1 of g wait(\"E\")").point, (Point{PointKind::call, "a.cpp", "", 1, "g"}));
  EXPECT_EQ(action_of("at \"my list.cpp\" f 2 wait(\"E\")").point.path, "my list.cpp");
  EXPECT_EQ(action_of("at \"my list.cpp\":7 wait(\"E\")").point, (Point{PointKind::line, "my list.cpp", "", 7, ""}));
}

TEST(RaceFile, FunctionsMayBeCalledLikeTheWordsOfTheFormat) {
  EXPECT_EQ(action_of("at a.cpp Queue::wait 1 wait(\"E\")").point.scope, "Queue::wait");
  EXPECT_EQ(action_of("at a.cpp wait(int) 1 wait(\"E\")").point.scope, "wait(int)");
  EXPECT_EQ(action_of("at a.cpp f call 1 of notify wait(\"E\")").point.name, "notify");
  EXPECT_EQ(action_of("at a.cpp call 1 wait(\"E\")").point, (Point{PointKind::comment, "a.cpp", "call", 1, ""}));
  EXPECT_EQ(action_of("at a.cpp after 1 wait(\"E\")").point.scope, "after");
}

TEST(RaceFile, AfterACallOrAnAccess) {
  const Action action = action_of("at a.cpp f call 1 of g after wait(\"E\")");
  EXPECT_TRUE(action.after);
  EXPECT_EQ(action.point.name, "g");
  EXPECT_FALSE(action_of("at a.cpp f access 1 of x wait(\"E\")").after);
}

TEST(RaceFile, ConditionsInAnyOrder) {
  const Action action = action_of("at a.cpp 1 wait(\"E\") for T3 on arrival 2 if word == \"# for T9\" || c == '\"'");
  EXPECT_EQ(action.condition, "word == \"# for T9\" || c == '\"'");
  EXPECT_EQ(action.task, 3U);
  EXPECT_EQ(action.arrival, 2U);
  const Action tail = action_of("at a.cpp 1 wait(\"E\") if n == 1'000 on arrival 4 for T1  # why");
  EXPECT_EQ(tail.condition, "n == 1'000");
  EXPECT_EQ(tail.arrival, 4U);
  EXPECT_EQ(tail.task, 1U);
  EXPECT_EQ(action_of("at a.cpp 1 wait(\"E\") if(x)").condition, "(x)");
}

TEST(RaceFile, WhatTheProgramGets) {
  const auto arguments = [](const std::string& line) { return parse("expect deadlock\n" + line).arguments; };
  using Words = std::vector<std::string>;
  EXPECT_EQ(arguments(""), Words());
  EXPECT_EQ(arguments("run --gtest_filter=List.Add*  # one case"), Words{"--gtest_filter=List.Add*"});
  EXPECT_EQ(arguments(R"(run a "b c" 'd # e' --x="f g"h)"), (Words{"a", "b c", "d # e", "--x=f gh"}));
  EXPECT_EQ(arguments(R"(run "" "a\"b\\c\n\x41" 'it\'s' C:\dir)"), (Words{"", "a\"b\\c\nA", "it's", "C:\\dir"}));
}

TEST(RaceFile, MistakesAreToldWithFileAndLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"\n\nwhen x", "add/race.txt:3: a line cannot begin with \"when\""},
      {"test", "add/race.txt:1: the name is missing"},
      {"test a b", "add/race.txt:1: \"a b\" cannot be the name of a test"},
      {"test a\ntest b", "add/race.txt:2: the test already has a name, \"a\""},
      {"at", "add/race.txt:1: the point is missing"},
      {"at notify(\"E\")", "add/race.txt:1: the point is missing"},
      {"at a.cpp f 1", "add/race.txt:1: no action follows the point \"a.cpp f 1\""},
      {"at a.cpp f 1 notify(E)", "add/race.txt:1: the event is not in quotes"},
      {"at a.cpp f 1 notify(\"E)", "add/race.txt:1: the event has no closing quote"},
      {"at a.cpp f 1 notify(\"E\"", "add/race.txt:1: the parenthesis after the event is not closed"},
      {"at a.cpp f 1 notify(\"\")", "add/race.txt:1: the event has no name"},
      {"at a.cpp notify(\"E\")", "add/race.txt:1: the point in a.cpp is missing"},
      {"at a.cpp f notify(\"E\")", "add/race.txt:1: \"f\" does not end with the number of a comment"},
      {"at a.cpp f 0 notify(\"E\")", "add/race.txt:1: \"0\" is not a number to count with"},
      {"at a.cpp f -1 notify(\"E\")", "add/race.txt:1: \"-1\" is not a number to count with"},
      {"at a.cpp f 99999999999 notify(\"E\")", "add/race.txt:1: \"99999999999\" is not a number to count with"},
      {"at a.cpp f call two of g notify(\"E\")", "add/race.txt:1: \"two\" is not a number to count with"},
      {"at a.cpp f use 2 of g notify(\"E\")", "add/race.txt:1: \"f use 2 of g\" is neither a call nor an access"},
      {"at a.cpp f g 1 notify(\"E\")", "add/race.txt:1: \"f g\" is not the name of one function or class"},
      {"at a.cpp f(int 1 notify(\"E\")", "add/race.txt:1: no action follows the point \"a.cpp f(int 1 notify(\"E\")\""},
      {"at a.cpp:x notify(\"E\")", "add/race.txt:1: \"x\" is not a line number"},
      {"at a.cpp:0 notify(\"E\")", "add/race.txt:1: \"0\" is not a line number"},
      {"at a.cpp:4 f 1 notify(\"E\")", "add/race.txt:1: \"f 1\" follows a line number, which is already a point"},
      {"at \"a.cpp f 1 notify(x)", "add/race.txt:1: no action follows the point \"\"a.cpp f 1 notify(x)\""},
      {"at a.cpp 1 after notify(\"E\")", "add/race.txt:1: only an action at a call or an access can be \"after\" it"},
      {"at a.cpp 1 notify(\"E\") when x", "add/race.txt:1: \"when\" is not a condition"},
      {"at a.cpp 1 notify(\"E\") on 2", "add/race.txt:1: \"on\" is not followed by \"arrival\""},
      {"at a.cpp 1 notify(\"E\") on arrival x", "add/race.txt:1: \"x\" is not the number of an arrival"},
      {"at a.cpp 1 notify(\"E\") on arrival 1 on arrival 2", "add/race.txt:1: \"on arrival\" appears twice"},
      {"at a.cpp 1 notify(\"E\") for T0", "add/race.txt:1: \"T0\" is not a task that can be chosen"},
      {"at a.cpp 1 notify(\"E\") if x for 2", "add/race.txt:1: \"2\" is not a task that can be chosen"},
      {"at a.cpp 1 notify(\"E\") for T1 if x for T2", "add/race.txt:1: \"for\" appears twice"},
      {"at a.cpp 1 notify(\"E\") if", "add/race.txt:1: the expression after \"if\" is missing"},
      {"at a.cpp 1 notify(\"E\") if on arrival 2", "add/race.txt:1: the expression after \"if\" is missing"},
      {"expect", "add/race.txt:1: the finding is missing"},
      {"expect rain", "add/race.txt:1: \"rain\" is not a kind of finding"},
      {"expect deadlock soon", "add/race.txt:1: \"soon\" follows the finding, where the line should end"},
      {"expect deadlock\n\nexpect abort", "add/race.txt:3: line 1 already says what to expect"},
      {"expect race", "add/race.txt:1: the points of the race are missing"},
      {"expect race at a.cpp:1", "add/race.txt:1: a race is between two accesses, but one point is given"},
      {"expect race at a.cpp:1 and a.cpp:2 and a.cpp:3",
       "add/race.txt:1: a race is between two accesses, but more are given"},
      {"expect race at a.cpp and a.cpp:2", "add/race.txt:1: the point in a.cpp is missing"},
      {"run", "add/race.txt:1: the arguments of the program are missing"},
      {"run a\nrun b", "add/race.txt:2: line 1 already says which arguments the program gets"},
      {"run \"a", "add/race.txt:1: a quote is not closed, or has an unknown escape after a backslash"},
      {"run \"a\\q\"", "add/race.txt:1: a quote is not closed, or has an unknown escape after a backslash"},
      {"run \"\\x00\"", "add/race.txt:1: a quote is not closed, or has an unknown escape after a backslash"},
      {"# nothing\n", "add/race.txt:1: the race test is empty"},
      {"", "add/race.txt:1: the race test is empty"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(trouble(text), expected) << text;
}

TEST(RaceFile, AWaitNeedsSomebodyWhoNotifies) {
  EXPECT_EQ(trouble("at a.cpp 1 notify(\"linked\")\nat a.cpp 2 wait(\"linking\")"),
            "add/race.txt:2: waits for \"linking\", which no line notifies");
  EXPECT_EQ(parse("at a.cpp 1 notify(\"nobody waits for it\")").actions.size(), 1U);
}

TEST(RaceFile, BytesThatAreNoText) {
  const std::string bytes("at a.cpp\0 1", 11);
  EXPECT_EQ(trouble(bytes), "add/race.txt:1: the file is not text");
}

TEST(RaceFile, WhatIsWrittenIsReadBack) {
  const RaceTest test = parse(R"(test x
run plain "two words" '#' "line\nend" ""
at list.cpp List::add 1 notify("E") if i == 3 on arrival 2 for T2
at "my list.cpp" f(int, int) call 2 of g after wait("E")
at list.cpp access 1 of size_ wait("E") for T1
at "my list.cpp":42 notify("F")
expect race at list.cpp List::add 1 and list.cpp:57
)");
  const std::string text = race_file_text(test);
  RaceTest again = parse(text);
  ASSERT_EQ(again.actions.size(), test.actions.size()) << text;
  for (std::size_t i = 0; i < test.actions.size(); ++i) {
    again.actions[i].line = test.actions[i].line;
    EXPECT_EQ(again.actions[i], test.actions[i]) << text;
  }
  EXPECT_EQ(again.expectation->points, test.expectation->points);
  EXPECT_EQ(again.name, "x");
  EXPECT_EQ(again.arguments, (std::vector<std::string>{"plain", "two words", "#", "line\nend", ""}));
}

class RaceDirectory : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/ravel-race-XXXXXX";
    ASSERT_NE(::mkdtemp(name), nullptr);
    root_ = name;
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const fs::path& path, std::string_view text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }

  fs::path root_;
};

TEST_F(RaceDirectory, EveryTestBelowIsRead) {
  write("b/race.txt", "expect deadlock\n");
  write("b/z.cpp", "");
  write("b/b.cpp", "");
  write("b/notes.txt", "");
  write("a/deep/race.txt", "expect abort\n");
  write("c/helper.cpp", "");
  const Result<std::vector<RaceTest>> tests = read_race_tests(root_);
  ASSERT_TRUE(tests.is_ok()) << tests.status().what();
  ASSERT_EQ(tests.value().size(), 2U);
  EXPECT_EQ(tests.value()[0].name, "deep");
  EXPECT_EQ(tests.value()[1].name, "b");
  EXPECT_EQ(tests.value()[1].file, root_ / "b" / "race.txt");
  EXPECT_EQ(tests.value()[1].sources, (std::vector<fs::path>{root_ / "b" / "b.cpp", root_ / "b" / "z.cpp"}));
}

TEST_F(RaceDirectory, TheDirectoryItselfMayBeTheTest) {
  write("one/race.txt", "expect deadlock\n");
  const Result<std::vector<RaceTest>> tests = read_race_tests((root_ / "one").string() + "/");
  ASSERT_TRUE(tests.is_ok()) << tests.status().what();
  EXPECT_EQ(tests.value()[0].name, "one");
}

TEST_F(RaceDirectory, TwoTestsOfOneName) {
  write("a/race.txt", "\ntest same\nexpect abort\n");
  write("b/race.txt", "expect abort\ntest same\n");
  const Result<std::vector<RaceTest>> tests = read_race_tests(root_);
  ASSERT_FALSE(tests.is_ok());
  EXPECT_EQ(tests.status().what(), (root_ / "b/race.txt:2: the test is called \"same\", like the one in ").string() +
                                       (root_ / "a/race.txt:2").string());
}

TEST_F(RaceDirectory, WhatCannotBeRead) {
  EXPECT_EQ(read_race_tests(root_ / "none").status().what(), (root_ / "none is not a directory").string());
  EXPECT_EQ(read_race_tests(root_).status().what(), "there is no race test in " + root_.string());
  EXPECT_EQ(read_race_test(root_).status().what(), "there is no " + (root_ / "race.txt").string());
  fs::create_directory(root_ / "race.txt");
  EXPECT_EQ(read_race_test(root_).status().what(), (root_ / "race.txt").string() + " is a directory");
  fs::remove(root_ / "race.txt");
  fs::create_symlink(root_ / "race.txt", root_ / "race.txt");  // a link to itself: nobody can read it, not even root
  EXPECT_EQ(read_race_test(root_).status().what(),
            (root_ / "race.txt").string() + " cannot be read: Too many levels of symbolic links");
}

}  // namespace
}  // namespace ravel
