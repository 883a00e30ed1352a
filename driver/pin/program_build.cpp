// SPDX-License-Identifier: Apache-2.0
#include "driver/pin/program_build.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "driver/process/environment.h"
#include "driver/process/run_process.h"
#include "driver/target/program_libraries.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kClangVersion = "clang version ";
constexpr const char* kInstrumented = "-fsanitize=thread";

bool is_source(const std::string& word) {
  static constexpr std::array<std::string_view, 7> kEndings = {".c", ".cc", ".cpp", ".cxx", ".C", ".c++", ".cp"};
  const std::string ending = fs::path(word).extension().string();
  return std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
}

bool is_linked(const std::string& word) {
  const std::string ending = fs::path(word).extension().string();
  return ending == ".o" || ending == ".a" || ending == ".so" || word.find(".so.") != std::string::npos;
}

// Options whose value is the next word: those that only matter for linking and for where the result goes, and the
// others.
bool takes_value_away(const std::string& word) {
  static constexpr std::array<std::string_view, 9> kOptions = {"-o", "-MF", "-MT",      "-MQ",     "-L",
                                                               "-l", "-T",  "-Xlinker", "-dumpdir"};
  return std::find(kOptions.begin(), kOptions.end(), word) != kOptions.end();
}
bool takes_value(const std::string& word) {
  static constexpr std::array<std::string_view, 14> kOptions = {"-I",      "-D",         "-U", "-include", "-isystem",
                                                                "-iquote", "-idirafter", "-x", "-Xclang",  "-mllvm",
                                                                "--param", "-target",    "-B", "-imacros"};
  return std::find(kOptions.begin(), kOptions.end(), word) != kOptions.end();
}

bool links_too(const std::string& word) {
  static constexpr std::array<std::string_view, 9> kBeginnings = {
      "-fsanitize", "-m", "-pthread", "-stdlib=", "-fuse-ld=", "--target=", "-flto", "-fopenmp", "-shared-libsan"};
  if (word == "-mllvm") return false;  // of the compiler alone, and its value is the next word
  return word == "-pie" || word == "-no-pie" ||
         std::any_of(kBeginnings.begin(), kBeginnings.end(), [&](std::string_view b) { return word.starts_with(b); });
}

// Words that only matter for linking or for dependency files, and sources: the one that is compiled comes last.
bool is_left_out(const std::string& word) {
  if (!word.starts_with("-")) return is_linked(word) || is_source(word);
  return word == "-c" || word == "-MD" || word == "-MMD" || word == "-MP" || word.starts_with("-l") ||
         word.starts_with("-L") || word.starts_with("-Wl,");
}

// "ccache g++", "ravel c++": all words before the first option or source.
std::size_t compiler_words(const CompileCommand& command) {
  std::size_t count = 1;
  while (count < command.arguments.size() && !command.arguments[count].starts_with("-") &&
         !is_source(command.arguments[count])) {
    ++count;
  }
  return count;
}

// What the distribution compiled into every program: the start of the C runtime.
bool is_of_the_system(const ProgramSource& source) {
  const std::string file = source.file.string();
  return file.starts_with("/usr/") || file.ends_with(".S") || file.find("/sysdeps/") != std::string::npos ||
         file.find("/csu/") != std::string::npos || file.find("/libgcc/") != std::string::npos;
}

// "Debian clang version 19.1.7 (3~deb12u1) /usr/lib/llvm-19/bin/clang --driver-mode=g++ -g -O1 a.cpp -o a" -> the
// command. Clang notes it only if asked to (-grecord-command-line). Otherwise the command is a guess: macros and
// directories of headers are missing, and the newest of the usual languages includes the others but for details.
CompileCommand command_of_clang(const ProgramSource& source, bool instrumented) {
  CompileCommand command{source.directory, source.file, {}};
  // Only blanks and backslashes are escaped.
  std::string text;
  for (const char c : source.producer) text += c == '"' || c == '\'' ? fmt::format("\\{}", c) : std::string(1, c);
  const std::vector<std::string> words = split_command(text);
  const auto compiler = std::find_if(words.begin(), words.end(), [](const std::string& word) {
    return word.starts_with("/") && word.find("clang") != std::string::npos;
  });
  if (compiler != words.end()) {
    command.arguments.assign(compiler, words.end());
    return command;
  }
  const bool cplusplus = source.file.extension() != ".c";
  const std::string name = cplusplus ? "clang++" : "clang";
  const std::size_t version = source.producer.find(kClangVersion) + kClangVersion.size();
  const std::string of_version = fmt::format("{}-{}", name, std::atoi(source.producer.c_str() + version));
  command.arguments = {find_in_path(of_version).empty() ? name : of_version, "-g"};
  if (cplusplus) command.arguments.emplace_back("-std=gnu++20");
  if (instrumented) command.arguments.emplace_back(kInstrumented);
  command.arguments.insert(command.arguments.end(), {"-c", source.file.string()});
  return command;
}

