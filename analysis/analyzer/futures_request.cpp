// SPDX-License-Identifier: Apache-2.0
#include "analysis/analyzer/futures_request.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "analysis/analyzer/source_request.h"
#include "analysis/futures/futures.h"

namespace ravel {
namespace {

using nlohmann::json;

json to_json(const SourcePlace& where, const std::string& function) {
  json lines = json::array();
  for (const SourceLines& one : where.lines) {
    const bool same = one.file == where.file && one.first == where.line && one.last == where.line;
    if (one.file.empty() || same) continue;
    json entry = {{"file", one.file}, {"first", one.first}, {"last", one.last}};
    if (std::find(lines.begin(), lines.end(), entry) == lines.end()) lines.push_back(std::move(entry));
  }
  return {{"file", where.file},
          {"line", where.line},
          {"column", where.column},
          {"lines", std::move(lines)},
          {"function", function}};
}

}  // namespace

bool is_futures_request(const std::string& text) { return is_request_for(text, "futures"); }

std::string answer_futures(const std::string& text, bool& ok) {
  ok = false;
  const auto sources = sources_of_request(text);
  if (!sources) return refused_request();
  const FuturesResult result = find_futures(*sources);
  if (!result.errors.empty()) return refused(result.errors);
  ok = true;
  json object;
  object["ok"] = true;
  object["threads"] = result.threads;
  object["reads"] = json::array();
  for (const FoundRead& read : result.reads) {
    json entry = to_json(read.where, read.function);
    entry["object"] = read.object;
    entry["variable"] = read.variable;
    entry["unset"] = read.unset;
    entry["own_write"] = read.own_write;
    entry["definitions"] = json::array();
    entry["pruned"] = json::array();
    for (const FoundDefinition& definition : read.definitions) {
      json found = to_json(definition.where, definition.function);
      found["initial"] = definition.initial;
      found["perhaps_initial"] = definition.perhaps_initial;
      found["concurrent"] = definition.concurrent;
      entry["definitions"].push_back(std::move(found));
    }
    for (const FoundDefinition& definition : read.pruned) {
      json found = to_json(definition.where, definition.function);
      found["initial"] = definition.initial;
      found["reason"] = definition.reason;
      entry["pruned"].push_back(std::move(found));
    }
    object["reads"].push_back(std::move(entry));
  }
  return written(object);
}

}  // namespace ravel
