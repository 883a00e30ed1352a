// SPDX-License-Identifier: Apache-2.0
// The table of an explanation: columns as wide as the terminal allows.
#include "reports/explanation_text.h"

#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace ravel {
namespace {

const std::string kLine = "total_of_all_accounts = total_of_all_accounts + account.balance();";

ExplainedStep step(TaskId task, const std::string& source) {
  ExplainedStep one;
  one.task = task;
  one.kind = OperationKind::write;
  one.weight = Weight::shared;
  one.object = "total";
  one.after = "1";
  one.source = source;
  Frame frame;
  frame.function = "sum()";
  frame.file = "bank.cpp";
  frame.line = 12;
  one.stack = {frame};
  return one;
}

Explanation three_tasks() {
  Explanation told;
  for (TaskId task = 1; task <= 3; ++task) {
    told.tasks.push_back({task, "", "sum()", 0});
    told.steps.push_back(step(task, kLine));
  }
  return told;
}

std::string text(const Explanation& told, std::size_t columns) {
  ExplanationOptions options;
  options.columns = columns;
  const std::string result = text_of_explanation(told, options);
  std::istringstream lines(result);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), columns) << line;
  return result;
}

std::size_t occurrences(const std::string& in, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = in.find(part); at != std::string::npos; at = in.find(part, at + 1)) ++count;
  return count;
}

TEST(ExplanationText, LinesOfCodeAreCutOnlyWhereThereIsNoRoom) {
  EXPECT_EQ(occurrences(text(three_tasks(), 200), kLine), 2U) << "the last column is the narrowest";
  EXPECT_EQ(occurrences(text(three_tasks(), 100), kLine), 1U) << "the first may use the whole line";
}

TEST(ExplanationText, AColumnTakesNoMoreThanItNeeds) {
  Explanation told = three_tasks();
  told.steps[0].source = "n = 1;";
  told.steps[1].source = "n = 2;";
  EXPECT_EQ(occurrences(text(told, 140), kLine), 1U) << text(told, 140);
}

TEST(ExplanationText, ALineThatOnlyClosesABlockIsNotShown) {
  EXPECT_TRUE(only_closes("}"));
  EXPECT_TRUE(only_closes("});"));
  EXPECT_TRUE(only_closes("}  // the guard unlocks"));
  EXPECT_FALSE(only_closes("} while (again);"));
  EXPECT_FALSE(only_closes("x = 1;  // }"));
  Explanation told = three_tasks();
  for (ExplainedStep& one : told.steps) one.source = "}";
  EXPECT_EQ(text(told, 100).find('}'), std::string::npos);
}

}  // namespace
}  // namespace ravel
