// SPDX-License-Identifier: Apache-2.0
#include "driver/sources/analyzer.h"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

namespace ravel {

Result<std::string> find_analyzer() {
  std::error_code error;
  const auto analyzer = std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "ravel-analyzer";
  if (std::filesystem::exists(analyzer, error)) return analyzer.string();
  return Status::trouble(fmt::format("ravel-analyzer is not at {}", analyzer.string()),
                         "it needs Clang's libraries when Ravel is built: install libclang-19-dev and llvm-19-dev, and "
                         "build again");
}

}  // namespace ravel
