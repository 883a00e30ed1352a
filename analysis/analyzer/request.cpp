// SPDX-License-Identifier: Apache-2.0
#include "analysis/analyzer/request.h"

#include <nlohmann/json.hpp>

namespace ravel {
namespace {

using nlohmann::json;

bool fail(Problem& problem, const std::string& message) {
  problem = {problem.origin, message, "docs/formats/analyzer.md shows a request."};
  return false;
}

// False when the field is there and of another type.
template <typename T>
bool read(const json& object, const char* name, T& value, Problem& problem) {
  const auto field = object.find(name);
  if (field == object.end() || field->is_null()) return true;
  bool right = false;
  if constexpr (std::is_same_v<T, std::string>) right = field->is_string();
  if constexpr (std::is_same_v<T, bool>) right = field->is_boolean();
  if constexpr (std::is_same_v<T, unsigned>)
    right = field->is_number_unsigned() && field->template get<std::uint64_t>() <= 0x7fffffffU;
  if (!right) return fail(problem, std::string("The request's field \"") + name + "\" has the wrong type.");
  value = field->template get<T>();
  return true;
}

bool read_point(const json& object, PointName& point, Problem& problem) {
  if (!object.is_object()) return fail(problem, "The request has an action or place without a point.");
  if (!read(object, "path", point.path, problem) || !read(object, "scope", point.scope, problem) ||
      !read(object, "number", point.number, problem) || !read(object, "line", point.line, problem) ||
      !read(object, "call", point.call, problem) || !read(object, "access", point.access, problem) ||
      !read(object, "nth", point.nth, problem)) {
    return false;
  }
  const int ways =
      int{point.number != 0} + int{point.line != 0} + int{!point.call.empty()} + int{!point.access.empty()};
  if (ways != 1) return fail(problem, "A point has exactly one of number, line, call and access, counting from 1.");
  if (point.nth == 0) return fail(problem, "Calls and accesses are counted from 1.");
  return true;
}

bool read_place(const json& object, Place& place, Problem& problem) {
  if (!object.is_object()) return fail(problem, "The request has a place that is not an object.");
  if (!read(object, "origin", place.origin, problem)) return false;
  problem.origin = place.origin;
  return read_point(object.contains("point") ? object["point"] : json(), place.point, problem);
}

bool read_action(const json& object, Action& action, Problem& problem) {
  if (!object.is_object()) return fail(problem, "The request has an action that is not an object.");
  std::string kind = "wait";
  if (!read(object, "origin", action.origin, problem)) return false;
  problem.origin = action.origin;
  if (!read(object, "test", action.test, problem) || !read(object, "after", action.after, problem) ||
      !read(object, "kind", kind, problem) || !read(object, "event", action.event, problem) ||
      !read(object, "condition", action.condition, problem) || !read(object, "arrival", action.arrival, problem) ||
      !read(object, "task", action.task, problem)) {
    return false;
  }
  if (kind != "wait" && kind != "notify")
    return fail(problem, "An action is a wait or a notify, not \"" + kind + "\".");
  action.is_wait = kind == "wait";
  return read_point(object.contains("point") ? object["point"] : json(), action.point, problem);
}

bool read_unnamed(const json& object, std::vector<PlaceToName>& places, Problem& problem) {
  if (!object.contains("unnamed") || !object["unnamed"].is_array()) {
    return fail(problem, "The request has no places to name.");
  }
  for (const json& entry : object["unnamed"]) {
    PlaceToName place;
    if (!entry.is_object()) return fail(problem, "The request has a place that is not an object.");
    if (!read(entry, "line", place.line, problem) || !read(entry, "column", place.column, problem) ||
        !read(entry, "call", place.is_call, problem) || !read(entry, "hint", place.hint, problem)) {
      return false;
    }
    places.push_back(std::move(place));
  }
  return true;
}

json json_of(const SourceSpan& span) { return {span.begin_line, span.begin_column, span.end_line, span.end_column}; }

json json_of(const NamedPlace& place) {
  if (!place.found) return {{"found", false}};
  const bool is_call = !place.point.call.empty();
  return {{"found", true},
          {"scope", place.point.scope},
          {is_call ? "call" : "access", is_call ? place.point.call : place.point.access},
          {"nth", place.point.nth},
          {"before", place.before},
          {"after", place.after},
          {"line", place.line},
          {"column", place.column},
          {"function", place.function},
          {"statement", json_of(place.before_span)},
          {"behind", json_of(place.after_span)}};
}

}  // namespace

bool read_request(const std::string& text, AnalyzerRequest& request, Problem& problem) {
  const json object = json::parse(text, nullptr, false);
  if (!object.is_object()) return fail(problem, "The request is not a JSON object.");
  std::string command;
  if (!read(object, "command", command, problem) || !read(object, "file", request.source.file, problem) ||
      !read(object, "main", request.source.main, problem) ||
      !read(object, "directory", request.source.directory, problem) ||
      !read(object, "prefix", request.prefix, problem) || !read(object, "out", request.out, problem)) {
    return false;
  }
  if (command != "weave" && command != "locate" && command != "name") {
    return fail(problem, "The command is weave, locate, name or futures, not \"" + command + "\".");
  }
  request.write = command == "weave";
  request.naming = command == "name";
  if (!request.source.file.starts_with("/")) return fail(problem, "The request's file needs an absolute path.");
  if (request.source.main.empty()) request.source.main = request.source.file;
  if (request.write && request.out.empty()) return fail(problem, "The request does not say where to write the copy.");
  if (request.write && request.out == request.source.file) {
    return fail(problem, "The copy would replace the file itself, which is never touched.");
  }
  if (object.contains("arguments")) {
    for (const json& argument : object["arguments"]) {
      if (!argument.is_string()) return fail(problem, "The request's arguments are not all strings.");
      request.source.arguments.push_back(argument.get<std::string>());
    }
  }
  if (request.naming) return read_unnamed(object, request.unnamed, problem);
  if (!object.contains("actions") || !object["actions"].is_array()) return fail(problem, "The request has no actions.");
  for (const json& entry : object["actions"]) {
    Action action;
    if (!read_action(entry, action, problem)) return false;
    request.actions.push_back(std::move(action));
  }
  for (const json& entry : object.value("places", json::array())) {
    Place place;
    if (!read_place(entry, place, problem)) return false;
    request.places.push_back(std::move(place));
  }
  return true;
}

namespace {

json json_of(const std::vector<LocatedPoint>& points) {
  json list = json::array();
  for (const LocatedPoint& point : points) {
    list.push_back({{"origin", point.origin},
                    {"line", point.line},
                    {"column", point.column},
                    {"first_line", point.statement.first},
                    {"last_line", point.statement.last},
                    {"function_line", point.definition.first},
                    {"function_last_line", point.definition.last},
                    {"function", point.function},
                    {"signature", point.signature}});
  }
  return list;
}

}  // namespace

std::string write_answer(const AnalyzerAnswer& answer) {
  json object;
  object["ok"] = answer.errors.empty();
  if (answer.errors.empty()) {
    object["include_directory"] = answer.include_directory;
    object["points"] = json_of(answer.points);
    object["places"] = json_of(answer.places);
    if (!answer.names.empty()) object["names"] = json::array();
    for (const NamedPlace& place : answer.names) object["names"].push_back(json_of(place));
  } else {
    object["errors"] = json::array();
    for (const Problem& problem : answer.errors) {
      object["errors"].push_back({{"origin", problem.origin}, {"message", problem.message}, {"hint", problem.hint}});
    }
  }
  return object.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace ravel
