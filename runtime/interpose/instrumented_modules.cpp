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
constinit Range g_range[kMost] = {};
constinit std::uint32_t g_count = 0;

}  // namespace

void add_instrumented_module(std::uint64_t pc) {
  if (is_instrumented(pc) || g_count == kMost) return;
  dl_find_object found{};
  if (_dl_find_object(reinterpret_cast<void*>(pc), &found) != 0) return;
  g_range[g_count++] = {reinterpret_cast<std::uint64_t>(found.dlfo_map_start),
                        reinterpret_cast<std::uint64_t>(found.dlfo_map_end)};
}

bool is_instrumented(std::uint64_t pc) {
  for (std::uint32_t i = 0; i < g_count; ++i) {
    if (g_range[i].start <= pc && pc < g_range[i].end) return true;
  }
  return false;
}

}  // namespace ravel
