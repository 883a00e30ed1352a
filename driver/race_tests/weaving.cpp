// SPDX-License-Identifier: Apache-2.0
#include "driver/race_tests/weaving.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "driver/process/run_process.h"
#include "driver/race_tests/race_file.h"
#include "driver/race_tests/woven_tests.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// One file that has points.
struct Wanted {
  const CompileCommand* command = nullptr;  // of the file itself, or of a source that includes it
  std::vector<std::pair<const RaceTest*, const Action*>> actions;
  std::vector<std::pair<const RaceTest*, const Point*>> places;  // of expectations: only looked for
};

std::string origin_of(const RaceTest& test, unsigned line) { return fmt::format("{}:{}", test.file.string(), line); }

bool is_system(const fs::path& file) {
  const std::string path = file.string();
  return path.starts_with("/usr/include/") || path.starts_with("/usr/lib/") || path.starts_with("/usr/local/include/");
}

// The files that a source consists of, according to its own compiler: itself first.
std::vector<fs::path> parts_of(const CompileCommand& command, const Deadline& deadline) {
  ProcessOrder order;
  order.directory = command.directory.string();
  for (std::size_t i = 0; i < command.arguments.size(); ++i) {
    if (command.arguments[i] == "-o" || command.arguments[i] == "-MF" || command.arguments[i] == "-MT") {
      ++i;
    } else if (command.arguments[i] != "-c" && command.arguments[i] != "-MD" && command.arguments[i] != "-MMD") {
      order.words.push_back(command.arguments[i]);
    }
  }
  order.words.insert(order.words.end(), {"-MM", "-MT", "x"});
  RunSettings settings;
  settings.deadline = deadline;
  const auto told = run_process(order, settings);
  std::vector<fs::path> parts;
  if (!told.is_ok() || told.value().code() != 0) return parts;
  std::string text = told.value().output;
  // "x: a.cpp a.h \<newline> b.h"; a space in a name has a backslash before it, as for make.
  for (std::size_t at = 0; (at = text.find("\\\n", at)) != std::string::npos;) text.replace(at, 2, " ");
  const std::vector<std::string> names = split_command(text);
  for (std::size_t i = 1; i < names.size(); ++i) {
    parts.push_back((command.directory / names[i]).lexically_normal());
  }
  return parts;
}

bool have_same_text(const fs::path& one, const fs::path& other) {
  std::ifstream first(one, std::ios::binary);
  std::ifstream second(other, std::ios::binary);
  using Bytes = std::istreambuf_iterator<char>;
  return first && second && std::equal(Bytes(first), Bytes(), Bytes(second), Bytes());
}

class Weaver {
 public:
  Weaver(const CompileCommands& commands, const WeaveOptions& options) : commands_(commands), options_(options) {}

  Result<WeaveResult> run(const std::vector<RaceTest>& tests) {
    for (const RaceTest& test : tests) {
      for (const Action& action : test.actions) {
        Wanted* const wanted = file_of(origin_of(test, action.line), action.point.path);
        if (wanted != nullptr) wanted->actions.emplace_back(&test, &action);
      }
      if (!test.expectation) continue;
      for (const Point& point : test.expectation->points) {
        Wanted* const wanted = file_of(origin_of(test, test.expectation->line), point.path);
        if (wanted != nullptr) wanted->places.emplace_back(&test, &point);
      }
    }
    if (!errors_.empty()) return trouble();
    for (const auto& [file, wanted] : files_) weave_file(file, wanted);
    if (!errors_.empty()) {
      forget_copies();
      return trouble();
    }
    copy_companions();
    if (!errors_.empty()) {
      forget_copies();
      return trouble();
    }
    keep_copies();
    remove_old_copies();
    write_lists(tests);
    if (!errors_.empty()) return trouble();
    result_.sources.assign(copied_.begin(), copied_.end());
    return std::move(result_);
  }

 private:
  fs::path copy_of(const fs::path& file) const { return options_.out / file.relative_path(); }

  Status trouble() const {
    std::string what;
    for (const std::string& error : errors_) what += (what.empty() ? "" : "\n") + error;
    return Status::trouble(what, advice_);
  }

  void fail(const std::string& sentence, const std::string& advice) {
    errors_.push_back(sentence);
    if (advice_.empty()) advice_ = advice;
  }

