// SPDX-License-Identifier: Apache-2.0
// For tests that build small programs with each compiler and look at their debug information.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <string>
#include <system_error>

namespace ravel {

struct Build {
  std::string compiler;
  std::string flags;
  friend void PrintTo(const Build& build, std::ostream* out) { *out << build.compiler << " " << build.flags; }
};

// A folder of its own that goes away with the test.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "ravel-symbols-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline bool run(const std::string& command) { return std::system(command.c_str()) == 0; }
inline bool has_compiler(const std::string& name) { return run("command -v " + name + " >/dev/null 2>&1"); }

// The name of a test with this build as its parameter.
inline std::string build_name(const ::testing::TestParamInfo<Build>& info) {
  std::string name;
  for (const char c : info.param.compiler + info.param.flags) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      name += c;
    } else if (c == '+') {
      name += 'x';
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  return name;
}

}  // namespace ravel
