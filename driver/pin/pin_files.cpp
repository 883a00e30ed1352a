// SPDX-License-Identifier: Apache-2.0
#include "driver/pin/pin_files.h"

#include <algorithm>
#include <cctype>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "driver/race_tests/race_file.h"
#include "driver/race_tests/woven_tests.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

bool fits_a_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }

Status write(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush())
    return Status::trouble(fmt::format("cannot write {}", path.string()), "choose another --tests DIR");
  return Status::ok();
}

std::string skeleton(const std::string& name) {
  return fmt::format(
      "// The race test {0}: race.txt says what is forced. The program's own main is the test.\n"
      "#include <ravel/race_test.h>\n"
      "\n"
      "// Before main, and when the program ends: for this test alone.\n"
      "static void setup() {{}}\n"
      "static void teardown() {{}}\n"
      "\n"
      "RAVEL_RACE_PROGRAM({0}, setup, teardown)\n",
      name);
}

Status check_absent(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return Status::ok();
  return Status::trouble(fmt::format("{} already exists", path.string()), "choose another name: --name NAME");
}

}  // namespace

std::string test_name(const std::string& program, FindingKind kind) {
  std::string name = fmt::format("{}_{}", fs::path(program).stem().string(), finding_name(kind));
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !fits_a_name(c) || c == '-'; }, '_');
  return std::isdigit(static_cast<unsigned char>(name[0])) != 0 ? fmt::format("_{}", name) : name;
}

Status check_free(const fs::path& directory, const std::string& name) {
  if (name.empty() || !std::all_of(name.begin(), name.end(), fits_a_name) ||
      std::isdigit(static_cast<unsigned char>(name[0])) != 0 || name.find('-') != std::string::npos) {
    return Status::trouble(fmt::format("'{}' cannot be the name of a test", name),
                           "use letters, digits and _, with no digit first: it becomes a C++ name");
  }
  return check_absent(directory);
}

Status check_program_free(const fs::path& file) {
  if (Status status = check_absent(file); !status.is_ok()) return status;
  return check_absent(list_beside(file));
}

Result<std::optional<CompileCommands>> find_compile_commands(const std::string& typed, const fs::path& directory,
                                                             const std::string& program) {
  std::vector<fs::path> places;
  if (!typed.empty()) {
    places.emplace_back(typed);
  } else {
    std::error_code error;
    for (const fs::path& place : {directory, fs::path(program).parent_path()}) {
      if (fs::exists(place / "compile_commands.json", error)) places.push_back(place / "compile_commands.json");
    }
  }
  if (places.empty()) return std::optional<CompileCommands>();
  auto read = CompileCommands::read(places.front());
  if (!read.is_ok()) return read.status();
  return std::optional<CompileCommands>(std::move(read.value()));
}

Status write_pinned_test(const PinnedFiles& files) {
  std::error_code error;
  fs::create_directories(files.directory.parent_path(), error);
  if (!fs::create_directory(files.directory, error) || error) {
    return Status::trouble(fmt::format("cannot make the directory {}", files.directory.string()),
                           "choose another one: --tests DIR");
  }
  std::string comment = files.finding;
  std::replace(comment.begin(), comment.end(), '\n', ' ');
  const std::string text = fmt::format("# {}\n# pinned from {}\n{}", comment, files.schedule.filename().string(),
                                       race_file_text(files.test));
  Status status = write(files.directory / kRaceFileName, text);
  if (status.is_ok()) status = write(files.directory / "test.cpp", skeleton(files.test.name));
  if (!status.is_ok()) fs::remove_all(files.directory, error);
  return status;
}

Status leave_program(const PinResult& result, const fs::path& file) {
  std::error_code error;
  fs::copy_file(result.program, file, error);
  if (!error) fs::copy_file(result.list, list_beside(file), error);
  if (!error) return Status::ok();
  return Status::trouble(fmt::format("cannot write {}: {}", file.string(), error.message()),
                         "the test itself is written: weave it with ravel weave");
}

std::string json_of_pin(const PinResult& result, const std::string& schedule) {
  nlohmann::ordered_json report = {{"schedule", schedule},
                                   {"finding", result.finding},
                                   {"pinned", result.test.has_value()},
                                   {"tried", result.tried}};
  if (result.test) {
    report["test"] = result.test->name;
    report["actions"] = nlohmann::ordered_json::array();
    for (const Action& action : result.test->actions) report["actions"].push_back(action_text(action));
    report["repeats"] = result.verified.repeats;
    report["reported"] = result.verified.reported;
  } else {
    report["why"] = result.why;
  }
  return report.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string next_commands(const fs::path& tests, const std::string& name, const std::string& program, bool built) {
  if (built) {
    return fmt::format(
        "./{0} is the program with the test woven into it:\n"
        "  ravel test --hunt -- ./{0}    reports the finding\n"
        "  RAVEL_RACE_TEST={0} ./{0}    forces the order without Ravel\n",
        name);
  }
  const std::string target = fs::path(program).stem().string();
  return fmt::format(
      "Next, with CMake:\n"
      "  ravel_race_tests(TARGET {0} TESTS {1})    in CMakeLists.txt: builds {0}_race_tests and registers the test\n"
      "or with any other build:\n"
      "  ravel weave --tests {1} --out woven       makes copies of the sources, to be compiled into {0}_race_tests\n"
      "then:\n"
      "  ravel test --hunt -- ./{0}_race_tests     it reports the finding now\n"
      "  ravel test -- ./{0}_race_tests            and passes once {2} is fixed\n",
      target, tests.string(), name);
}

}  // namespace ravel