  const std::vector<fs::path>& parts(const CompileCommand& command) {
    const auto known = parts_.find(command.file);
    if (known != parts_.end()) return known->second;
    return parts_.emplace(command.file, parts_of(command, options_.deadline)).first->second;
  }

  // Which file a point belongs to: a source, or else a header of one. nullptr: the mistake has been reported.
  Wanted* file_of(const std::string& origin, const std::string& path) {
    std::map<fs::path, const CompileCommand*> found;
    for (const CompileCommand* command : commands_.ending_with(path)) found.emplace(command->file, command);
    if (found.empty()) {
      for (const CompileCommand& command : commands_.all()) {
        for (const fs::path& part : parts(command)) {
          if (ends_with_names(part, path)) found.emplace(part, &command);
        }
      }
    }
    if (found.size() == 1) {
      Wanted& wanted = files_[found.begin()->first];
      wanted.command = found.begin()->second;
      return &wanted;
    }
    if (found.empty()) {
      fail(fmt::format("{}: no compiled source, and no file that one includes, is called {}", origin, path),
           "name the end of its path, as in compile_commands.json");
      return nullptr;
    }
    std::string names;
    for (const auto& [file, command] : found) names += (names.empty() ? "" : ", ") + file.string();
    fail(fmt::format("{}: {} may be {}", origin, path, names), "name more of the path");
    return nullptr;
  }

  static Json json_of(const Point& point) {
    Json json = {{"path", point.path}};
    if (!point.scope.empty()) json["scope"] = point.scope;
    switch (point.kind) {
      case PointKind::comment:
        json["number"] = point.number;
        break;
      case PointKind::line:
        json["line"] = point.number;
        break;
      case PointKind::call:
      case PointKind::access:
        json[point.kind == PointKind::call ? "call" : "access"] = point.name;
        json["nth"] = point.number;
        break;
    }
    return json;
  }

  static Json json_of(const RaceTest& test, const Action& action) {
    return {{"test", test.name},
            {"point", json_of(action.point)},
            {"after", action.after},
            {"kind", action.kind == ActionKind::wait ? "wait" : "notify"},
            {"event", action.event},
            {"condition", action.condition},
            {"arrival", action.arrival},
            {"task", action.task},
            {"origin", origin_of(test, action.line)}};
  }

  void weave_file(const fs::path& file, const Wanted& wanted) {
    const fs::path copy = copy_of(file);
    const bool writes = !wanted.actions.empty();
    std::error_code error;
    if (writes) fs::create_directories(copy.parent_path(), error);
    std::vector<std::string> arguments = wanted.command->arguments;
    arguments.push_back("-I" + options_.include);
    Json request = {{"command", writes ? "weave" : "locate"},
                    {"file", file.string()},
                    {"main", wanted.command->file.string()},
                    {"arguments", arguments},
                    {"directory", wanted.command->directory.string()},
                    {"prefix", options_.prefix},
                    {"out", fresh(copy).string()},
                    {"actions", Json::array()},
                    {"places", Json::array()}};
    for (const auto& [test, action] : wanted.actions) request["actions"].push_back(json_of(*test, *action));
    for (const auto& [test, point] : wanted.places) {
      request["places"].push_back({{"point", json_of(*point)}, {"origin", origin_of(*test, test->expectation->line)}});
    }
    const auto told = run_process({options_.analyzer}, request.dump(-1, ' ', false, Json::error_handler_t::replace),
                                  options_.deadline);
    if (!told.is_ok()) return fail(told.status().what(), told.status().advice());
    const Json answer = Json::parse(told.value().output, nullptr, false);
    if (!answer.is_object()) {
      return fail(fmt::format("{} could not be analysed: the analyzer ended with exit code {}", file.string(),
                              told.value().code()),
                  "report this: it is a defect of Ravel");
    }
    for (const Json& one : answer.value("errors", Json::array())) {
      const std::string origin = one.value("origin", std::string());
      fail((origin.empty() ? "" : origin + ": ") + one.value("message", std::string()),
           one.value("hint", std::string()));
    }
    if (!answer.value("ok", false)) return;
    if (writes) copied_.insert(file);
    // Both lists are in the order of the request.
    const Json points = answer.value("points", Json::array());
    for (std::size_t i = 0; i < std::min(points.size(), wanted.actions.size()); ++i) {
      const auto& [test, action] = wanted.actions[i];
      result_.actions.push_back({test->name, origin_of(*test, action->line), file, points[i].value("line", 0U),
                                 points[i].value("function", std::string())});
      Json place = {{"origin", origin_of(*test, action->line)}};
      place.update(found_place(action->point, file, points[i]));
      action_places_[test].push_back(std::move(place));
    }
    const Json places = answer.value("places", Json::array());
    for (std::size_t i = 0; i < std::min(places.size(), wanted.places.size()); ++i) {
      const Point& point = *wanted.places[i].second;
      expected_places_[&point] = found_place(point, file, places[i]);
    }
  }

