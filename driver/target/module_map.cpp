// SPDX-License-Identifier: Apache-2.0
#include "driver/target/module_map.h"

#include <algorithm>

namespace ravel {

std::uint32_t ModuleNames::index_of(const std::string& path) {
  const auto found = std::find(paths_.begin(), paths_.end(), path);
  if (found != paths_.end()) return static_cast<std::uint32_t>(found - paths_.begin());
  paths_.push_back(path);
  return static_cast<std::uint32_t>(paths_.size() - 1);
}

ModuleMap::ModuleMap(const std::string& program, std::span<const ModuleRecord> records) {
  modules_.reserve(records.size());
  for (const ModuleRecord& record : records) {
    modules_.push_back({record.start, record.end, record.bias, record.path[0] == '\0' ? program : record.path});
  }
}

CodeLocation ModuleMap::location(std::uint64_t pc, ModuleNames& names) const {
  for (const Module& module : modules_) {
    if (pc >= module.start && pc < module.end) return {names.index_of(module.path), pc - module.bias};
  }
  return {names.index_of(kNoModule), pc};
}

std::optional<std::uint64_t> ModuleMap::address(const CodeLocation& location,
                                                std::span<const std::string> paths) const {
  if (location.module >= paths.size()) return std::nullopt;
  const std::string& path = paths[location.module];
  if (path == kNoModule) return location.offset;
  for (const Module& module : modules_) {
    if (module.path == path) return location.offset + module.bias;
  }
  return std::nullopt;
}

}  // namespace ravel