// "GNU C++17 12.2.0 -mtune=generic -g -O1" -> the command.
bool command_from(const ProgramSource& source, bool instrumented, CompileCommand& command) {
  if (source.producer.find(kClangVersion) != std::string::npos) {
    command = command_of_clang(source, instrumented);
    return true;
  }
  const bool cplusplus = source.producer.starts_with("GNU C++");
  if (!cplusplus && !source.producer.starts_with("GNU C")) return false;
  std::vector<std::string> words = split_command(source.producer);
  command = {source.directory, source.file, {cplusplus ? "c++" : "cc"}};
  for (std::size_t i = 3; i < words.size(); ++i) {
    if (words[i].starts_with("-")) command.arguments.push_back(words[i]);
  }
  command.arguments.emplace_back("-c");
  command.arguments.push_back(source.file.string());
  return true;
}

// A list of commands may be that of a plain build, while the program was built by `ravel c++`: the copy would see no
// memory. What the compiler noted of its code generation holds then.
void instrument_as(const ProgramSource& source, bool instrumented, CompileCommand& command) {
  std::vector<std::string>& words = command.arguments;
  if (!instrumented || std::find(words.begin(), words.end(), kInstrumented) != words.end()) return;
  const auto compiler_end = words.begin() + static_cast<std::ptrdiff_t>(compiler_words(command));
  const auto is_ravel = [](const std::string& word) { return fs::path(word).filename() == "ravel"; };
  if (std::any_of(words.begin(), compiler_end, is_ravel)) return;
  if (!source.producer.starts_with("GNU C")) {
    words.emplace_back(kInstrumented);
    return;
  }
  std::vector<std::string> noted = split_command(source.producer);
  if (std::find(noted.begin(), noted.end(), kInstrumented) == noted.end()) return;
  std::erase_if(noted, [](const std::string& word) { return !word.starts_with("-f") && !word.starts_with("-O"); });
  words.insert(words.end(), noted.begin(), noted.end());
}

// Keeps its output, including errors. A compiler that is interrupted leaves its temporary files: they go to `out`.
Result<RunEnd> compile(const std::vector<std::string>& words, const fs::path& directory, const BuildOptions& options) {
  ProcessOrder order(words);
  order.directory = directory.string();
  order.environment = {"TMPDIR=" + options.out.string()};
  RunSettings settings;
  settings.errors = true;
  settings.deadline = options.deadline;
  return run_process(order, settings);
}

Status failed(const std::string& what, const std::string& output, const std::string& advice) {
  // The first error is enough.
  std::string_view text = output;
  const std::size_t error = text.find("error");
  const std::size_t undefined = text.find("undefined reference");
  std::size_t at = std::min(error, undefined);
  if (at == std::string_view::npos) at = 0;
  const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at) + 1;
  text = text.substr(begin, text.find('\n', at) - begin);
  return Status::trouble(fmt::format("{}{}{}", what, text.empty() ? "" : ": ", text), advice);
}

}  // namespace

Result<std::vector<ProgramSource>> sources_of(const std::string& program) {
  const ElfFile file(program);
  if (!file.is_elf()) return Status::trouble(fmt::format("cannot read {}", program), "build it again");
  std::vector<ProgramSource> sources = program_sources(file);
  std::erase_if(sources, is_of_the_system);
  if (sources.empty()) {
    return Status::trouble(
        fmt::format("{} has no debug information, so Ravel cannot tell which sources it is made of", program),
        "compile it with -g, and record the schedule again");
  }
  return sources;
}

