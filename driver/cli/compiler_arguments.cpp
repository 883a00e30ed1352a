// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/compiler_arguments.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace ravel {
namespace {

// Options whose operand is the next word, so that it is not mistaken for an input. A missing one is harmless unless its
// operand ends like a source file.
constexpr std::array kTakesOperand = {"-o",
                                      "-x",
                                      "-I",
                                      "-D",
                                      "-U",
                                      "-L",
                                      "-l",
                                      "-B",
                                      "-T",
                                      "-u",
                                      "-z",
                                      "-e",
                                      "-A",
                                      "-G",
                                      "-include",
                                      "-imacros",
                                      "-isystem",
                                      "-iquote",
                                      "-idirafter",
                                      "-iprefix",
                                      "-iwithprefix",
                                      "-isysroot",
                                      "-MF",
                                      "-MT",
                                      "-MQ",
                                      "-MJ",
                                      "-Xlinker",
                                      "-Xassembler",
                                      "-Xpreprocessor",
                                      "-Xclang",
                                      "-mllvm",
                                      "-aux-info",
                                      "--param",
                                      "-target",
                                      "--sysroot",
                                      "-wrapper",
                                      "-dumpbase",
                                      "-dumpdir",
                                      "-dumpbase-ext",
                                      "-arch",
                                      "-cxx-isystem",
                                      "-include-pch",
                                      "-iwithprefixbefore",
                                      "-rpath",
                                      "-gcc-toolchain",
                                      "-serialize-diagnostics"};

// Passes of gcc that merge two loads into one, or drop a store that another overwrites.
constexpr std::array kGccKeepsAccesses = {
    "-O1",           "-fno-tree-fre",     "-fno-tree-pre",     "-fno-gcse", "-fno-tree-dominator-opts",
    "-fno-tree-dse", "-fno-tree-loop-im", "-fno-code-hoisting"};

enum class Role { option, input_source, input_other, language };

struct Word {
  Role role = Role::option;
  std::vector<std::string> text;  // an option with its operand, or one input
  std::string language;           // of a source: what -x said, empty for "by its name"
};

bool is_source_name(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || (slash != std::string_view::npos && dot < slash)) return false;
  constexpr std::array kExtensions = {"c", "i", "ii", "cc", "cp", "cxx", "cpp",  "CPP", "c++",
                                      "C", "s", "S",  "sx", "m",  "mm",  "cppm", "ixx"};
  const std::string_view extension = name.substr(dot + 1);
  return std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end();
}

bool is_header_name(std::string_view name) {
  for (const std::string_view end : {".h", ".hpp", ".hh", ".hxx", ".H"}) {
    if (name.ends_with(end)) return true;
  }
  return false;
}

// Options that the wrapper sets itself.
bool is_replaced(const std::string& word) {
  return word == "-fsanitize=thread" || word == "-flto" || word.starts_with("-flto=") || word == "-fwhole-program" ||
         word == "-static-libtsan" || word == "-shared-libsan" || word == "-static-libsan";
}

struct Parsed {
  std::vector<Word> words;
  bool stops_early = false;  // -c, -S, -E and the like: no link
  bool has_inputs = false;
  bool has_sources = false;
  bool has_headers = false;
  bool links_nothing_of_ours = false;  // -r: not a program or library yet
  bool optimises = false;
  bool writes_dependencies = false;  // -MD, -MMD
  bool names_dependencies = false;   // -MF
};

Parsed parse(const std::vector<std::string>& arguments) {
  Parsed parsed;
  std::string language;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (is_replaced(word)) continue;
    const bool is_option = word.size() > 1 && word[0] == '-';
    if (is_option) {
      const bool with_operand = std::find(kTakesOperand.begin(), kTakesOperand.end(), word) != kTakesOperand.end();
      Word entry;
      entry.text.push_back(word);
      if (with_operand && i + 1 < arguments.size()) entry.text.push_back(arguments[++i]);
      if (word.starts_with("-x")) {
        entry.role = Role::language;
        language = word == "-x" ? (entry.text.size() > 1 ? entry.text[1] : "") : word.substr(2);
        if (language == "none") language.clear();
      }
      if (word == "-c" || word == "-S" || word == "-E" || word == "-M" || word == "-MM" || word == "-fsyntax-only" ||
          word == "--precompile" || word == "-emit-llvm" || word == "-###") {
        parsed.stops_early = true;
      }
      if (word == "-r") parsed.links_nothing_of_ours = true;
      if (word == "-MD" || word == "-MMD") parsed.writes_dependencies = true;
      if (word == "-MF") parsed.names_dependencies = true;
      if (word.starts_with("-O")) parsed.optimises = word != "-O0";
      parsed.words.push_back(std::move(entry));
      continue;
    }
    Word entry;
    entry.text.push_back(word);
    entry.language = language;
    const bool is_source = !word.starts_with("@") && (!language.empty() || is_source_name(word));
    entry.role = is_source ? Role::input_source : Role::input_other;
    parsed.has_inputs = true;
    parsed.has_sources = parsed.has_sources || is_source;
    parsed.has_headers = parsed.has_headers || is_header_name(word);
    parsed.words.push_back(std::move(entry));
  }
  return parsed;
}