  static Json found_place(const Point& point, const fs::path& file, const Json& answer) {
    return {{"point", point_text(point)},
            {"file", file.string()},
            {"line", answer.value("first_line", 0U)},
            {"last_line", answer.value("last_line", 0U)},
            {"function", answer.value("function", std::string())},
            {"function_line", answer.value("function_line", 0U)},
            {"function_last_line", answer.value("function_last_line", 0U)}};
  }

  // Named so until all copies are made: if this weaving fails, what an earlier one left stays intact.
  static fs::path fresh(const fs::path& copy) { return copy.string() + ".new"; }

  void forget_copies() {
    std::error_code error;
    for (const fs::path& file : copied_) fs::remove(fresh(copy_of(file)), error);
    copied_.clear();
  }

  // An unchanged copy is left untouched, so that it is not compiled again.
  void keep_copies() {
    for (const fs::path& file : copied_) {
      std::error_code error;
      if (have_same_text(fresh(copy_of(file)), copy_of(file))) {
        fs::remove(fresh(copy_of(file)), error);
        continue;
      }
      fs::rename(fresh(copy_of(file)), copy_of(file), error);
      if (error) fail(fmt::format("cannot write {}: {}", copy_of(file).string(), error.message()), "check --out");
    }
  }

  // Copies that are no longer needed would still be included.
  void remove_old_copies() const {
    std::ifstream file(options_.out / kWovenList);
    const Json before = Json::parse(file, nullptr, false);
    if (!before.is_object()) return;
    for (const Json& one : before.value("sources", Json::array())) {
      const fs::path source = one.is_string() ? one.get<std::string>() : std::string();
      std::error_code error;
      if (source.is_absolute() && !copied_.contains(source)) fs::remove(copy_of(source.lexically_normal()), error);
    }
  }

  // Whatever includes a woven header must find the copy, through any files in between: every user file in such a source
  // gets a verbatim copy.
  void copy_companions() {
    std::set<fs::path> headers;
    for (const auto& [file, wanted] : files_) {
      if (wanted.command->file != file && !wanted.actions.empty()) headers.insert(file);
    }
    for (const CompileCommand& command : commands_.all()) {
      const bool is_woven = copied_.contains(command.file);
      if (headers.empty() && !is_woven) continue;
      const std::vector<fs::path>& all = headers.empty() ? no_parts_ : parts(command);
      const bool includes =
          std::any_of(all.begin(), all.end(), [&](const fs::path& one) { return headers.contains(one); });
      if (includes) {
        for (const fs::path& part : all) copy_plainly(part);
      }
      if (includes || is_woven) rebuilt_.push_back(&command);
    }
  }

  void copy_plainly(const fs::path& file) {
    if (is_system(file) || !copied_.insert(file).second) return;
    const fs::path copy = copy_of(file);
    std::error_code error;
    fs::create_directories(copy.parent_path(), error);
    std::ifstream from(file, std::ios::binary);
    std::ofstream to(fresh(copy), std::ios::binary);
    to << "#line 1 \"" << file.string() << "\"\n" << from.rdbuf();
    if (!from || !to.flush()) fail(fmt::format("cannot copy {} to {}", file.string(), copy.string()), "check --out");
  }