Result<CompileCommands> commands_of(const std::vector<ProgramSource>& sources, const CompileCommands* known,
                                    bool instrumented) {
  std::vector<CompileCommand> commands;
  std::set<fs::path> done;
  for (const ProgramSource& source : sources) {
    std::error_code error;
    const fs::path file = fs::weakly_canonical(source.file, error);
    if (!done.insert(file).second) continue;
    const CompileCommand* mine = nullptr;
    if (known != nullptr) {
      for (const CompileCommand& command : known->all()) {
        if (command.file == source.file || fs::weakly_canonical(command.file, error) == file) mine = &command;
      }
      if (mine == nullptr) {
        return Status::trouble(fmt::format("compile_commands.json has no command for {}, which is part of the program",
                                           source.file.string()),
                               "name the file of the right build: --compile-commands FILE");
      }
      commands.push_back(*mine);
      instrument_as(source, instrumented, commands.back());
      continue;
    }
    CompileCommand command;
    if (!command_from(source, instrumented, command)) {
      return Status::trouble(fmt::format("Ravel cannot tell how {} is compiled", source.file.string()),
                             kCommandsAdvice);
    }
    if (!fs::exists(source.file, error)) {
      return Status::trouble(fmt::format("the source {} does not exist", source.file.string()),
                             "run ravel pin where the program was built");
    }
    commands.push_back(std::move(command));
  }
  return CompileCommands(std::move(commands));
}

std::vector<std::string> compile_words(const CompileCommand& command, const std::string& object) {
  const std::vector<std::string>& words = command.arguments;
  std::vector<std::string> result;
  const std::size_t compiler = compiler_words(command);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (i >= compiler && takes_value_away(word)) {
      ++i;
      continue;
    }
    if (i >= compiler && is_left_out(word)) continue;
    result.push_back(word);
    if (i >= compiler && takes_value(word) && i + 1 < words.size()) result.push_back(words[++i]);
  }
  result.insert(result.end(), {"-c", command.file.string(), "-o", object});
  return result;
}

Result<std::string> build_program(const std::vector<CompileCommand>& commands, const BuildOptions& options) {
  std::error_code error;
  fs::create_directories(options.out, error);
  std::vector<std::string> objects;
  std::vector<std::string> flags;
  bool instrumented = false;
  for (const CompileCommand& command : commands) {
    const std::string object = (options.out / fmt::format("{}.o", objects.size())).string();
    const auto done = compile(compile_words(command, object), command.directory, options);
    if (!done.is_ok()) return done.status();
    if (done.value().code() != 0) {
      return failed(fmt::format("{} does not compile", command.file.string()), done.value().output, kCommandsAdvice);
    }
    objects.push_back(object);
    for (const std::string& word : command.arguments) {
      if (links_too(word) && std::find(flags.begin(), flags.end(), word) == flags.end()) flags.push_back(word);
      instrumented = instrumented || word == kInstrumented;
    }
  }
  const CompileCommand& first = commands.front();
  std::vector<std::string> words;
  std::string compiler;
  for (std::size_t i = 0; i < compiler_words(first); ++i) compiler += (i > 0 ? " " : "") + first.arguments[i];
  // One C++ source makes it a C++ program.
  for (const CompileCommand& command : commands) {
    if (command.file.extension() == ".c") continue;
    compiler.clear();
    for (std::size_t i = 0; i < compiler_words(command); ++i) compiler += (i > 0 ? " " : "") + command.arguments[i];
  }
  if (instrumented) {
    // Links as `ravel c++` does: Ravel's runtime in place of ThreadSanitizer's.
    words = {"env", "RAVEL_CXX=" + compiler, options.ravel, "c++"};
    std::erase(flags, std::string(kInstrumented));
  } else {
    words = split_command(compiler);
  }
  words.insert(words.end(), flags.begin(), flags.end());
  words.insert(words.end(), objects.begin(), objects.end());
  words.push_back(options.sync_library);
  const auto libraries = list_libraries(options.program);
  if (!libraries.is_ok()) return libraries.status();
  for (const ProgramLibrary& library : libraries.value()) {
    if (library.runtime || library.path.empty() || library.name.starts_with("libravel")) continue;
    words.push_back(library.path);
    words.push_back("-Wl,-rpath," + fs::path(library.path).parent_path().string());
  }
  words.insert(words.end(), options.link.begin(), options.link.end());
  const std::string program = (options.out / fs::path(options.program).filename()).string();
  words.insert(words.end(), {"-pthread", "-o", program});
  const auto done = compile(words, first.directory, options);
  if (!done.is_ok()) return done.status();
  if (done.value().code() != 0) {
    return failed(fmt::format("{} cannot be linked again", options.program), done.value().output,
                  "add what is missing: --link '-Lsomewhere -lsomething'");
  }
  return program;
}

}  // namespace ravel
