// SPDX-License-Identifier: Apache-2.0
#include "trace/schedule_hash.h"

#include <array>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "trace/schedule_format.h"

namespace ravel {

std::uint64_t hash_operations(std::span<const ScheduleStep> operations, std::span<const ScheduleModule> modules) {
  // Names, not numbers: a later version may renumber the enumerators, but the names never change.
  std::array<std::uint64_t, kOperationKinds> kinds;
  for (unsigned i = 0; i < kOperationKinds; ++i) {
    kinds[i] = schedule_checksum(operation_name(static_cast<OperationKind>(i)));
  }
  std::vector<std::uint64_t> files;
  files.reserve(modules.size());
  for (const ScheduleModule& module : modules) {
    const std::string_view path = module.path;
    files.push_back(files.empty() ? 0 : schedule_checksum(path.substr(path.rfind('/') + 1)));
  }

  std::uint64_t hash = 0;
  for (const ScheduleStep& step : operations) {
    hash = hash_mix(hash, step.task);
    hash = hash_mix(hash, kinds[static_cast<unsigned>(step.kind)]);
    hash = hash_mix(hash, step.where.module < files.size() ? files[step.where.module] : kUnknownModule);
    hash = hash_mix(hash, step.where.offset);
  }
  return hash;
}

}  // namespace ravel
