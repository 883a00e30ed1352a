// SPDX-License-Identifier: Apache-2.0
// The samples of tests/driver/crash/stacks, for the tests of crash stacks and their fuzzer.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

namespace ravel {

inline std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline std::string sample_folder() { return RAVEL_SOURCE_DIR "/tests/driver/crash/stacks"; }
inline std::string sample(const std::string& name) { return file_text(sample_folder() + "/" + name); }
// A report of Ravel itself.
inline std::string golden_report(const std::string& name) {
  return file_text(RAVEL_SOURCE_DIR "/tests/golden/report-" + name + ".txt");
}

}  // namespace ravel
