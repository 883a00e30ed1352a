// SPDX-License-Identifier: Apache-2.0
// TestFramework: how a test binary is spoken to: how it lists its cases, and how it is told to run just one. One file
// per framework: google_test.cpp, catch2.cpp, doctest.cpp.
//
// Who calls it: TestBinary. Thread safety: no state that changes. Everything here is text in, text out: no process is
// started.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ravel {

class TestFramework {
 public:
  using Words = std::vector<std::string>;  // of a command line, without the program

  virtual ~TestFramework() = default;
  virtual const char* name() const = 0;  // "GoogleTest"

  // `arguments` are the user's, here and below. What makes the binary list the cases that they select. Called once.
  virtual Words listing_words(const Words& arguments) const = 0;

  // The cases that would run, by their complete names, in the order of the binary. `listing` is its answer. Called
  // once.
  virtual std::vector<std::string> cases_in(std::string_view listing, const Words& arguments) const = 0;

  // What makes the binary run the case `name`, one of `cases`, and no other. Once for each case.
  virtual Words selecting_words(const Words& arguments, const std::string& name,
                                const std::vector<std::string>& cases) const = 0;
};

std::unique_ptr<TestFramework> make_google_test();
std::unique_ptr<TestFramework> make_catch2(unsigned major_version);
std::unique_ptr<TestFramework> make_doctest();

// The framework that gives this answer to --help (or to one of kQuestions); nullptr: none that we know.
std::unique_ptr<TestFramework> framework_that_answers(std::string_view answer);

// What to ask a binary, until an answer is recognised. A main function of the user's may answer --help itself.
inline constexpr const char* kQuestions[] = {"--help", "--gtest_list_tests", "--dt-version"};

// The arguments of a binary whose framework takes no plain words: a word before the first option is the user's filter.
struct FilteredArguments {
  explicit FilteredArguments(const TestFramework::Words& arguments);

  std::string filter;  // empty: none
  TestFramework::Words others;
};

}  // namespace ravel
