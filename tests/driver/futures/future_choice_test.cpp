// SPDX-License-Identifier: Apache-2.0
#include "driver/futures/future_choice.h"

#include <gtest/gtest.h>

#include "tests/driver/futures/small_execution.h"

namespace ravel {
namespace {

FutureChoice choice(const std::string& text) {
  const auto parsed = parse_choice(text);
  EXPECT_TRUE(parsed.is_ok()) << text;
  return parsed.is_ok() ? parsed.value() : FutureChoice{};
}

TEST(FutureChoice, IsReadFromText) {
  const FutureChoice parsed = choice("src/t3.cpp:21 n #2 T4 <- t1.cpp:8 T1");
  EXPECT_EQ(parsed.read.file, "src/t3.cpp");
  EXPECT_EQ(parsed.read.line, 21U);
  EXPECT_EQ(parsed.read.variable, "n");
  EXPECT_EQ(parsed.read.occurrence, 2U);
  EXPECT_EQ(parsed.read.task, 4U);
  EXPECT_EQ(parsed.write.line, 8U);
  EXPECT_EQ(parsed.write.task, 1U);
  EXPECT_FALSE(parsed.initial);
  EXPECT_TRUE(choice("a.cpp:1 <- initial").initial);
  EXPECT_TRUE(parse_initial("a.cpp:1 n").value().initial);
}

TEST(FutureChoice, RefusesWhatIsNoChoice) {
  for (const char* const text : {"", "a.cpp:1", "a.cpp <- b.cpp:1", "a.cpp:0 <- b.cpp:1", "a.cpp:1 #x <- b.cpp:1",
                                 "a.cpp:1 n m <- b.cpp:1", "a.cpp:1 <- ", ":3 <- b.cpp:1"}) {
    const auto parsed = parse_choice(text);
    ASSERT_FALSE(parsed.is_ok()) << text;
    EXPECT_FALSE(parsed.status().advice().empty());
  }
}

TEST(FutureChoice, AnInitialValueWithoutAVariableIsForAllThatNoOtherChoiceNames) {
  SmallExecution made;
  made.write(1, "m", 1);
  made.write(1, "n", 2);
  const std::size_t m = made.read(2, "m", 5);
  const std::size_t n = made.read(2, "n", 5);
  const std::vector<FutureChoice> choices{choice("p.cpp:5 <- p.cpp:1"), parse_initial("p.cpp:5").value()};
  const auto ways = ways_to_choose(choices, made.seen, 10);
  ASSERT_EQ(ways.size(), 1U);
  ASSERT_EQ(ways[0].size(), 2U);
  EXPECT_EQ(ways[0][0].read, m);
  EXPECT_EQ(ways[0][1].read, n);
  EXPECT_EQ(ways[0][1].write, kInitialValue);
  EXPECT_FALSE(shows(made.seen, choices));
  EXPECT_TRUE(shows(made.seen, std::vector<FutureChoice>{choices[0]}));
}

TEST(FutureChoice, SaysWhatIsNotThere) {
  SmallExecution made;
  made.write(1, "n", 1);
  made.read(2, "n", 5);
  const ObservedExecution* const seen[] = {&made.seen};
  const auto sentence = [&](const char* text) {
    const std::vector<FutureChoice> choices{choice(text)};
    return check_against(choices, seen).what();
  };
  EXPECT_NE(sentence("p.cpp:7 <- p.cpp:1").find("did nothing at p.cpp:7"), std::string::npos);
  EXPECT_NE(sentence("p.cpp:1 <- p.cpp:1").find("has no shared read"), std::string::npos);
  EXPECT_NE(sentence("p.cpp:5 <- p.cpp:5").find("has no shared write"), std::string::npos);
  EXPECT_NE(sentence("q.cpp:5 <- p.cpp:1").find("in q.cpp"), std::string::npos);
  EXPECT_NE(sentence("p.cpp:5 T7 <- p.cpp:1").find("was never one of"), std::string::npos);
  EXPECT_TRUE(check_against(std::vector<FutureChoice>{choice("p.cpp:5 <- p.cpp:1")}, seen).is_ok());
}

}  // namespace
}  // namespace ravel
