// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/raw_pages.h"

#include <sys/mman.h>

#include "base/raw_syscall.h"

namespace ravel {

void* reserve_pages(std::size_t bytes) {
  const bool single = bytes <= 4096;
  const long length = static_cast<long>(bytes);
  const long flags = MAP_PRIVATE | MAP_ANONYMOUS | (single ? MAP_POPULATE : MAP_NORESERVE);
  const long start = raw_syscall(SYS_mmap, 0, length, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (start < 0) return nullptr;
  // Only advice: a kernel without huge pages refuses it.
  if (!single) raw_syscall(SYS_madvise, start, length, MADV_NOHUGEPAGE);
  return reinterpret_cast<void*>(start);
}

void release_pages(void* start, std::size_t bytes) {
  raw_syscall(SYS_munmap, reinterpret_cast<long>(start), static_cast<long>(bytes));
}

}  // namespace ravel
