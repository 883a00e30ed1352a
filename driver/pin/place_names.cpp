// SPDX-License-Identifier: Apache-2.0
#include "driver/pin/place_names.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "driver/pin/program_build.h"
#include "driver/process/run_process.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

SourceRange range_of(const Json& list) {
  if (!list.is_array() || list.size() != 4) return {};
  return {{list[0].get<unsigned>(), list[1].get<unsigned>()}, {list[2].get<unsigned>(), list[3].get<unsigned>()}};
}

}  // namespace

bool SourceRange::holds(unsigned line, unsigned column) const {
  if (column == 0) return begin.line <= line && line <= end.line;
  const auto at = std::tie(line, column);
  return std::tie(begin.line, begin.column) <= at && at <= std::tie(end.line, end.column);
}

PlaceNames::Key PlaceNames::key_of(const StepPlace& place) {
  return {place.file.string(), place.line, place.column, place.is_call, place.hint};
}

Status PlaceNames::look_up(const std::vector<StepPlace>& places) {
  std::map<fs::path, std::vector<StepPlace>> by_file;
  for (const StepPlace& place : places) {
    if (names_.emplace(key_of(place), std::nullopt).second) by_file[place.file].push_back(place);
  }
  for (const auto& [file, wanted] : by_file) {
    if (Status status = look_up_in(file, wanted); !status.is_ok()) return status;
  }
  return Status::ok();
}

Status PlaceNames::look_up_in(const fs::path& file, const std::vector<StepPlace>& places) {
  Json unnamed = Json::array();
  for (const StepPlace& place : places) {
    unnamed.push_back({{"line", place.line}, {"column", place.column}, {"call", place.is_call}, {"hint", place.hint}});
  }
  // The file's own command, or else those that may include it, until one does.
  std::vector<const CompileCommand*> commands;
  for (const CompileCommand& command : commands_.all()) {
    if (command.file == file) commands.push_back(&command);
  }
  if (commands.empty()) {
    for (const CompileCommand& command : commands_.all()) commands.push_back(&command);
  }
  std::string why;
  for (const CompileCommand* command : commands) {
    const Json request = {{"command", "name"},
                          {"file", file.string()},
                          {"main", command->file.string()},
                          {"arguments", command->arguments},
                          {"directory", command->directory.string()},
                          {"unnamed", unnamed}};
    const auto told = run_process({analyzer_}, request.dump(-1, ' ', false, Json::error_handler_t::replace), deadline_);
    if (!told.is_ok()) return told.status();
    const Json answer = Json::parse(told.value().output, nullptr, false);
    if (!answer.is_object()) continue;
    if (!answer.value("ok", false)) {
      const Json errors = answer.value("errors", Json::array());
      if (!errors.empty() && why.empty()) why = errors[0].value("message", std::string());
      continue;
    }
    const Json names = answer.value("names", Json::array());
    for (std::size_t i = 0; i < names.size() && i < places.size(); ++i) {
      const Json& one = names[i];
      if (!one.value("found", false)) continue;
      PlaceName name;
      name.file = file;
      const bool is_call = one.contains("call");
      name.point = {is_call ? PointKind::call : PointKind::access, short_path(file), one.value("scope", std::string()),
                    one.value("nth", 1U), one.value(is_call ? "call" : "access", std::string())};
      name.line = one.value("line", 0U);
      name.before = one.value("before", false);
      name.after = one.value("after", false);
      name.function = one.value("function", std::string());
      name.statement = range_of(one.value("statement", Json()));
      name.behind = range_of(one.value("behind", Json()));
      learn(places[i], std::move(name));
    }
    return Status::ok();
  }
  return Status::trouble(why.empty() ? fmt::format("{} could not be analysed", file.string()) : why, kCommandsAdvice);
}

const PlaceName* PlaceNames::find(const StepPlace& place) const {
  const auto found = names_.find(key_of(place));
  return found == names_.end() || !found->second ? nullptr : &*found->second;
}

// The file's name, with as many directories as it takes to make it unique among the sources.
std::string PlaceNames::short_path(const fs::path& file) const {
  std::string text = file.filename().string();
  for (fs::path parent = file.parent_path(); commands_.ending_with(text).size() > 1 && parent.has_relative_path();
       parent = parent.parent_path()) {
    text = parent.filename().string() + "/" + text;
  }
  return text;
}

}  // namespace ravel
