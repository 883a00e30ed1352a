// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/raw_pages.h"

#include <sys/mman.h>

#include <cstdint>

#include "base/raw_syscall.h"

namespace ravel {

namespace {

// Small reservations come from one large one, made at the first of them: before the fork, where there is one. So an
// execution that needs a table changes memory, which can be put back, and no mappings.
constexpr std::size_t kPage = 4096;
constexpr std::size_t kMostSmall = std::size_t{512} << 10;
constexpr std::size_t kPoolBytes = std::size_t{64} << 20;
constexpr std::size_t kPageTableReach = std::size_t{2} << 20;  // memory that has a page table in common
struct Pool {
  char* start = nullptr;  // at the beginning of a page table, so that the first tables share one
  std::size_t used = 0;
};
constinit Pool g_pool;  // used by any thread

void* map_pages(std::size_t bytes) {
  const long length = static_cast<long>(bytes);
  const long flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  const long start = raw_syscall(SYS_mmap, 0, length, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (start < 0) return nullptr;
  raw_syscall(SYS_madvise, start, length, MADV_NOHUGEPAGE);  // only advice: a kernel without huge pages refuses it
  return reinterpret_cast<void*>(start);
}

char* pool_start() {
  char* start = __atomic_load_n(&g_pool.start, __ATOMIC_ACQUIRE);
  if (start != nullptr) return start;
  char* const mapped = static_cast<char*>(map_pages(kPoolBytes + kPageTableReach));
  if (mapped == nullptr) return nullptr;
  char* const fresh = mapped + (-reinterpret_cast<std::uintptr_t>(mapped) & (kPageTableReach - 1));
  if (__atomic_compare_exchange_n(&g_pool.start, &start, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return fresh;
  raw_syscall(SYS_munmap, reinterpret_cast<long>(mapped), static_cast<long>(kPoolBytes + kPageTableReach));
  return start;
}

void* take_small(std::size_t bytes) {
  char* const start = pool_start();
  if (start == nullptr) return nullptr;
  const std::size_t size = (bytes + kPage - 1) & ~(kPage - 1);
  const std::size_t at = __atomic_fetch_add(&g_pool.used, size, __ATOMIC_RELAXED);
  if (at + size > kPoolBytes) return nullptr;
  if (size == kPage) start[at] = 0;  // there at once
  return start + at;
}

}  // namespace

void* reserve_pages(std::size_t bytes) {
  void* const small = bytes <= kMostSmall ? take_small(bytes) : nullptr;
  return small != nullptr ? small : map_pages(bytes);
}

void release_pages(void* start, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(start);
  const auto pool = reinterpret_cast<std::uintptr_t>(g_pool.start);
  if (g_pool.start != nullptr && address >= pool && address < pool + kPoolBytes) return;
  raw_syscall(SYS_munmap, reinterpret_cast<long>(start), static_cast<long>(bytes));
}

}  // namespace ravel
