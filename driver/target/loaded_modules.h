// SPDX-License-Identifier: Apache-2.0
// LoadedModules: the program and libraries that a target has loaded. Turns its code addresses into places in files, and
// names its code and data.
//
// Who calls it: RunningProgram, and NoiseCampaign for all its runs together. Thread safety: none; one thread at a time.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driver/target/module_map.h"
#include "reports/symboliser.h"

namespace ravel {

class LoadedModules {
 public:
  explicit LoadedModules(std::string executable) : executable_(std::move(executable)), map_(executable_, {}) {}

  // Takes over a target's table. True when the table changed: anything derived from addresses is then invalid.
  bool refresh(std::span<const ModuleRecord> now);

  std::size_t size() const { return records_.size(); }
  const ModuleMap& map() const { return map_; }

  // Created on first use and kept: reading debug information takes longer than an execution.
  Symboliser& symboliser();

 private:
  std::string executable_;
  std::vector<ModuleRecord> records_;
  ModuleMap map_;
  std::optional<Symboliser> symboliser_;
};

}  // namespace ravel
