// SPDX-License-Identifier: Apache-2.0
// What the architecture tests know about the tree: its files and the layer table that CMake exported.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace ravel::testing {

inline std::filesystem::path source_root() { return RAVEL_SOURCE_DIR; }
inline std::filesystem::path build_root() { return RAVEL_BINARY_DIR; }

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

inline std::vector<std::string> read_lines(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

struct Layer {
  std::string folder;
  std::string side;             // driver, target, both or shared: see cmake/layers.cmake
  std::set<std::string> uses;   // every folder it may include, itself among them
  std::set<std::string> links;  // libraries from outside the project, under the names of the table
};

// The rows of cmake/layers.cmake, as written to layers.txt in the build directory.
inline std::map<std::string, Layer> read_layers() {
  std::map<std::string, Layer> layers;
  for (const std::string& line : read_lines(build_root() / "layers.txt")) {
    std::istringstream row(line);
    std::string cell;
    Layer layer;
    std::getline(row, cell, ':');
    std::istringstream(cell) >> layer.folder >> layer.side;
    for (std::set<std::string>* const words : {&layer.uses, &layer.links}) {
      std::getline(row, cell, ':');
      std::istringstream text(cell);
      for (std::string word; text >> word;) words->insert(word);
    }
    layers[layer.folder] = layer;
  }
  return layers;
}

// The folders at the top of the tree that hold layers: "base", "runtime", ...
inline std::set<std::string> product_folders() {
  std::set<std::string> folders;
  for (const auto& [folder, layer] : read_layers()) folders.insert(folder.substr(0, folder.find('/')));
  return folders;
}

// Files of `folder` itself, not of its sub-folders, with one of the given extensions.
inline std::vector<std::filesystem::path> files_in(const std::string& folder, const std::set<std::string>& extensions) {
  std::vector<std::filesystem::path> files;
  const std::filesystem::path directory = source_root() / folder;
  if (!std::filesystem::is_directory(directory)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.is_regular_file() && extensions.contains(entry.path().extension())) files.push_back(entry.path());
  }
  return files;
}

inline std::string relative_to_root(const std::filesystem::path& path) {
  return std::filesystem::relative(path, source_root()).string();
}

}  // namespace ravel::testing
