// SPDX-License-Identifier: Apache-2.0
#include "analysis/analyzer/source_request.h"

namespace ravel {
namespace {

using nlohmann::json;

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

}  // namespace

bool is_request_for(const std::string& text, const std::string& command) {
  const json object = json::parse(text, nullptr, false);
  return object.is_object() && object.contains("command") && object["command"] == command;
}

std::optional<std::vector<ParseInput>> sources_of_request(const std::string& text) {
  const json request = json::parse(text, nullptr, false);
  std::vector<ParseInput> sources;
  const auto list = request.find("sources");
  bool readable = list != request.end() && list->is_array() && !list->empty();
  for (std::size_t i = 0; readable && i < list->size(); ++i) {
    sources.emplace_back();
    readable = read_source((*list)[i], sources.back());
  }
  if (!readable) return std::nullopt;
  return sources;
}

std::string refused_request() {
  return refused({{"", "The request has no sources, each with an absolute file, a directory and arguments.",
                   "docs/formats/analyzer.md shows a request."}});
}

std::string refused(const std::vector<Problem>& problems) {
  json object;
  object["ok"] = false;
  object["errors"] = json::array();
  for (const Problem& problem : problems) {
    object["errors"].push_back({{"origin", problem.origin}, {"message", problem.message}, {"hint", problem.hint}});
  }
  return written(object);
}

std::string written(const json& answer) { return answer.dump(-1, ' ', false, json::error_handler_t::replace) + "\n"; }

}  // namespace ravel
