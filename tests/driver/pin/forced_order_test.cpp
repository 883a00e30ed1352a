// SPDX-License-Identifier: Apache-2.0
#include "driver/pin/forced_order.h"

#include <gtest/gtest.h>

#include "driver/race_tests/race_file.h"

namespace ravel {
namespace {

const std::filesystem::path kFile = "/src/list.cpp";

// A file in which every line is one statement with one call: "call 1 of line_N" in the function f.
class ForcedOrder : public testing::Test {
 protected:
  StepPlace place(unsigned line, const std::string& function = "f") {
    StepPlace result{kFile, line, 5, function, true, "line"};
    PlaceName name;
    name.point = {PointKind::call, "list.cpp", function, 1, "line_" + std::to_string(line)};
    name.file = kFile;
    name.before = name.after = true;
    name.statement = name.behind = {{line, 3}, {line, 40}};
    names_.learn(result, name);
    return result;
  }

  void step(TaskId task, unsigned line, const std::string& function = "f") {
    order_.steps.push_back({task, OperationKind::write, 0, line, {place(line, function)}, true});
  }

  std::vector<std::string> actions(const std::vector<Precedence>& precedences) {
    const std::vector<ForcedPrecedence> forced = force(order_, precedences, names_);
    std::vector<Choice> all;
    for (std::size_t i = 0; i < forced.size(); ++i) all.push_back({i, 0, 0, false});
    std::vector<std::string> texts;
    for (const Action& action : actions_of(forced, all)) texts.push_back(action_text(action));
    return texts;
  }

