// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/code_patches.h"

namespace ravel {

std::uint8_t* NearMemory::take(std::uint64_t bytes) {
  bytes = (bytes + 15) & ~std::uint64_t{15};
  if (chunk_ == nullptr || used_ + bytes > kChunk) {
    // Below the module, where neither the heap nor libraries loaded later want to be.
    constexpr std::uint64_t kStep = 16U << 20;
    constexpr std::uint64_t kReach = std::uint64_t{1} << 30;
    chunk_ = nullptr;
    for (std::uint64_t distance = kStep; distance < kReach && distance < module_.start; distance += kStep) {
      const std::uint64_t wanted = (module_.start - distance) & ~(kPageBytes - 1);
      const long got = raw_syscall(SYS_mmap, static_cast<long>(wanted), kChunk, PROT_READ | PROT_WRITE | PROT_EXEC,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
      if (got != static_cast<long>(wanted)) continue;
      chunk_ = reinterpret_cast<std::uint8_t*>(wanted);
      used_ = 0;
      break;
    }
    if (chunk_ == nullptr) return nullptr;
  }
  std::uint8_t* const taken = chunk_ + used_;
  used_ += bytes;
  return taken;
}

Writable::Writable(const LoadedModule& module, const void* memory, std::uint64_t bytes) {
  const auto address = reinterpret_cast<std::uint64_t>(memory);
  first_ = address & ~(kPageBytes - 1);
  bytes_ = ((address + bytes + kPageBytes - 1) & ~(kPageBytes - 1)) - first_;
  for (std::uint32_t i = 0; i < module.headers; ++i) {
    const ElfW(Phdr)& header = module.header[i];
    const std::uint64_t start = module.bias + header.p_vaddr;
    if (address < start || address >= start + header.p_memsz) continue;
    if (header.p_type == PT_LOAD && (header.p_flags & PF_X) != 0) protection_ = PROT_READ | PROT_EXEC;
    if (header.p_type == PT_GNU_RELRO) protection_ = PROT_READ;
  }
  protect(PROT_READ | PROT_WRITE | (protection_ & PROT_EXEC));
}

}  // namespace ravel
