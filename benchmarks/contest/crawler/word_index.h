// SPDX-License-Identifier: Apache-2.0
// WordIndex: how often each word stands on which page. For one thread.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "url.h"

namespace crawler {

class WordIndex {
 public:
  void add(const Url& url, const std::vector<std::string>& words) {
    pages_.insert(url);
    for (const std::string& word : words) ++occurrences_[word][url];
    words_ += words.size();
  }

  void add(const WordIndex& other) {
    pages_.insert(other.pages_.begin(), other.pages_.end());
    for (const auto& [word, pages] : other.occurrences_) {
      std::map<Url, int>& mine = occurrences_[word];
      for (const auto& [url, count] : pages) mine[url] += count;
    }
    words_ += other.words_;
  }

  bool contains(const Url& url) const { return pages_.contains(url); }
  std::size_t pages() const { return pages_.size(); }
  std::size_t words() const { return words_; }

  // Counted anew; the same as words() unless something was lost.
  std::size_t sum() const {
    std::size_t sum = 0;
    for (const auto& [word, pages] : occurrences_) {
      for (const auto& [url, count] : pages) sum += static_cast<std::size_t>(count);
    }
    return sum;
  }

  std::string most_frequent() const {
    std::string best;
    int most = 0;
    for (const auto& [word, pages] : occurrences_) {
      int count = 0;
      for (const auto& [url, times] : pages) count += times;
      if (count > most) {
        most = count;
        best = word;
      }
    }
    return best;
  }

 private:
  std::set<Url> pages_;
  std::map<std::string, std::map<Url, int>> occurrences_;
  std::size_t words_ = 0;
};

}  // namespace crawler
