// SPDX-License-Identifier: Apache-2.0
// RobotsRules: which paths of a host a crawler may read, from its robots.txt. The longest rule that fits decides;
// of two of the same length the one that allows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace crawler {

class RobotsRules {
 public:
  static RobotsRules parse(std::string_view text, std::string_view agent) {
    RobotsRules rules;
    bool is_meant = false;
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      std::string_view line = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      line = line.substr(0, line.find('#'));
      const std::size_t colon = line.find(':');
      if (colon == std::string_view::npos) continue;
      const std::string_view field = trimmed(line.substr(0, colon));
      const std::string_view value = trimmed(line.substr(colon + 1));
      if (field == "User-agent") {
        is_meant = value == "*" || value == agent;
      } else if (is_meant && !value.empty() && (field == "Allow" || field == "Disallow")) {
        rules.rules_.push_back({std::string(value), field == "Allow"});
      }
    }
    return rules;
  }

  bool allows(std::string_view path) const {
    bool allowed = true;
    std::size_t longest = 0;
    for (const Rule& rule : rules_) {
      if (!path.starts_with(rule.prefix) || rule.prefix.size() < longest) continue;
      allowed = rule.allows || (rule.prefix.size() == longest && allowed);
      longest = rule.prefix.size();
    }
    return allowed;
  }

 private:
  struct Rule {
    std::string prefix;
    bool allows;
  };

  static std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
  }

  std::vector<Rule> rules_;
};

}  // namespace crawler
