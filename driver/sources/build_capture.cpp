// SPDX-License-Identifier: Apache-2.0
#include "driver/sources/build_capture.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "driver/process/environment.h"
#include "driver/process/file_descriptor.h"
#include "driver/process/process.h"
#include "driver/process/temporary_directory.h"

namespace ravel {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kCaptureVariable = "RAVEL_CAPTURE";  // the directory of this capture
constexpr std::string_view kLog = "commands";              // in it: one line of JSON for each command
constexpr std::string_view kNames = "bin";                 // in it: the compilers

bool is_source(std::string_view word) {
  constexpr std::array<std::string_view, 8> kEndings = {".cpp", ".cc", ".cxx", ".c++", ".C", ".c", ".cp", ".CPP"};
  return !word.starts_with("-") &&
         std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) { return word.ends_with(ending); });
}

// One command for each source that the line compiles.
void add_commands(const Json& line, std::vector<CompileCommand>& commands) {
  const std::filesystem::path directory = line.value("directory", std::string());
  const auto arguments = line.value("arguments", std::vector<std::string>());
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const bool is_value = arguments[i - 1] == "-o" || arguments[i - 1] == "-include" || arguments[i - 1] == "-MF";
    if (is_value || !is_source(arguments[i])) continue;
    commands.push_back({directory, (directory / arguments[i]).lexically_normal(), arguments});
  }
}

Result<int> run_build(const std::vector<std::string>& build, const std::filesystem::path& scratch) {
  ProcessOrder order(build);
  // The build may be a compiler itself: a single command.
  std::error_code error;
  if (std::filesystem::exists(scratch / kNames / build[0], error)) order.file = scratch / kNames / build[0];
  order.environment = {fmt::format("PATH={}:{}", (scratch / kNames).string(), search_path()),
                       fmt::format("{}={}", kCaptureVariable, scratch.string())};
  order.advice = "give the command that builds your program: ravel weave --capture FILE -- make";
  auto process = Process::start(order);
  if (!process.is_ok()) return process.status();
  return exit_code(process.value().wait());
}

}  // namespace

const std::vector<std::string>& compiler_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = {"cc", "c++", "CC"};
    for (const std::string base : {"gcc", "g++", "clang", "clang++"}) {
      all.push_back(base);
      for (int version = 9; version <= 22; ++version) all.push_back(fmt::format("{}-{}", base, version));
    }
    for (const char* const base : {"gcc", "g++"}) all.push_back(fmt::format("x86_64-linux-gnu-{}", base));
    return all;
  }();
  return names;
}

Result<CompileCommands> capture_build(const std::vector<std::string>& build, const std::string& ravel) {
  const auto made = TemporaryDirectory::make("ravel-capture");
  if (!made.is_ok()) return made.status();
  const std::filesystem::path& scratch = made.value().path();
  const std::filesystem::path names = scratch / kNames;
  std::error_code error;
  std::filesystem::create_directory(names, error);
  for (const std::string& name : compiler_names()) {
    // Only compilers that exist: a build may check which ones there are.
    if (!error && !find_in_path(name, names.string()).empty())
      std::filesystem::create_symlink(ravel, names / name, error);
  }
  if (error) {
    return Status::trouble("cannot make a temporary directory for the names of compilers",
                           "check TMPDIR, and the space there");
  }
  const auto code = run_build(build, scratch);
  if (!code.is_ok()) return code.status();
  if (code.value() != 0) {
    return Status::trouble(fmt::format("the build failed: {} ended with exit code {}", build[0], code.value()),
                           "its output above says why; it must succeed before it can be watched");
  }
  std::vector<CompileCommand> commands;
  std::ifstream log(scratch / kLog);
  for (std::string text; std::getline(log, text);) {
    const Json line = Json::parse(text, nullptr, false);
    if (line.is_object()) add_commands(line, commands);
  }
  if (commands.empty()) {
    return Status::trouble("the build compiled nothing that could be seen",
                           "start from a clean tree; a build that calls its compilers by their full path must write "
                           "compile_commands.json itself (CMake: -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)");
  }
  return CompileCommands(std::move(commands));
}

bool is_captured_compiler(int argc, char** argv) {
  if (argc < 1 || std::getenv(kCaptureVariable) == nullptr) return false;
  const std::string name = std::filesystem::path(argv[0]).filename().string();
  return std::find(compiler_names().begin(), compiler_names().end(), name) != compiler_names().end();
}

int become_compiler(int argc, char** argv) {
  const std::filesystem::path scratch = std::getenv(kCaptureVariable);
  const std::string name = std::filesystem::path(argv[0]).filename().string();
  const std::string compiler = find_in_path(name, (scratch / kNames).string());
  if (compiler.empty()) {
    std::fprintf(stderr, "ravel: there is no compiler %s in PATH\n", name.c_str());
    return 127;
  }
  std::vector<std::string> arguments(argv, argv + argc);
  arguments[0] = compiler;
  std::error_code error;
  const Json line = {{"directory", std::filesystem::current_path(error).string()}, {"arguments", arguments}};
  const std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  // A single write to a file opened for appending: lines of compilers that run concurrently do not mix.
  const FileDescriptor log(::open((scratch / kLog).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!log.valid() || ::write(log.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    std::fprintf(stderr, "ravel: cannot record the command of %s: %s\n", name.c_str(), std::strerror(errno));
  }
  // By its full path: gcc looks for its parts relative to the name it was called by.
  const Status status = become_process(ProcessOrder(arguments));
  std::fprintf(stderr, "ravel: %s\n", status.what().c_str());
  return 127;
}

}  // namespace ravel
