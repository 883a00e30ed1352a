// SPDX-License-Identifier: Apache-2.0
// The tree is the architecture: a folder may include only what its row of cmake/layers.cmake lists.
#include <gtest/gtest.h>

#include <optional>
#include <regex>

#include "tests/architecture/source_tree.h"

namespace ravel::testing {
namespace {

struct Include {
  int line = 0;
  std::string path;
  bool quoted = false;
};

std::vector<Include> includes_of(const std::vector<std::string>& lines) {
  static const std::regex kInclude(R"re(^\s*#\s*include\s*([<"])([^>"]+)[>"])re");
  std::vector<Include> includes;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::smatch match;
    if (std::regex_search(lines[i], match, kInclude)) {
      includes.push_back({static_cast<int>(i) + 1, match[2].str(), match[1].str() == "\""});
    }
  }
  return includes;
}

// The layer a project include belongs to; nothing for headers from outside the project.
std::optional<std::string> folder_of(const std::map<std::string, Layer>& layers, const Include& include) {
  const std::string folder = std::filesystem::path(include.path).parent_path().string();
  if (folder == "ravel") return "include/ravel";
  if (layers.contains(folder)) return folder;
  if (include.quoted) return folder.empty() ? "." : folder;  // a quoted include is ours, whatever it names
  return std::nullopt;
}

std::vector<std::string> forbidden_includes(const std::map<std::string, Layer>& layers, const Layer& layer,
                                            const std::string& file, const std::vector<std::string>& lines) {
  // Standard headers that bring libstdc++ code into the target, which has none to link with.
  static const std::set<std::string> kNotInTarget = {"iostream", "fstream", "sstream",       "string",     "vector",
                                                     "map",      "thread",  "mutex",         "functional", "memory",
                                                     "regex",    "deque",   "unordered_map", "stdexcept"};
  std::vector<std::string> wrong;
  for (const Include& include : includes_of(lines)) {
    const std::string where = file + ":" + std::to_string(include.line) + ": ";
    const std::optional<std::string> folder = folder_of(layers, include);
    if (folder && !layer.uses.contains(*folder)) {
      wrong.push_back(where + "\"" + include.path + "\" is forbidden: " + layer.folder + " may not use " + *folder +
                      " (cmake/layers.cmake)");
    }
    if (!folder && layer.side == "target" && kNotInTarget.contains(include.path)) {
      wrong.push_back(where + "<" + include.path + "> is forbidden: code inside the target links no libstdc++");
    }
  }
  return wrong;
}

// The library that a header belongs to, under its name in the table; nothing for libc, libstdc++ and ours.
std::optional<std::string> library_of(const std::string& header) {
  static const std::map<std::string, std::string> kLibraries = {
      {"fmt", "fmt"},      {"nlohmann", "json"}, {"CLI", "cli11"},  {"clang", "clang"}, {"llvm", "clang"},
      {"elfutils", "elf"}, {"libelf.h", "elf"},  {"gelf.h", "elf"}, {"dwarf.h", "elf"},
  };
  const auto found = kLibraries.find(header.substr(0, header.find('/')));
  return found == kLibraries.end() ? std::nullopt : std::optional(found->second);
}

// A layer links what it includes, no less and no more. `files` are its own.
std::vector<std::string> wrong_links(const Layer& layer, const std::map<std::string, std::vector<std::string>>& files) {
  std::vector<std::string> wrong;
  std::set<std::string> included;
  for (const auto& [file, lines] : files) {
    for (const Include& include : includes_of(lines)) {
      const std::optional<std::string> library = library_of(include.path);
      if (!library || !included.insert(*library).second || layer.links.contains(*library)) continue;
      wrong.push_back(file + ":" + std::to_string(include.line) + ": <" + include.path + "> is of " + *library +
                      ", which " + layer.folder + " does not link (cmake/layers.cmake)");
    }
  }
  for (const std::string& library : layer.links) {
    if (!included.contains(library)) {
      wrong.push_back("cmake/layers.cmake: " + layer.folder + " links " + library + " but includes nothing of it");
    }
  }
  return wrong;
}

// Names of types that these headers define, each with the files that do. What is nested or in a source is left out.
std::map<std::string, std::vector<std::string>> types_of(
    const std::map<std::string, std::vector<std::string>>& headers) {
  static const std::regex kType(R"re(^(?:struct|class|union|enum class) (?:alignas\([^)]*\) )?(\w+)[^;]*$)re");
  std::map<std::string, std::vector<std::string>> types;
  for (const auto& [file, lines] : headers) {
    for (const std::string& line : lines) {
      std::smatch match;
      if (std::regex_match(line, match, kType)) types[match[1].str()].push_back(file);
    }
  }
  return types;
}

TEST(Architecture, TheLayerTableIsThere) {
  const auto layers = read_layers();
  EXPECT_GE(layers.size(), 14U);
  EXPECT_TRUE(layers.at("runtime/abi").uses.contains("runtime/scheduler"));
  EXPECT_FALSE(layers.at("runtime/scheduler").uses.contains("strategies"));
  EXPECT_FALSE(layers.at("driver/campaign").uses.contains("runtime/scheduler"));
}

