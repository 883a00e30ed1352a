// SPDX-License-Identifier: Apache-2.0
// Golden files: what a report looks like, written down. With RAVEL_APPROVE=1 (./dev approve) a test rewrites its file
// instead of comparing; the difference is then reviewed like code.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace ravel {

inline void expect_golden(const std::string& name, const std::string& actual) {
  const std::filesystem::path path = std::filesystem::path(RAVEL_SOURCE_DIR) / "tests" / "golden" / name;
  const char* approve = std::getenv("RAVEL_APPROVE");
  if (approve != nullptr && std::string(approve) == "1") {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << actual;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << path << " is missing; ./dev approve writes it";
  std::ostringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(actual, expected.str()) << "differs from " << path << "; if the change is meant, ./dev approve";
}

}  // namespace ravel
