// SPDX-License-Identifier: Apache-2.0
// The allocation functions of C. They go to glibc's allocator under the names it keeps for callers like us: looking
// them up would itself allocate. An allocator the program brings as a library is thus not used under Ravel, which also
// keeps the memory layout the same in every execution.
#include <errno.h>
#include <malloc.h>
#include <stddef.h>
#include <unistd.h>

#include "runtime/abi/export.h"
#include "runtime/interpose/heap_operations.h"

extern "C" {
void* __libc_malloc(size_t size);                  // NOLINT: glibc's names
void* __libc_calloc(size_t count, size_t size);    // NOLINT
void* __libc_realloc(void* block, size_t size);    // NOLINT
void* __libc_memalign(size_t align, size_t size);  // NOLINT
void __libc_free(void* block);                     // NOLINT
}

namespace {

void* handed_out(void* block) {
  // The usable size, not the one asked for: the rest of the block changes hands, too.
  if (block != nullptr) ravel::heap_block_allocated(block, malloc_usable_size(block));
  return block;
}

bool is_power_of_two(size_t value) { return value != 0 && (value & (value - 1)) == 0; }

}  // namespace

RAVEL_EXPORT void* malloc(size_t size) { return handed_out(__libc_malloc(size)); }
RAVEL_EXPORT void* calloc(size_t count, size_t size) { return handed_out(__libc_calloc(count, size)); }
RAVEL_EXPORT void free(void* block) { __libc_free(block); }

RAVEL_EXPORT void* realloc(void* block, size_t size) {
  void* moved = __libc_realloc(block, size);
  return moved == block ? moved : handed_out(moved);
}

RAVEL_EXPORT void* reallocarray(void* block, size_t count, size_t size) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return realloc(block, bytes);
}

RAVEL_EXPORT void* memalign(size_t align, size_t size) { return handed_out(__libc_memalign(align, size)); }
RAVEL_EXPORT void* aligned_alloc(size_t align, size_t size) { return handed_out(__libc_memalign(align, size)); }

RAVEL_EXPORT int posix_memalign(void** result, size_t align, size_t size) {
  if (!is_power_of_two(align) || align % sizeof(void*) != 0) return EINVAL;
  const int saved_errno = errno;
  void* block = handed_out(__libc_memalign(align, size));
  errno = saved_errno;
  if (block == nullptr) return ENOMEM;
  *result = block;
  return 0;
}

RAVEL_EXPORT void* valloc(size_t size) { return handed_out(__libc_memalign(static_cast<size_t>(getpagesize()), size)); }

RAVEL_EXPORT void* pvalloc(size_t size) {
  const auto page = static_cast<size_t>(getpagesize());
  size_t rounded = 0;
  if (__builtin_add_overflow(size, page - 1, &rounded)) {
    errno = ENOMEM;
    return nullptr;
  }
  return handed_out(__libc_memalign(page, rounded / page * page));
}
