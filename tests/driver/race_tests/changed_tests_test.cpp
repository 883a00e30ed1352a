// SPDX-License-Identifier: Apache-2.0
// Which tests a change affects.
#include "driver/race_tests/changed_tests.h"

#include <gtest/gtest.h>

namespace ravel {
namespace {

// As git 2.39 wrote it.
constexpr const char* kDiff = R"(diff --git src/list.cpp src/list.cpp
index 1234567..89abcde 100644
--- src/list.cpp
+++ src/list.cpp
@@ -12 +12,2 @@ void List::add(int value) {
-  ++size_;
+  size_ += 1;
+--- no head
@@ -30,2 +30,0 @@ bool List::is_empty() const {
-  // gone
-  // also
diff --git src/old name.h src/old name.h
deleted file mode 100644
--- src/old name.h	
+++ /dev/null
@@ -1 +0,0 @@
-int x;
diff --git new.cpp new.cpp
new file mode 100644
--- /dev/null
+++ new.cpp
@@ -0,0 +1,3 @@
+int a;
+int b;
+int c;
)";

TEST(ChangedTests, LinesOfADiff) {
  const std::vector<ChangedLines> expected = {
      {"/top/src/list.cpp", 12, 13, "  ++size_;\n  size_ += 1;\n--- no head\n"},
      {"/top/src/list.cpp", 30, 31, "  // gone\n  // also\n"},
      {"/top/src/old name.h", 0, 1, "int x;\n"},
      {"/top/new.cpp", 1, 3, "int a;\nint b;\nint c;\n"},
  };
  EXPECT_EQ(parse_diff(kDiff, "/top"), expected);
  EXPECT_TRUE(parse_diff("", "/top").empty());
  EXPECT_TRUE(parse_diff("@@ -1 +1 @@\n+x\n", "/top").empty()) << "of no file";
}

WovenTest sample() {
  WovenTest test;
  test.name = "add";
  test.file = "/top/races/add/race.txt";
  FoundPlace action;
  action.text = "list.cpp List::add 1";
  action.file = "/top/src/list.cpp";
  action.line = action.last_line = 12;
  action.function = "List::add";
  action.function_line = 10;
  action.function_last_line = 14;
  test.actions = {action};
  FoundPlace racing = action;
  racing.text = "list.cpp List::is_empty access 1 of this->size_";
  racing.line = racing.last_line = 21;
  racing.function = "List::is_empty";
  racing.function_line = 20;
  racing.function_last_line = 22;
  test.racing = {racing, racing};
  return test;
}

TEST(ChangedTests, AFunctionWithAPoint) {
  EXPECT_EQ(reason_to_run_first(sample(), {{"/top/src/list.cpp", 14, 14, ""}}), "List::add has changed (list.cpp:14)");
  EXPECT_EQ(reason_to_run_first(sample(), {{"/top/src/list.cpp", 15, 20, ""}}),
            "List::is_empty has changed (list.cpp:15)");
  EXPECT_EQ(reason_to_run_first(sample(), {{"/top/src/list.cpp", 15, 19, ""}}), "");
  EXPECT_EQ(reason_to_run_first(sample(), {{"/top/other/list.cpp", 12, 12, ""}}), "");
}

TEST(ChangedTests, TheSharedVariableInAChangedLine) {
  EXPECT_EQ(reason_to_run_first(sample(), {{"/top/src/list.h", 3, 3, "  int size_ = 0;\n"}}),
            "a line with size_ has changed (list.h:3)");
  EXPECT_EQ(reason_to_run_first(sample(), {{"/top/src/list.h", 3, 3, "  int my_size_ = size_t();\n"}}), "");
}

TEST(ChangedTests, ItsOwnFiles) {
  EXPECT_EQ(reason_to_run_first(sample(), {{"/top/races/add/test.cpp", 1, 1, ""}}), "its own files have changed");
  EXPECT_EQ(reason_to_run_first(sample(), {{"/top/races/add2/test.cpp", 1, 1, ""}}), "");
}

}  // namespace
}  // namespace ravel
