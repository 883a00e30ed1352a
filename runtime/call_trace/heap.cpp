// SPDX-License-Identifier: Apache-2.0
// The heap of traced sequences: blocks come one after the other and are never given out again. So a block is found by
// its address, what a call allocates lies behind everything that was there before, and sequences that begin with the
// same calls have the same addresses.
#include <sys/mman.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "runtime/call_trace/recorder.h"

namespace {

constexpr std::uint64_t kHeapBytes = std::uint64_t{4} << 30U;  // reserved, not used
constexpr std::uint64_t kMostBlocks = std::uint64_t{1} << 24U;

constinit std::uint64_t g_begin = 0;
constinit std::uint64_t g_next = 0;
constinit std::uint64_t* g_blocks = nullptr;  // their addresses, ascending
constinit std::uint64_t g_block_count = 0;

std::uint64_t reserve(std::uint64_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? 0 : reinterpret_cast<std::uint64_t>(memory);
}

// Both are in front of the block.
std::uint64_t& size_of(std::uint64_t block) { return *reinterpret_cast<std::uint64_t*>(block - 8); }
std::uint64_t& freed_mark(std::uint64_t block) { return *reinterpret_cast<std::uint64_t*>(block - 16); }

void* allocate(std::uint64_t bytes, std::uint64_t alignment) {
  if (g_begin == 0) {
    g_blocks = reinterpret_cast<std::uint64_t*>(reserve(kMostBlocks * sizeof(std::uint64_t)));
    g_begin = g_next = reserve(kHeapBytes);
  }
  if (alignment < 16) alignment = 16;
  const std::uint64_t block = (g_next + 16 + alignment - 1) & ~(alignment - 1);
  const bool fits = g_begin != 0 && bytes < kHeapBytes && block + bytes + 16 < g_begin + kHeapBytes;
  if (!fits || g_blocks == nullptr || g_block_count == kMostBlocks) {
    errno = ENOMEM;
    return nullptr;
  }
  size_of(block) = bytes;
  g_blocks[g_block_count++] = block;
  g_next = block + bytes;
  return reinterpret_cast<void*>(block);
}

}  // namespace

namespace ravel {

void begin_sequence_heap() {
  constexpr std::uint64_t kOfHarness = std::uint64_t{1} << 30U;
  if (g_begin != 0 && g_next < g_begin + kOfHarness) g_next = g_begin + kOfHarness;
}

std::uint64_t heap_end() { return g_next; }

bool find_block(std::uint64_t address, std::uint64_t& begin, std::uint64_t& size) {
  if (address < g_begin || address >= g_next) return false;
  std::uint64_t low = 0;
  std::uint64_t high = g_block_count;
  while (low < high) {
    const std::uint64_t middle = (low + high) / 2;
    if (g_blocks[middle] <= address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == 0) return false;
  begin = g_blocks[low - 1];
  size = size_of(begin);
  return address < begin + size || (size == 0 && address == begin);
}

bool is_freed(std::uint64_t address) {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
  return find_block(address, begin, size) && freed_mark(begin) != 0;
}

}  // namespace ravel

namespace {

// Who frees memory takes everything away that others read there. Twice is a crash.
void give_back(std::uint64_t block, std::uint64_t pc) {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
  if (!ravel::find_block(block, begin, size)) return;
  // Of a block that is gone, the record is where the sequence ends.
  if (ravel::is_recording() && (block < ravel::first_new_heap() || ravel::is_freed(block))) {
    ravel::record_range(ravel::CallEventKind::freed, reinterpret_cast<void*>(block), size, pc);
  }
  freed_mark(begin) = 1;
}

}  // namespace

RAVEL_CALLS_EXPORT void* malloc(std::size_t bytes) { return allocate(bytes, 16); }

RAVEL_CALLS_EXPORT void free(void* block) {
  if (block != nullptr && ravel::in_sequence()) give_back(reinterpret_cast<std::uint64_t>(block), RAVEL_CALLS_PC);
}
RAVEL_CALLS_EXPORT void* calloc(std::size_t count, std::size_t bytes) {
  std::size_t all = 0;
  if (__builtin_mul_overflow(count, bytes, &all)) return nullptr;
  return allocate(all, 16);  // fresh memory is zero
}
RAVEL_CALLS_EXPORT void* realloc(void* old, std::size_t bytes) {
  void* const block = allocate(bytes, 16);
  if (old == nullptr || block == nullptr) return block;
  const std::uint64_t had = size_of(reinterpret_cast<std::uint64_t>(old));
  std::memcpy(block, old, had < bytes ? had : bytes);
  if (ravel::in_sequence()) give_back(reinterpret_cast<std::uint64_t>(old), RAVEL_CALLS_PC);
  return block;
}
RAVEL_CALLS_EXPORT void* memalign(std::size_t alignment, std::size_t bytes) { return allocate(bytes, alignment); }
RAVEL_CALLS_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t bytes) { return allocate(bytes, alignment); }
RAVEL_CALLS_EXPORT int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
  *block = allocate(bytes, alignment);
  return *block == nullptr ? ENOMEM : 0;
}
RAVEL_CALLS_EXPORT std::size_t malloc_usable_size(void* block) {
  return block == nullptr ? 0 : size_of(reinterpret_cast<std::uint64_t>(block));
}
