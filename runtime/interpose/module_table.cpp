// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/module_table.h"

#include <link.h>
#include <stdio.h>

namespace ravel {
namespace {

struct Writing {
  Channel& channel;
  std::uint32_t count = 0;
};

// When the table in the channel was written. Any thread of a parallel run may find it out of date: one writes at a
// time.
struct ModuleTable {
  std::uint64_t changes = 0;  // modules added and removed until then
  std::uint32_t being_written = 0;
};
constinit ModuleTable g_module_table;

std::uint64_t changes_of(const dl_phdr_info& info) { return info.dlpi_adds + info.dlpi_subs; }

int add_module(dl_phdr_info* info, std::size_t, void* argument) {
  auto& writing = *static_cast<Writing*>(argument);
  g_module_table.changes = changes_of(*info);
  if (writing.count == kMaxModules) return 1;
  std::uint64_t low = ~std::uint64_t{0};
  std::uint64_t high = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    const std::uint64_t start = info->dlpi_addr + header.p_vaddr;
    if (start < low) low = start;
    if (start + header.p_memsz > high) high = start + header.p_memsz;
  }
  if (high == 0) return 0;
  ModuleRecord& record = writing.channel.launch.module[writing.count];
  record.start = low;
  record.end = high;
  record.bias = info->dlpi_addr;
  snprintf(record.path, sizeof record.path, "%s", info->dlpi_name);
  ++writing.count;
  return 0;
}

int has_changed(dl_phdr_info* info, std::size_t, void*) { return changes_of(*info) != g_module_table.changes ? 2 : 1; }

}  // namespace

void write_modules(Channel& channel) {
  Writing writing{channel};
  dl_iterate_phdr(&add_module, &writing);
  channel.launch.modules = writing.count;
}

void refresh_modules(Channel& channel) {
  std::uint32_t nobody = 0;
  if (!__atomic_compare_exchange_n(&g_module_table.being_written, &nobody, 1U, false, __ATOMIC_ACQUIRE,
                                   __ATOMIC_RELAXED))
    return;
  if (dl_iterate_phdr(&has_changed, nullptr) == 2) write_modules(channel);
  __atomic_store_n(&g_module_table.being_written, 0U, __ATOMIC_RELEASE);
}

}  // namespace ravel
