// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/instrumented_modules.h"

#include <dlfcn.h>

namespace ravel {
namespace {

constexpr std::uint32_t kMost = 64;
struct Range {
  std::uint64_t start;
  std::uint64_t end;
};

// The instrumented modules of the process. Each adds itself from its first constructor; read by any thread.
struct InstrumentedModules {
  Range range[kMost] = {};
  std::uint32_t count = 0;
};
constinit InstrumentedModules g_instrumented;

}  // namespace

void add_instrumented_module(std::uint64_t pc) {
  if (is_instrumented(pc) || g_instrumented.count == kMost) return;
  dl_find_object found{};
  if (_dl_find_object(reinterpret_cast<void*>(pc), &found) != 0) return;
  g_instrumented.range[g_instrumented.count++] = {reinterpret_cast<std::uint64_t>(found.dlfo_map_start),
                                                  reinterpret_cast<std::uint64_t>(found.dlfo_map_end)};
}

bool is_instrumented(std::uint64_t pc) {
  for (std::uint32_t i = 0; i < g_instrumented.count; ++i) {
    if (g_instrumented.range[i].start <= pc && pc < g_instrumented.range[i].end) return true;
  }
  return false;
}

}  // namespace ravel
