// SPDX-License-Identifier: Apache-2.0
// TestBinary: a program that consists of cases of a test framework, found out by asking it. The program is started as
// it is, without the runtime, once for each question, and every question has a time limit.
//
// Who calls it: `ravel run --gtest`. Thread safety: plain data once it is made.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/cases/test_framework.h"
#include "driver/target/target.h"

namespace ravel {

class TestBinary {
 public:
  // `settings`: the program with the user's arguments, its time limit and the deadline. An error when it belongs to no
  // framework that we know, does not answer, or has no case that its arguments select.
  static Result<TestBinary> ask(const TargetSettings& settings);

  const TestFramework& framework() const { return *framework_; }
  const std::vector<std::string>& cases() const { return cases_; }  // complete names, each once
  std::vector<std::string> command_line_of(const std::string& name) const;

 private:
  TestBinary(std::shared_ptr<const TestFramework> framework, const std::vector<std::string>& command_line)
      : framework_(std::move(framework)),
        program_(command_line.front()),
        arguments_(command_line.begin() + 1, command_line.end()) {}

  std::shared_ptr<const TestFramework> framework_;
  std::string program_;
  std::vector<std::string> arguments_;
  std::vector<std::string> cases_;
};

}  // namespace ravel
