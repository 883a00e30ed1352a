// SPDX-License-Identifier: Apache-2.0
// The allocation functions of C. They go to glibc's allocator under the names it keeps for callers like us: looking
// them up would itself allocate. An allocator the program brings as a library is thus not used under Ravel, which also
// keeps the memory layout the same in every execution. Those of C++ are in heap_new.cpp.
#include <errno.h>
#include <stddef.h>
#include <unistd.h>

#include "runtime/abi/export.h"
#include "runtime/interpose/free_running.h"
#include "runtime/interpose/heap_operations.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"

extern "C" {
void* __libc_malloc(size_t size);                  // NOLINT: glibc's names
void* __libc_calloc(size_t count, size_t size);    // NOLINT
void* __libc_realloc(void* block, size_t size);    // NOLINT
void* __libc_memalign(size_t align, size_t size);  // NOLINT
void __libc_free(void* block);                     // NOLINT
}

namespace {

using ravel::HeapContents;
using ravel::HeapKind;

void* handed_out(void* block, size_t size, ravel::CallSite pc, HeapContents contents = HeapContents::none) {
  if (ravel::free_running()) ravel::free_allocation(reinterpret_cast<std::uint64_t>(block), size);
  return ravel::runtime_active() ? ravel::heap_allocated(block, size, HeapKind::malloc, pc, contents) : block;
}

void* resized(void* block, size_t size, ravel::CallSite pc) {
  if (ravel::runtime_active()) return ravel::heap_reallocate(block, size, pc);
  const auto before = reinterpret_cast<std::uint64_t>(block);
  void* const now = __libc_realloc(block, size);
  const auto after = reinterpret_cast<std::uint64_t>(now);
  if (ravel::free_running() && after != before) ravel::free_allocation(after, size);
  return now;
}

bool is_power_of_two(size_t value) { return value != 0 && (value & (value - 1)) == 0; }

}  // namespace

RAVEL_EXPORT void* malloc(size_t size) { return handed_out(__libc_malloc(size), size, RAVEL_CALL_SITE); }

RAVEL_EXPORT void* calloc(size_t count, size_t size) {
  return handed_out(__libc_calloc(count, size), count * size, RAVEL_CALL_SITE, HeapContents::zeroes);
}

RAVEL_EXPORT void free(void* block) {
  if (ravel::runtime_active() && block != nullptr) {
    ravel::heap_free(block, HeapKind::malloc, ravel::kAnySize, RAVEL_CALL_SITE);
  } else {
    __libc_free(block);
  }
}

RAVEL_EXPORT void* realloc(void* block, size_t size) { return resized(block, size, RAVEL_CALL_SITE); }

RAVEL_EXPORT void* reallocarray(void* block, size_t count, size_t size) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return resized(block, bytes, RAVEL_CALL_SITE);
}

RAVEL_EXPORT void* memalign(size_t align, size_t size) {
  return handed_out(__libc_memalign(align, size), size, RAVEL_CALL_SITE);
}
RAVEL_EXPORT void* aligned_alloc(size_t align, size_t size) {
  return handed_out(__libc_memalign(align, size), size, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int posix_memalign(void** result, size_t align, size_t size) {
  if (!is_power_of_two(align) || align % sizeof(void*) != 0) return EINVAL;
  const int saved_errno = errno;
  void* block = handed_out(__libc_memalign(align, size), size, RAVEL_CALL_SITE);
  errno = saved_errno;
  if (block == nullptr) return ENOMEM;
  *result = block;
  return 0;
}

RAVEL_EXPORT void* valloc(size_t size) {
  return handed_out(__libc_memalign(static_cast<size_t>(getpagesize()), size), size, RAVEL_CALL_SITE);
}

RAVEL_EXPORT void* pvalloc(size_t size) {
  const auto page = static_cast<size_t>(getpagesize());
  size_t rounded = 0;
  if (__builtin_add_overflow(size, page - 1, &rounded)) {
    errno = ENOMEM;
    return nullptr;
  }
  rounded = rounded / page * page;
  return handed_out(__libc_memalign(page, rounded), rounded, RAVEL_CALL_SITE);
}

// An allocator that the program brings as a library has one too, which would answer for blocks it never made.
RAVEL_EXPORT size_t malloc_usable_size(void* block) { return ravel::real().malloc_usable_size(block); }
