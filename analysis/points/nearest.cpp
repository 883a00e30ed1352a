// SPDX-License-Identifier: Apache-2.0
#include "analysis/points/nearest.h"

#include <llvm/ADT/StringRef.h>

#include <algorithm>

namespace ravel {
namespace {

std::string last_part(const std::string& name) {
  const std::size_t end = name.find('(');
  const std::size_t at = name.rfind("::", end == std::string::npos ? end : (end < 2 ? 0 : end - 2));
  return at == std::string::npos ? name : name.substr(at + 2);
}

// The whole name counts, but a correct last part with wrong qualifiers is closer than a name that only looks similar.
unsigned distance(const std::string& wanted, const std::string& name) {
  const unsigned whole = llvm::StringRef(wanted).edit_distance(name);
  const unsigned last = llvm::StringRef(last_part(wanted)).edit_distance(last_part(name));
  return last * 4 + whole;
}

}  // namespace

std::vector<std::string> nearest(const std::string& wanted, std::vector<std::string> names, std::size_t at_most) {
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::ranges::stable_sort(names, {}, [&](const std::string& name) { return distance(wanted, name); });
  if (names.size() > at_most) names.resize(at_most);
  return names;
}

std::string listed(const std::vector<std::string>& names, const std::string& last) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " " + last + " " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace ravel