void append(std::vector<std::string>& to, const std::vector<std::string>& words) {
  to.insert(to.end(), words.begin(), words.end());
}

// First what the user may override (-g), last what must win (optimisation).
std::vector<std::string> leading_flags(CompilerFamily family, const CompilerAdditions& additions) {
  std::vector<std::string> flags = {"-g"};
  // After every directory of the user's.
  if (!additions.headers.empty()) append(flags, {"-idirafter", additions.headers});
  if (family == CompilerFamily::clang) flags.push_back("-gdwarf-aranges");  // libdw finds lines with them
  return flags;
}

std::vector<std::string> trailing_flags(CompilerFamily family, const Parsed& parsed) {
  std::vector<std::string> flags = {"-fsanitize=thread", "-fno-omit-frame-pointer"};
  if (family == CompilerFamily::gcc) {
    flags.push_back("-Wno-tsan");  // gcc warns that ThreadSanitizer does not know fences; Ravel does
    if (parsed.optimises) flags.insert(flags.end(), kGccKeepsAccesses.begin(), kGccKeepsAccesses.end());
  } else {
    flags.push_back("-Wno-unused-command-line-argument");
    // Otherwise only the write of `++n` is seen.
    append(flags, {"-mllvm", "-tsan-instrument-read-before-write=1"});
    if (parsed.optimises) append(flags, {"-O0", "-U_FORTIFY_SOURCE"});  // fortification needs optimisation
  }
  return flags;
}

// The runtime by path, and found at run time by the same path. Its name inside is libtsan.so.2.
std::vector<std::string> link_flags(const std::string& runtime) {
  return {runtime, "-Wl,-rpath," + std::filesystem::path(runtime).parent_path().string()};
}

CompilerCommand compile_as_given(CompilerFamily family, const Parsed& parsed, const CompilerAdditions& additions) {
  CompilerCommand command{leading_flags(family, additions)};
  for (const Word& word : parsed.words) append(command.arguments, word.text);
  append(command.arguments, trailing_flags(family, parsed));
  return command;
}

CompilerCommand compile_one(CompilerFamily family, const Parsed& parsed, const Word& source, const std::string& object,
                            const CompilerAdditions& additions) {
  CompilerCommand command{leading_flags(family, additions)};
  for (const Word& word : parsed.words) {
    if (word.role == Role::option && word.text[0] != "-o" && !word.text[0].starts_with("-o=")) {
      append(command.arguments, word.text);
    }
  }
  append(command.arguments, trailing_flags(family, parsed));
  if (parsed.writes_dependencies && !parsed.names_dependencies) {
    append(command.arguments, {"-MF", std::filesystem::path(source.text[0]).stem().string() + ".d"});
  }
  if (!source.language.empty()) append(command.arguments, {"-x", source.language});
  append(command.arguments, {"-c", source.text[0], "-o", object});
  return command;
}

CompilerCommand link(const Parsed& parsed, const std::vector<std::string>& objects, const std::string& runtime) {
  CompilerCommand command;
  std::size_t next = 0;
  for (const Word& word : parsed.words) {
    switch (word.role) {
      case Role::language:
        break;  // only objects are left
      case Role::input_source:
        command.arguments.push_back(objects[next++]);
        break;
      case Role::option:
      case Role::input_other:
        append(command.arguments, word.text);
        break;
    }
  }
  if (!parsed.links_nothing_of_ours) append(command.arguments, link_flags(runtime));
  return command;
}

}  // namespace

CompilerCommands plan_compilation(CompilerFamily family, const std::vector<std::string>& arguments,
                                  const CompilerAdditions& additions, const std::string& scratch) {
  const Parsed parsed = parse(arguments);
  CompilerCommands plan;
  if (!parsed.has_inputs) {  // --version and other questions
    plan.commands.push_back({arguments});
    return plan;
  }
  if (parsed.stops_early || (parsed.has_headers && !parsed.has_sources)) {
    plan.commands.push_back(compile_as_given(family, parsed, additions));
    return plan;
  }
  std::vector<std::string> objects;
  for (const Word& word : parsed.words) {
    if (word.role != Role::input_source) continue;
    const std::string object = scratch + "-" + std::to_string(objects.size()) + ".o";
    plan.commands.push_back(compile_one(family, parsed, word, object, additions));
    plan.temporaries.push_back(object);
    objects.push_back(object);
  }
  plan.commands.push_back(link(parsed, objects, additions.runtime));
  return plan;
}

bool names_source(const std::vector<std::string>& arguments) { return parse(arguments).has_sources; }

}  // namespace ravel
