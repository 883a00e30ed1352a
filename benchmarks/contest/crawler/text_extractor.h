// SPDX-License-Identifier: Apache-2.0
// TextExtractor: the words of a page, in small letters, without its tags.
#pragma once

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace crawler {

class TextExtractor {
 public:
  explicit TextExtractor(std::size_t shortest) : shortest_(shortest) {}

  std::vector<std::string> words(std::string_view body) const {
    std::vector<std::string> found;
    std::string word;
    bool in_tag = false;
    for (const char c : body) {
      if (c == '<') in_tag = true;
      if (!in_tag && std::isalnum(static_cast<unsigned char>(c)) != 0) {
        word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      } else {
        take(found, word);
      }
      if (c == '>') in_tag = false;
    }
    take(found, word);
    return found;
  }

 private:
  void take(std::vector<std::string>& found, std::string& word) const {
    if (word.size() >= shortest_) found.push_back(word);
    word.clear();
  }

  std::size_t shortest_;
};

}  // namespace crawler
