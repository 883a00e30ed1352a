// SPDX-License-Identifier: Apache-2.0
// SiteList: the code locations whose accesses are scheduling points, in the order in which they were found. They are
// stored as places in files, which mean the same in every target of a program.
//
// Who calls it: RunningProgram has one for its target; CampaignState has the one that all workers add to. Thread
// safety: none; CampaignState guards its list with its lock.
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

  // The locations of a schedule. `executable` is the path of its program now.
  SiteList(std::string executable, const Schedule& schedule);

  std::size_t size() const { return sites_.size(); }

  // Adds an address of a target with these modules. True when it is new.
  bool add(std::uint64_t pc, const ModuleMap& modules) { return add(modules.location(pc, names_)); }

  // Appends what a longer list has beyond this one. This list must be a prefix of it.
  void catch_up_with(const SiteList& longer);

  // In a target with these modules; nullopt when it has not loaded the file.
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
