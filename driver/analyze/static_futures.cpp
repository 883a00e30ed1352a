// SPDX-License-Identifier: Apache-2.0
#include "driver/analyze/static_futures.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "driver/analyze/analyzer_question.h"

namespace ravel {
namespace {

using Json = nlohmann::ordered_json;

StaticPlace read_place(const Json& object) {
  StaticPlace place{
      object.value("file", ""), object.value("line", 0U), object.value("column", 0U), {}, object.value("function", "")};
  for (const Json& lines : object.value("lines", Json::array())) {
    place.lines.push_back({lines.value("file", ""), lines.value("first", 0U), lines.value("last", 0U)});
  }
  return place;
}

std::vector<StaticDefinition> read_definitions(const Json& list) {
  std::vector<StaticDefinition> definitions;
  for (const Json& entry : list) {
    definitions.push_back({read_place(entry), entry.value("initial", false), entry.value("perhaps_initial", false),
                           entry.value("concurrent", false), entry.value("reason", "")});
  }
  return definitions;
}

// Files by their names, or by their whole paths where two have the same name.
class ShortNames {
 public:
  explicit ShortNames(const StaticFutures& futures) {
    for (const StaticRead& read : futures.reads) {
      add(read.place);
      for (const StaticDefinition& definition : read.definitions) add(definition.place);
      for (const StaticDefinition& definition : read.pruned) add(definition.place);
    }
  }
  std::string at(const StaticPlace& place) const {
    const std::string name = std::filesystem::path(place.file).filename().string();
    return fmt::format("{}:{}", files_.at(name).size() > 1 ? place.file : name, place.line);
  }
  std::string term(const StaticDefinition& definition) const {
    return at(definition.place) + (definition.initial ? " (initial)" : "");
  }

 private:
  void add(const StaticPlace& place) {
    files_[std::filesystem::path(place.file).filename().string()].insert(place.file);
  }
  std::map<std::string, std::set<std::string>> files_;
};

// To a person, a source line that reads a variable twice is one read.
std::vector<StaticRead> by_line(const std::vector<StaticRead>& reads) {
  std::vector<StaticRead> lines;
  for (const StaticRead& read : reads) {
    const auto same = std::find_if(lines.begin(), lines.end(), [&](const StaticRead& other) {
      return other.object == read.object && other.place.file == read.place.file && other.place.line == read.place.line;
    });
    if (same == lines.end()) {
      lines.push_back(read);
      continue;
    }
    const auto add = [](std::vector<StaticDefinition>& to, const std::vector<StaticDefinition>& from) {
      for (const StaticDefinition& definition : from) {
        const auto known = std::find_if(to.begin(), to.end(), [&](const StaticDefinition& other) {
          return other.place.file == definition.place.file && other.place.line == definition.place.line &&
                 other.place.column == definition.place.column;
        });
        if (known == to.end()) {
          to.push_back(definition);
        } else {
          known->concurrent = known->concurrent || definition.concurrent;
        }
      }
    };
    add(same->definitions, read.definitions);
    add(same->pruned, read.pruned);
  }
  return lines;
}

Json to_json(const StaticPlace& place) {
  Json lines = Json::array();
  for (const StaticLines& one : place.lines) {
    lines.push_back({{"file", one.file}, {"first", one.first}, {"last", one.last}});
  }
  return {{"location", fmt::format("{}:{}", std::filesystem::path(place.file).filename().string(), place.line)},
          {"file", place.file},
          {"line", place.line},
          {"column", place.column},
          {"lines", std::move(lines)},
          {"function", place.function}};
}

}  // namespace

std::string StaticFutures::text(bool with_pruned) const {
  const ShortNames names(*this);
  std::string result;
  for (const StaticRead& read : by_line(reads)) {
    std::vector<std::string> terms;
    bool concurrent = false;
    for (const StaticDefinition& definition : read.definitions) {
      const std::string term = names.term(definition);
      if (std::find(terms.begin(), terms.end(), term) == terms.end()) terms.push_back(term);
      concurrent = concurrent || definition.concurrent;
    }
    std::string list = fmt::format("{}", fmt::join(terms, ", "));
    // π: some of it comes from threads that run at the same time. φ: it depends on the path taken.
    if (concurrent) {
      list = "π(" + list + ")";
    } else if (terms.size() > 1) {
      list = "φ(" + list + ")";
    } else if (terms.empty()) {
      list = "nothing: it has no value yet";
    }
    result += fmt::format("{} at {} = {}\n", read.object, names.at(read.place), list);
    if (!with_pruned) continue;
    for (const StaticDefinition& definition : read.pruned) {
      const std::string term = names.term(definition);
      if (std::find(terms.begin(), terms.end(), term) != terms.end()) continue;
      result += fmt::format("  not {}: {}\n", term, definition.reason);
    }
  }
  return result;
}

std::string StaticFutures::json() const {
  Json object;
  object["ravel"] = RAVEL_VERSION;
  object["command"] = "analyze";
  object["threads"] = threads;
  object["reads"] = Json::array();
  for (const StaticRead& read : reads) {
    Json entry = to_json(read.place);
    entry["object"] = read.object;
    entry["variable"] = read.variable;
    entry["unset"] = read.unset;
    entry["own_write"] = read.own_write;
    entry["definitions"] = Json::array();
    entry["pruned"] = Json::array();
    for (const StaticDefinition& definition : read.definitions) {
      Json term = to_json(definition.place);
      term["initial"] = definition.initial;
      term["perhaps_initial"] = definition.perhaps_initial;
      term["concurrent"] = definition.concurrent;
      entry["definitions"].push_back(std::move(term));
    }
    for (const StaticDefinition& definition : read.pruned) {
      Json term = to_json(definition.place);
      term["initial"] = definition.initial;
      term["reason"] = definition.reason;
      entry["pruned"].push_back(std::move(term));
    }
    object["reads"].push_back(std::move(entry));
  }
  return object.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<StaticFutures> find_static_futures(const std::vector<CompileCommand>& sources, const std::string& analyzer) {
  const auto told = ask_about_program("futures", sources, analyzer);
  if (!told.is_ok()) return told.status();
  const Json& answer = told.value();
  StaticFutures futures;
  futures.threads = answer["threads"].get<std::vector<std::string>>();
  for (const Json& entry : answer["reads"]) {
    futures.reads.push_back({read_place(entry), entry.value("object", ""), entry.value("variable", ""),
                             entry.value("own_write", false), entry.value("unset", false),
                             read_definitions(entry["definitions"]), read_definitions(entry["pruned"])});
  }
  return futures;
}

}  // namespace ravel
