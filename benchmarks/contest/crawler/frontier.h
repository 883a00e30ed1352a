// SPDX-License-Identifier: Apache-2.0
// Frontier: the addresses still to be read. Each address enters once; hosts take turns, so that none is asked too
// often. For the manager only.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "url.h"

namespace crawler {

class Frontier {
 public:
  explicit Frontier(std::size_t deepest) : deepest_(deepest) {}

  struct Entry {
    Url url;
    std::size_t depth;
  };

  // False when it is known already, or too deep.
  bool add(const Url& url, std::size_t depth) {
    if (depth > deepest_ || !seen_.insert(url).second) return false;
    std::deque<Entry>& waiting = waiting_[url.host()];
    if (waiting.empty()) turns_.push_back(url.host());
    waiting.push_back({url, depth});
    return true;
  }

  std::optional<Entry> take() {
    if (turns_.empty()) return std::nullopt;
    const std::string host = turns_.front();
    turns_.pop_front();
    std::deque<Entry>& waiting = waiting_[host];
    Entry entry = waiting.front();
    waiting.pop_front();
    if (!waiting.empty()) turns_.push_back(host);
    return entry;
  }

  bool is_empty() const { return turns_.empty(); }
  std::size_t seen() const { return seen_.size(); }

 private:
  const std::size_t deepest_;
  std::set<Url> seen_;
  std::map<std::string, std::deque<Entry>> waiting_;
  std::deque<std::string> turns_;  // hosts with addresses waiting, each once
};

}  // namespace crawler
