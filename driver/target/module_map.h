// SPDX-License-Identifier: Apache-2.0
// ModuleMap: code addresses of one target <-> places that mean the same in every target: (file, link-time address). Who
// calls it: SiteList, to carry code locations from one target to another, and whatever writes and reads schedules.
// Thread safety: immutable after construction. ModuleNames is not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/schedule.h"
#include "trace/channel.h"

namespace ravel {

// The files that code locations refer to by index. Index 0 is always the program. Not thread-safe.
class ModuleNames {
 public:
  explicit ModuleNames(std::string program) : paths_{std::move(program)} {}
  std::uint32_t index_of(const std::string& path);
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  std::vector<std::string> paths_;
};

// Stands for code that is in no file (generated at run time).
inline constexpr const char* kNoModule = "[no file]";

class ModuleMap {
 public:
  ModuleMap(const std::string& program, std::span<const ModuleRecord> records);

  CodeLocation location(std::uint64_t pc, ModuleNames& names) const;

  // nullopt when this target has not loaded that file.
  std::optional<std::uint64_t> address(const CodeLocation& location, std::span<const std::string> paths) const;

  std::size_t size() const { return modules_.size(); }

 private:
  struct Module {
    std::uint64_t start;
    std::uint64_t end;
    std::uint64_t bias;
    std::string path;
  };
  std::vector<Module> modules_;
};

}  // namespace ravel