  // The copies come before every directory of headers.
  CompileCommand woven(const CompileCommand& command) const {
    CompileCommand result{command.directory, copy_of(command.file), {}};
    for (std::size_t i = 0; i < command.arguments.size(); ++i) {
      const std::string& word = command.arguments[i];
      const auto absolute = [&](const std::string& path) { return (command.directory / path).lexically_normal(); };
      const bool is_file = i > 0 && !word.starts_with("-") && absolute(word) == command.file;
      for (const std::string option : {"-I", "-iquote", "-isystem"}) {
        if (!word.starts_with(option)) continue;
        const bool next = word == option;
        if (next && i + 1 == command.arguments.size()) continue;
        const std::string folder = next ? command.arguments[i + 1] : word.substr(option.size());
        result.arguments.insert(result.arguments.end(), {option, copy_of(absolute(folder)).string()});
      }
      result.arguments.push_back(is_file ? result.file.string() : word);
    }
    result.arguments.push_back("-iquote");
    result.arguments.push_back(command.file.parent_path().string());
    result.arguments.push_back("-I" + options_.include);
    return result;
  }

  Json expected(const RaceTest& test) const {
    if (!test.expectation) return nullptr;
    Json points = Json::array();
    Json places = Json::array();
    for (const Point& point : test.expectation->points) {
      points.push_back(point_text(point));
      places.push_back(expected_places_.at(&point));
    }
    return {
        {"kind", finding_name(test.expectation->kind)}, {"points", std::move(points)}, {"places", std::move(places)}};
  }

  void write_lists(const std::vector<RaceTest>& tests) {
    std::vector<CompileCommand> commands;
    for (const CompileCommand* command : rebuilt_) commands.push_back(woven(*command));
    Json manifest = {{"ravel_race_tests", 1}, {"sources", Json::array()}, {"tests", Json::array()}};
    for (const RaceTest& test : tests) {
      Json entry = {{"name", test.name},
                    {"file", fs::absolute(test.file).lexically_normal().string()},
                    {"arguments", test.arguments},
                    {"expect", expected(test)},
                    {"actions", Json::array()}};
      for (Json& place : action_places_[&test]) entry["actions"].push_back(std::move(place));
      manifest["tests"].push_back(std::move(entry));
    }
    write(options_.out / "compile_commands.json", CompileCommands(std::move(commands)).json());
    for (const fs::path& source : copied_) manifest["sources"].push_back(source.string());
    write(options_.out / kWovenList, manifest.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
  }

  void write(const fs::path& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    if (!file.flush()) fail(fmt::format("cannot write {}", path.string()), "choose another directory: --out DIR");
  }

  const CompileCommands& commands_;
  const WeaveOptions& options_;
  const std::vector<fs::path> no_parts_;
  std::map<fs::path, Wanted> files_;
  std::map<fs::path, std::vector<fs::path>> parts_;  // by source
  std::map<const RaceTest*, std::vector<Json>> action_places_;
  std::map<const Point*, Json> expected_places_;
  std::set<fs::path> copied_;
  std::vector<const CompileCommand*> rebuilt_;
  std::vector<std::string> errors_;
  std::string advice_;
  WeaveResult result_;
};

}  // namespace

Result<WeaveResult> weave(const std::vector<RaceTest>& tests, const CompileCommands& commands,
                          const WeaveOptions& options) {
  std::error_code error;
  fs::create_directories(options.out, error);
  if (error || !fs::is_directory(options.out)) {
    return Status::trouble(fmt::format("cannot make the directory {}", options.out.string()),
                           "choose another one: --out DIR");
  }
  return Weaver(commands, options).run(tests);
}

Result<std::string> find_headers() {
  std::error_code error;
  const fs::path root = fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();
  if (fs::exists(root / "include/ravel/sync.h", error)) return (root / "include").string();
  return Status::trouble(fmt::format("the header ravel/sync.h is not at {}", (root / "include").string()),
                         "build or install all of Ravel: its headers come with the tool");
}

Result<std::string> find_sync_library() {
  std::error_code error;
  const fs::path root = fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();
  for (const char* const place : {"lib/libravel_sync.a", "lib/ravel/libravel_sync.a"}) {
    if (fs::exists(root / place, error)) return (root / place).string();
  }
  return Status::trouble(fmt::format("the library libravel_sync.a is not at {}", (root / "lib").string()),
                         "build or install all of Ravel: its libraries come with the tool");
}

}  // namespace ravel
