// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/changed_globals.h"

#include <link.h>
#include <sys/uio.h>

#include "base/raw_syscall.h"

namespace ravel {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;  // of the variables of a program: more would take long
constexpr std::uint64_t kChunk = 4096;
constexpr std::uint64_t kMostOfARun = 8;
using Part = std::uint32_t;

// Adds the parts that differ, each on its own: neighbours may be different variables. Of a long run the first ones.
void compare(Channel& channel, std::uint64_t start, const Part* before, std::uint64_t parts) {
  const auto* const now = reinterpret_cast<const Part*>(start);
  std::uint64_t run = 0;
  for (std::uint64_t i = 0; i < parts; ++i) {
    run = now[i] != before[i] ? run + 1 : 0;
    std::uint32_t& count = channel.result.changed_globals;
    if (run == 0 || run > kMostOfARun || count == kMaxChangedGlobals) continue;
    channel.result.changed_global[count++] = start + i * sizeof(Part);
  }
}

void compare_segment(Channel& channel, std::uint64_t start, std::uint64_t end) {
  Part before[kChunk / sizeof(Part)];
  start = (start + sizeof(Part) - 1) & ~(sizeof(Part) - 1);
  while (start + sizeof(Part) <= end) {
    const std::uint64_t bytes = (end - start < kChunk ? end - start : kChunk) & ~(sizeof(Part) - 1);
    const iovec here{before, bytes};
    const iovec there{reinterpret_cast<void*>(start), bytes};
    const long read = raw_syscall(SYS_process_vm_readv, channel.launch.server_pid, reinterpret_cast<long>(&here), 1,
                                  reinterpret_cast<long>(&there), 1, 0);
    if (read != static_cast<long>(bytes)) return;
    compare(channel, start, before, bytes / sizeof(Part));
    start += bytes;
  }
}

// The first module is the program itself.
int compare_program(dl_phdr_info* info, std::size_t, void* channel) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || (header.p_flags & PF_W) == 0 || header.p_memsz > kMostBytes) continue;
    const std::uint64_t start = info->dlpi_addr + header.p_vaddr;
    compare_segment(*static_cast<Channel*>(channel), start, start + header.p_memsz);
  }
  return 1;
}

}  // namespace

void list_changed_globals(Channel& channel) {
  if (channel.launch.forked == 0 || channel.launch.begun != 1) return;
  dl_iterate_phdr(&compare_program, &channel);
}

}  // namespace ravel
