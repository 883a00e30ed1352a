// SPDX-License-Identifier: Apache-2.0
#include "driver/race_tests/woven_tests.h"

#include <fstream>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ravel {
namespace {

using nlohmann::json;

// Checks once, at the end, whether all fields had the right type.
class Reader {
 public:
  std::vector<WovenTest> tests(const json& object) {
    std::vector<WovenTest> tests;
    if (object.value("ravel_race_tests", json()) != 1) fail("it has no \"ravel_race_tests\": 1");
    std::set<std::string> names;
    for (const json& entry : list(object, "tests")) {
      tests.push_back(test(entry));
      if (tests.back().name.empty()) fail("a test has no name");
      if (!names.insert(tests.back().name).second) fail(fmt::format("two tests are called {}", tests.back().name));
    }
    return tests;
  }
  const std::string& problem() const { return problem_; }

 private:
  void fail(const std::string& what) {
    if (problem_.empty()) problem_ = what;
  }

  json field(const json& object, const char* name) {
    return object.is_object() && object.contains(name) ? object[name] : json();
  }

  json list(const json& object, const char* name) {
    json value = field(object, name);
    if (value.is_array()) return value;
    fail(fmt::format("\"{}\" is not a list", name));
    return json::array();
  }

  std::string text(const json& value, const char* name) {
    if (value.is_string()) return value.get<std::string>();
    fail(fmt::format("\"{}\" is not text", name));
    return {};
  }

  unsigned number(const json& object, const char* name) {
    const json value = field(object, name);
    if (value.is_number_unsigned() && value.get<std::uint64_t>() <= 0x7fffffffU) return value.get<unsigned>();
    fail(fmt::format("\"{}\" is not a line number", name));
    return 0;
  }

  FoundPlace place(const json& entry) {
    FoundPlace place;
    place.text = text(field(entry, "point"), "point");
    place.file = text(field(entry, "file"), "file");
    place.line = number(entry, "line");
    place.last_line = number(entry, "last_line");
    place.function = text(field(entry, "function"), "function");
    place.function_line = number(entry, "function_line");
    place.function_last_line = number(entry, "function_last_line");
    return place;
  }

  WovenTest test(const json& entry) {
    WovenTest test;
    test.name = text(field(entry, "name"), "name");
    test.file = text(field(entry, "file"), "file");
    for (const json& word : list(entry, "arguments")) test.arguments.push_back(text(word, "arguments"));
    for (const json& action : list(entry, "actions")) test.actions.push_back(place(action));
    const json expected = field(entry, "expect");
    if (expected.is_null()) return test;
    test.expected = finding_from_name(text(field(expected, "kind"), "kind"));
    if (!test.expected) fail(fmt::format("{} expects a finding that this Ravel does not know", test.name));
    for (const json& one : list(expected, "places")) test.racing.push_back(place(one));
    if (!test.racing.empty() && test.racing.size() != 2) fail("a race does not have two places");
    return test;
  }

  std::string problem_;
};

}  // namespace

Result<std::vector<WovenTest>> read_woven_tests(const std::filesystem::path& list) {
  std::ifstream file(list, std::ios::binary);
  std::error_code error;
  if (!file || std::filesystem::is_directory(list, error)) {
    return Status::trouble(fmt::format("the list of race tests {} cannot be read", list.string()),
                           fmt::format("ravel weave writes it into its output directory: {}", kWovenList));
  }
  const json object = json::parse(file, nullptr, false);
  Reader reader;
  std::vector<WovenTest> tests;
  std::string problem = "it is not a JSON object";
  if (object.is_object()) {
    tests = reader.tests(object);
    problem = reader.problem();
  }
  if (problem.empty()) return tests;
  return Status::trouble(fmt::format("{} is not a list of race tests: {}", list.string(), problem),
                         "weave the tests again: ravel weave");
}

}  // namespace ravel
