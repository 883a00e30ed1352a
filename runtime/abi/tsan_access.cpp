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

// The first access of a task after another one has run, or an access outside executions.
template <unsigned kBytes, OperationKind kKind>
[[gnu::noinline]] void access_by_another(std::uint64_t address, std::uint64_t pc) {
  if (ravel::take_over_fast_path()) return ravel::access_in_order<kBytes, kKind>(address, pc);
  ravel::memory_access(address, kBytes, kKind, pc);
}

template <unsigned kBytes, OperationKind kKind>
[[gnu::always_inline]] inline void access(const void* place, std::uint64_t pc) {
  const std::uint64_t address = ravel::address_of(place);
  if (ravel::fast_path_is_current()) [[likely]]
    return ravel::access_in_order<kBytes, kKind>(address, pc);
  if (ravel::free_running()) return ravel::free_access(address, kBytes, kKind, pc);
  access_by_another<kBytes, kKind>(address, pc);
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
