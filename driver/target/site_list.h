// SPDX-License-Identifier: Apache-2.0
// SiteList: the code locations whose accesses are scheduling points, in the order in which they were learned. They are
// kept as places in files, which mean the same in every target of a program.
//
// Who calls it: RunningProgram has one for its target; CampaignState has the one that all workers add to. Thread
// safety: none; CampaignState's is guarded by its lock.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "driver/target/module_map.h"
#include "model/schedule.h"

namespace ravel {

class SiteList {
 public:
  explicit SiteList(std::string executable) : names_(std::move(executable)) {}

  // The locations that a schedule was recorded with, for the program as it is called now.
  SiteList(std::string executable, const Schedule& schedule);

  std::size_t size() const { return sites_.size(); }

  // An address in a target with these modules. True when it is new.
  bool add(std::uint64_t pc, const ModuleMap& modules) { return add(modules.location(pc, names_)); }

  // What a longer list has beyond this one, which is its beginning.
  void catch_up_with(const SiteList& longer);

  // In a target with these modules; nothing when it has not loaded the file.
  std::optional<std::uint64_t> address(std::size_t index, const ModuleMap& modules) const {
    return modules.address(sites_[index], names_.paths());
  }

 private:
  bool add(CodeLocation location);

  ModuleNames names_;
  std::vector<CodeLocation> sites_;
  std::set<std::pair<std::uint32_t, std::uint64_t>> known_;
};

}  // namespace ravel
