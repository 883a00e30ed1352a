// SPDX-License-Identifier: Apache-2.0
// mmap and its relatives: the real ones, and word of what changes hands. What is unmapped is given up before, because
// another thread may get the memory at once.
#include <stdarg.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>

#include "runtime/abi/export.h"
#include "runtime/interpose/mapping_operations.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/resident/residence.h"

using namespace ravel;

RAVEL_EXPORT void* mmap(void* wanted, size_t bytes, int protection, int flags, int descriptor, off_t offset) noexcept {
  void* const start = real().mmap(wanted, bytes, protection, flags, descriptor, offset);
  if (start != MAP_FAILED) mapping_changes(start, bytes);
  return start;
}

RAVEL_EXPORT void* mmap64(void* wanted, size_t bytes, int protection, int flags, int descriptor,
                          off64_t offset) noexcept {
  void* const start = real().mmap64(wanted, bytes, protection, flags, descriptor, offset);
  if (start != MAP_FAILED) mapping_changes(start, bytes);
  return start;
}

RAVEL_EXPORT int munmap(void* start, size_t bytes) noexcept {
  mapping_changes(start, bytes);
  return real().munmap(start, bytes);
}

// The address to move to is there only with MREMAP_FIXED; what libc reads otherwise is not used by the kernel, either.
RAVEL_EXPORT void* mremap(void* start, size_t old_bytes, size_t bytes, int flags, ...) noexcept {
  va_list arguments;
  va_start(arguments, flags);
  void* const wanted = (flags & MREMAP_FIXED) != 0 ? va_arg(arguments, void*) : nullptr;
  va_end(arguments);
  mappings_may_differ();
  void* const moved = real().mremap(start, old_bytes, bytes, flags, wanted);
  if (moved != MAP_FAILED) mapping_moved(start, old_bytes, moved, bytes);
  return moved;
}

RAVEL_EXPORT int madvise(void* start, size_t bytes, int advice) noexcept {
  cannot_be_put_back();  // pages that it empties do not count as written
  const int result = real().madvise(start, bytes, advice);
  if (result == 0 && (advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE)) {
    mapping_emptied(start, bytes);
  }
  return result;
}

RAVEL_EXPORT void* shmat(int segment, const void* wanted, int flags) noexcept {
  cannot_be_put_back();
  void* const start = real().shmat(segment, wanted, flags);
  shmid_ds description{};
  if (start != reinterpret_cast<void*>(-1) && shmctl(segment, IPC_STAT, &description) == 0) {
    segment_attached(start, description.shm_segsz);
  }
  return start;
}

RAVEL_EXPORT int shmdt(const void* start) noexcept {
  cannot_be_put_back();
  segment_goes(start);
  return real().shmdt(start);
}
