// SPDX-License-Identifier: Apache-2.0
#include "driver/target/loaded_modules.h"

#include <cstring>

namespace ravel {

bool LoadedModules::refresh(std::span<const ModuleRecord> now) {
  if (now.size() == records_.size() && std::memcmp(now.data(), records_.data(), now.size_bytes()) == 0) return false;
  records_.assign(now.begin(), now.end());
  map_ = ModuleMap(executable_, records_);
  symboliser_.reset();
  return true;
}

Symboliser& LoadedModules::symboliser() {
  if (!symboliser_) symboliser_.emplace(executable_, records_);
  return *symboliser_;
}

}  // namespace ravel