  CompileCommands commands_{{}};
  PlaceNames names_{commands_, ""};
  FailingOrder order_;
};

TEST_F(ForcedOrder, NotifiesAfterTheFirstAndWaitsBeforeTheSecond) {
  step(1, 10, "f");
  step(2, 20, "g");
  EXPECT_EQ(actions({{0, 1, false}}),
            (std::vector<std::string>{R"(at list.cpp f call 1 of line_10 after notify("T1 after line_10"))",
                                      R"(at list.cpp g call 1 of line_20 wait("T1 after line_10"))"}));
}

TEST_F(ForcedOrder, NamesTheTaskWhereSeveralRunTheFunction) {
  step(1, 10);
  step(2, 10);
  EXPECT_EQ(actions({{0, 1, false}}),
            (std::vector<std::string>{R"(at list.cpp f call 1 of line_10 after notify("T1 after line_10") for T1)",
                                      R"(at list.cpp f call 1 of line_10 wait("T1 after line_10") for T2)"}));
}

// A limit that docs/guarantees.md names: an action cannot say "for T0", so here it is T1's as well.
TEST_F(ForcedOrder, TheMainThreadCannotBeNamed) {
  step(0, 10);
  step(1, 10);
  EXPECT_EQ(actions({{0, 1, false}}).front(), R"(at list.cpp f call 1 of line_10 after notify("T0 after line_10"))");
}

TEST_F(ForcedOrder, LambdasThatLieApartAreTwoFunctions) {
  step(1, 10, "main()::<lambda()>");
  step(2, 20, "main()::<lambda()>");
  for (const std::string& text : actions({{0, 1, false}})) EXPECT_EQ(text.find(" for T"), std::string::npos) << text;
}

TEST_F(ForcedOrder, CountsArrivals) {
  step(1, 10, "f");
  step(1, 11, "f");
  step(1, 10, "f");
  step(2, 20, "g");
  EXPECT_EQ(actions({{2, 3, false}})[0],
            R"(at list.cpp f call 1 of line_10 after notify("T1 after line_10") on arrival 2)");
}

// Copying a string repeats instructions of the library, in one call.
TEST_F(ForcedOrder, ALoopOfALibraryIsNoArrival) {
  step(1, 10, "f");
  for (int i = 0; i < 2; ++i) {
    step(1, 10, "f");
    order_.steps.back().pc = 77;
    order_.steps.back().places.front().library = true;
  }
  step(2, 20, "g");
  EXPECT_EQ(actions({{2, 3, false}})[0], R"(at list.cpp f call 1 of line_10 after notify("T1 after line_10"))");
}

// The main thread may have run the same code before anything was recorded.
TEST_F(ForcedOrder, NamesTheTasksOnRequest) {
  step(1, 10, "f");
  step(2, 20, "g");
  std::vector<std::string> texts;
  for (const Action& action : actions_of(force(order_, {{0, 1, false}}, names_), {{0, 0, 0, true}})) {
    texts.push_back(action_text(action));
  }
  EXPECT_EQ(texts,
            (std::vector<std::string>{R"(at list.cpp f call 1 of line_10 after notify("T1 after line_10") for T1)",
                                      R"(at list.cpp g call 1 of line_20 wait("T1 after line_10") for T2)"}));
}

TEST_F(ForcedOrder, ComingBackFromAnotherLineIsNoArrival) {
  step(1, 10, "f");
  step(1, 9, "f");  // optimised code: part of the statement appears to be elsewhere
  step(1, 10, "f");
  order_.steps[2].pc = 77;  // another instruction of line 10
  step(2, 20, "g");
  EXPECT_EQ(actions({{2, 3, false}})[0], R"(at list.cpp f call 1 of line_10 after notify("T1 after line_10"))");
}

TEST_F(ForcedOrder, HoldsATaskBehindItsLastStep) {
  step(0, 5, "main");
  step(1, 10, "f");
  EXPECT_EQ(actions({{1, 0, true}})[1], R"(at list.cpp main call 1 of line_5 after wait("T1 after line_10"))");
}

TEST_F(ForcedOrder, TwoStepsOfOneStatementAreNotTakenApart) {
  step(1, 10, "f");
  step(1, 10, "f");  // the same arrival: another instruction of it
  order_.steps[1].pc = 77;
  step(2, 20, "g");
  const auto forced = force(order_, {{0, 2, false}}, names_);
  ASSERT_EQ(forced.size(), 1U);
  EXPECT_FALSE(forced[0].notifies.front().exact);
}

TEST_F(ForcedOrder, StepsWithoutNamesForceNothing) {
  order_.steps = {{1, OperationKind::write, 0, 1, {{kFile, 10, 1, "f", true, ""}}, true},
                  {2, OperationKind::write, 0, 2, {{kFile, 20, 1, "g", true, ""}}, true}};
  EXPECT_TRUE(force(order_, {{0, 1, false}}, names_).empty());
}

TEST_F(ForcedOrder, OneNotifyServesTwoWaits) {
  step(1, 10, "f");
  step(2, 20, "g");
  step(3, 30, "h");
  const std::vector<std::string> texts = actions({{0, 1, false}, {0, 2, false}});
  ASSERT_EQ(texts.size(), 3U);
  EXPECT_NE(texts[1].find("wait(\"T1 after line_10\")"), std::string::npos);
  EXPECT_NE(texts[2].find("wait(\"T1 after line_10\")"), std::string::npos);
}

TEST(SmallerChoices, FewAreAllTriedFewestFirst) {
  const std::vector<Choice> all = {{0, 0, 0, false}, {1, 0, 0, false}, {2, 0, 0, false}};
  const auto some = smaller_choices(all, 40);
  ASSERT_EQ(some.size(), 7U);  // every subset but the empty one
  EXPECT_EQ(some.front(), std::vector<Choice>{all[0]});
  EXPECT_EQ(some.back(), all);
}

TEST(SmallerChoices, ManyAreHalvedAndTheWholeIsAmongThem) {
  std::vector<Choice> all;
  for (std::size_t i = 0; i < 20; ++i) all.push_back({i, 0, 0, false});
  const auto some = smaller_choices(all, 40);
  EXPECT_LE(some.size(), 40U);
  EXPECT_EQ(some.back(), all);
  EXPECT_LT(some.front().size(), 11U);
}

}  // namespace
}  // namespace ravel
