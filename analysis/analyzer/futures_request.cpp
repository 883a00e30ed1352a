// SPDX-License-Identifier: Apache-2.0
#include "analysis/analyzer/futures_request.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "analysis/futures/futures.h"

namespace ravel {
namespace {

using nlohmann::json;

std::string written(const json& object) { return object.dump(-1, ' ', false, json::error_handler_t::replace) + "\n"; }

std::string refused(const std::vector<Problem>& problems) {
  json object;
  object["ok"] = false;
  object["errors"] = json::array();
  for (const Problem& problem : problems) {
    object["errors"].push_back({{"origin", problem.origin}, {"message", problem.message}, {"hint", problem.hint}});
  }
  return written(object);
}

bool read_source(const json& entry, ParseInput& source) {
  if (!entry.is_object()) return false;
  const auto file = entry.find("file");
  if (file == entry.end() || !file->is_string()) return false;
  source.file = file->get<std::string>();
  source.main = source.file;
  if (const auto directory = entry.find("directory"); directory != entry.end()) {
    if (!directory->is_string()) return false;
    source.directory = directory->get<std::string>();
  }
  if (const auto arguments = entry.find("arguments"); arguments != entry.end()) {
    if (!arguments->is_array()) return false;
    for (const json& argument : *arguments) {
      if (!argument.is_string()) return false;
      source.arguments.push_back(argument.get<std::string>());
    }
  }
  return source.file.starts_with("/");
}

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

bool is_futures_request(const std::string& text) {
  const json object = json::parse(text, nullptr, false);
  return object.is_object() && object.contains("command") && object["command"] == "futures";
}

std::string answer_futures(const std::string& text, bool& ok) {
  const json request = json::parse(text, nullptr, false);
  ok = false;
  std::vector<ParseInput> sources;
  const auto list = request.find("sources");
  bool readable = list != request.end() && list->is_array() && !list->empty();
  for (std::size_t i = 0; readable && i < list->size(); ++i) {
    sources.emplace_back();
    readable = read_source((*list)[i], sources.back());
  }
  if (!readable) {
    return refused({{"", "The request has no sources, each with an absolute file, a directory and arguments.",
                     "docs/formats/analyzer.md shows a request."}});
  }
  const FuturesResult result = find_futures(sources);
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
