// SPDX-License-Identifier: Apache-2.0
#include "analysis/analyzer/pairs_request.h"

#include <nlohmann/json.hpp>

#include "analysis/analyzer/source_request.h"
#include "analysis/pairs/dependent_pairs.h"

namespace ravel {
namespace {

using nlohmann::json;

json to_json(const AccessingFunction& function) {
  json accesses = json::array();
  for (const VariableAccess& access : function.accesses) {
    accesses.push_back({{"variable", access.variable},
                        {"writes", access.writes},
                        {"atomic", access.atomic},
                        {"own", access.own},
                        {"locks", access.locks}});
  }
  return {{"name", function.name},
          {"file", function.lines.file},
          {"first", function.lines.first},
          {"last", function.lines.last},
          {"accesses", std::move(accesses)}};
}

}  // namespace

bool is_pairs_request(const std::string& text) { return is_request_for(text, "pairs"); }

std::string answer_pairs(const std::string& text, bool& ok) {
  ok = false;
  const auto sources = sources_of_request(text);
  if (!sources) return refused_request();
  const PairsResult result = find_pairs(*sources);
  if (!result.errors.empty()) return refused(result.errors);
  ok = true;
  json object = {{"ok", true}, {"functions", json::array()}, {"pairs", json::array()}};
  for (const AccessingFunction& function : result.functions) object["functions"].push_back(to_json(function));
  for (const DependentPair& pair : result.pairs) {
    object["pairs"].push_back({{"functions", pair.functions},
                               {"strong", pair.strong},
                               {"locked", pair.locked},
                               {"variables", pair.variables}});
  }
  return written(object);
}

}  // namespace ravel