TEST(Architecture, EveryFolderWithSourcesIsInTheTable) {
  const std::set<std::string> beside = {"benchmarks", "build", "cmake", "docs", "examples", "tests"};  // the product
  const auto layers = read_layers();
  for (const auto& top : std::filesystem::directory_iterator(source_root())) {
    const std::string name = top.path().filename();
    if (!top.is_directory() || name.starts_with('.') || beside.contains(name)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(top)) {
      const std::string extension = entry.path().extension();
      if (extension != ".cpp" && extension != ".h" && extension != ".S" && extension != ".c") continue;
      const std::string folder = relative_to_root(entry.path().parent_path());
      EXPECT_TRUE(layers.contains(folder))
          << relative_to_root(entry.path()) << " is in no layer: add " << folder << " to cmake/layers.cmake";
    }
  }
  EXPECT_TRUE(layers.contains("analysis/points")) << "also where it is not built";
}

TEST(Architecture, EveryIncludeIsAllowedByTheTable) {
  const auto layers = read_layers();
  for (const auto& [folder, layer] : layers) {
    for (const auto& path : files_in(folder, {".h", ".cpp", ".c", ".S", ".def"})) {
      for (const std::string& wrong : forbidden_includes(layers, layer, relative_to_root(path), read_lines(path))) {
        ADD_FAILURE() << wrong;
      }
    }
  }
}

TEST(Architecture, EveryLayerLinksWhatItIncludes) {
  for (const auto& [folder, layer] : read_layers()) {
    std::map<std::string, std::vector<std::string>> files;
    for (const auto& path : files_in(folder, {".h", ".cpp", ".def"})) files[relative_to_root(path)] = read_lines(path);
    for (const std::string& wrong : wrong_links(layer, files)) ADD_FAILURE() << wrong;
  }
  const Layer layer{"driver/x", "driver", {}, {"fmt", "json"}};
  const auto wrong = wrong_links(layer, {{"driver/x/a.cpp", {"#include <fmt/format.h>", "#include <gelf.h>"}}});
  EXPECT_EQ(wrong, (std::vector<std::string>{
                       "driver/x/a.cpp:2: <gelf.h> is of elf, which driver/x does not link (cmake/layers.cmake)",
                       "cmake/layers.cmake: driver/x links json but includes nothing of it"}));
}

// Two types of one name are one type for the linker, which keeps the destructor of either. The analyzer is a program of
// its own.
TEST(Architecture, EveryTypeOfAHeaderIsDefinedOnce) {
  for (const bool analyzer : {false, true}) {
    std::map<std::string, std::vector<std::string>> headers;
    for (const auto& [folder, layer] : read_layers()) {
      if (folder.starts_with("analysis/") != analyzer) continue;
      for (const auto& path : files_in(folder, {".h"})) headers[relative_to_root(path)] = read_lines(path);
    }
    for (const auto& [name, files] : types_of(headers)) {
      EXPECT_EQ(files.size(), 1U) << name << " is defined in " << files.front() << " and in " << files.back();
    }
  }
  const auto types =
      types_of({{"a.h", {"struct Place {", "class Step;"}}, {"b.h", {"struct alignas(8) Place {", "class Step {"}}});
  EXPECT_EQ(types.at("Place"), (std::vector<std::string>{"a.h", "b.h"}));
  EXPECT_EQ(types.at("Step"), std::vector<std::string>{"b.h"});
}

// The rule itself is tested: a checker that never fails would pass everything.
TEST(Architecture, AForbiddenIncludeIsNamedWithFileLineAndRule) {
  const auto layers = read_layers();
  const auto wrong = forbidden_includes(layers, layers.at("runtime/scheduler"), "runtime/scheduler/x.cpp",
                                        {"// text", "#include \"strategies/pos.h\"", "#include <cstdint>"});
  ASSERT_EQ(wrong.size(), 1U);
  EXPECT_EQ(wrong[0],
            "runtime/scheduler/x.cpp:2: \"strategies/pos.h\" is forbidden: runtime/scheduler may not use strategies "
            "(cmake/layers.cmake)");
  EXPECT_EQ(forbidden_includes(layers, layers.at("model"), "model/x.h", {"#include <ravel/strategy.h>"}).size(), 1U);
  EXPECT_EQ(forbidden_includes(layers, layers.at("model"), "model/x.h", {"#include \"task.h\""}).size(), 1U);
  EXPECT_EQ(forbidden_includes(layers, layers.at("runtime/abi"), "runtime/abi/x.cpp", {"#include <iostream>"}).size(),
            1U);
  EXPECT_TRUE(forbidden_includes(layers, layers.at("runtime/abi"), "runtime/abi/x.cpp",
                                 {"#include \"strategies/registry.h\"", "#include <pthread.h>"})
                  .empty());
}

}  // namespace
}  // namespace ravel::testing
