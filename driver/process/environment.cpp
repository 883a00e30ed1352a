// SPDX-License-Identifier: Apache-2.0
#include "driver/process/environment.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

extern char** environ;

namespace ravel {
namespace {

namespace fs = std::filesystem;

bool is_program(const std::string& file) {
  std::error_code error;
  return fs::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0;
}

}  // namespace

std::vector<std::string> environment_with(const std::vector<std::string>& ours) {
  const auto name_of = [](std::string_view entry) { return entry.substr(0, entry.find('=')); };
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view name = name_of(*entry);
    if (std::none_of(ours.begin(), ours.end(), [&](const std::string& own) { return name_of(own) == name; })) {
      all.emplace_back(*entry);
    }
  }
  all.insert(all.end(), ours.begin(), ours.end());
  return all;
}

std::string with_first(const char* variable, const std::string& first) {
  const char* const old = std::getenv(variable);
  return old != nullptr && *old != '\0' ? first + ":" + old : first;
}

std::string search_path() {
  const char* const path = std::getenv("PATH");
  return path != nullptr ? path : "/usr/bin:/bin";
}

std::string find_in_path(const std::string& name, const std::string& except) {
  if (name.find('/') != std::string::npos) return is_program(name) ? name : "";
  const std::string path = search_path();
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find(':', at), path.size());
    const std::string directory = at == end ? "." : path.substr(at, end - at);
    at = end + 1;
    if (directory == except) continue;
    std::string file = directory + "/" + name;
    if (is_program(file)) return file;
  }
  return "";
}

}  // namespace ravel
