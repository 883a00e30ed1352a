// SPDX-License-Identifier: Apache-2.0
//
// Plain accesses of 1 to 16 bytes as the compilers announce them, before each is made. Alignment and volatile make no
// difference to the engine; compound is clang's form for a read followed by a write of the same place.
#include <cstdint>

#include "runtime/abi/export.h"
#include "runtime/interpose/free_running.h"
#include "runtime/interpose/memory_fast_path.h"
#include "runtime/interpose/memory_operations.h"
#include "runtime/interpose/points.h"

using ravel::OperationKind;

namespace {

template <unsigned kBytes, OperationKind kKind>
inline void access(const void* address, std::uint64_t pc) {
  if (ravel::access_in_order<kBytes, kKind != OperationKind::read>(ravel::address_of(address), pc)) [[likely]]
    return;
  if (ravel::free_running()) return ravel::free_access(ravel::address_of(address), kBytes, kKind, pc);
  ravel::memory_access(ravel::address_of(address), kBytes, kKind, pc);
}

}  // namespace

#define RAVEL_ACCESS(name, bytes, kind) \
  RAVEL_EXPORT void __tsan_##name(const void* address) { access<bytes, OperationKind::kind>(address, RAVEL_CALL_SITE); }

#define RAVEL_ACCESS_PC(name, bytes, kind)                              \
  RAVEL_EXPORT void __tsan_##name##_pc(const void* address, void* pc) { \
    access<bytes, OperationKind::kind>(address, ravel::address_of(pc)); \
  }

#define RAVEL_ACCESSES(bytes)                                  \
  RAVEL_ACCESS(read##bytes, bytes, read)                       \
  RAVEL_ACCESS(write##bytes, bytes, write)                     \
  RAVEL_ACCESS(read_write##bytes, bytes, read_write)           \
  RAVEL_ACCESS(volatile_read##bytes, bytes, read)              \
  RAVEL_ACCESS(volatile_write##bytes, bytes, write)            \
  RAVEL_ACCESS(unaligned_read##bytes, bytes, read)             \
  RAVEL_ACCESS(unaligned_write##bytes, bytes, write)           \
  RAVEL_ACCESS(unaligned_read_write##bytes, bytes, read_write) \
  RAVEL_ACCESS(unaligned_volatile_read##bytes, bytes, read)    \
  RAVEL_ACCESS(unaligned_volatile_write##bytes, bytes, write)  \
  RAVEL_ACCESS_PC(read##bytes, bytes, read)                    \
  RAVEL_ACCESS_PC(write##bytes, bytes, write)                  \
  RAVEL_ACCESS_PC(read_write##bytes, bytes, read_write)

RAVEL_ACCESSES(1)
RAVEL_ACCESSES(2)
RAVEL_ACCESSES(4)
RAVEL_ACCESSES(8)
RAVEL_ACCESSES(16)

// The pointer to the virtual functions of an object. Constructors and destructors store it again and again; a store of
// what is there already cannot be noticed.
RAVEL_EXPORT void __tsan_vptr_update(void** place, void* value) {
  if (*place != value) {
    ravel::memory_access(ravel::address_of(place), sizeof *place, OperationKind::write, RAVEL_CALL_SITE);
  }
}

RAVEL_EXPORT void __tsan_vptr_read(void** place) {
  ravel::memory_access(ravel::address_of(place), sizeof *place, OperationKind::read, RAVEL_CALL_SITE);
}
