// SPDX-License-Identifier: Apache-2.0
#include "driver/analyze/static_pairs.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "driver/analyze/analyzer_question.h"

namespace ravel {
namespace {

using Json = nlohmann::ordered_json;

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

Json to_json(const StaticFunction& function) {
  Json accesses = Json::array();
  for (const StaticAccess& access : function.accesses) {
    accesses.push_back({{"variable", access.variable},
                        {"access", access.writes ? "write" : "read"},
                        {"atomic", access.atomic},
                        {"own", access.own},
                        {"locks", access.locks}});
  }
  return {{"name", function.label()},
          {"file", function.file},
          {"first_line", function.first},
          {"last_line", function.last},
          {"accesses", std::move(accesses)}};
}

}  // namespace

std::string StaticFunction::label() const {
  if (!name.ends_with("::lambda")) return name;
  return fmt::format("{} ({}:{})", name, std::filesystem::path(file).filename().string(), first);
}

std::size_t StaticPairs::count(bool strong) const {
  return static_cast<std::size_t>(
      std::count_if(pairs.begin(), pairs.end(), [&](const StaticPair& pair) { return pair.strong == strong; }));
}

std::string StaticPairs::text(bool with_weak) const {
  std::string text;
  for (const StaticPair& pair : pairs) {
    if (!pair.strong && !with_weak) continue;
    text += fmt::format("{}  {} | {}  on {}{}\n", pair.strong ? "strong" : "weak  ",
                        functions[pair.functions[0]].label(), functions[pair.functions[1]].label(),
                        joined(pair.variables), pair.strong && pair.locked ? "  (locked)" : "");
  }
  return text;
}

std::string StaticPairs::json() const {
  Json object;
  object["ravel"] = RAVEL_VERSION;
  object["command"] = "analyze";
  object["strong_pairs"] = count(true);
  object["weak_pairs"] = count(false);
  object["functions"] = Json::array();
  for (const StaticFunction& function : functions) object["functions"].push_back(to_json(function));
  object["pairs"] = Json::array();
  for (const StaticPair& pair : pairs) {
    object["pairs"].push_back(
        {{"functions", {functions[pair.functions[0]].label(), functions[pair.functions[1]].label()}},
         {"dependence", pair.strong ? "strong" : "weak"},
         {"locked", pair.locked},
         {"variables", pair.variables}});
  }
  return object.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<StaticPairs> find_static_pairs(const std::vector<CompileCommand>& sources, const std::string& analyzer) {
  const auto told = ask_about_program("pairs", sources, analyzer);
  if (!told.is_ok()) return told.status();
  const Json& answer = told.value();
  StaticPairs found;
  for (const Json& entry : answer["functions"]) {
    StaticFunction& function = found.functions.emplace_back();
    function.name = entry.value("name", "");
    function.file = entry.value("file", "");
    function.first = entry.value("first", 0U);
    function.last = entry.value("last", 0U);
    for (const Json& access : entry["accesses"]) {
      function.accesses.push_back({access.value("variable", ""), access.value("writes", false),
                                   access.value("atomic", false), access.value("own", false),
                                   access["locks"].get<std::vector<std::string>>()});
    }
  }
  for (const Json& entry : answer["pairs"]) {
    StaticPair& pair = found.pairs.emplace_back();
    for (std::size_t side = 0; side < 2; ++side) pair.functions[side] = entry["functions"][side].get<std::size_t>();
    pair.strong = entry.value("strong", false);
    pair.locked = entry.value("locked", false);
    pair.variables = entry["variables"].get<std::vector<std::string>>();
  }
  return found;
}

}  // namespace ravel
