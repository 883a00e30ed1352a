// SPDX-License-Identifier: Apache-2.0
#include "driver/process/process_words.h"

#include <algorithm>
#include <string_view>

extern char** environ;

namespace ravel {

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

std::vector<char*> word_pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  result.reserve(words.size() + 1);
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace ravel
