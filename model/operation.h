// SPDX-License-Identifier: Apache-2.0
// Operation: what a task is about to do that another task could notice. Plain data, shared by driver and target.
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace ravel {

enum class OperationKind : std::uint8_t {
#define RAVEL_OPERATION(enumerator, name, role) enumerator,
#include "model/operation.def"
#undef RAVEL_OPERATION
};

inline constexpr unsigned kOperationKinds = 0
#define RAVEL_OPERATION(enumerator, name, role) +1
#include "model/operation.def"
#undef RAVEL_OPERATION
    ;

// How operations on the same object conflict: two conflict unless both only read.
enum class OperationRole : std::uint8_t {
  local,   // touches no object that another task can reach: conflicts with nothing
  reads,   // conflicts with writes and syncs on overlapping memory
  writes,  // conflicts with everything on overlapping memory
  syncs,   // conflicts with everything on the same object
};

// The memory orders of the TSan ABI, in its numbering.
enum class MemoryOrder : std::uint8_t { relaxed, consume, acquire, release, acq_rel, seq_cst };

// Operation::value of the second point of a futex_wait, where it ends. No 32-bit word can have this value.
inline constexpr std::uint64_t kFutexWaitEnds = ~std::uint64_t{0};

struct Operation {
  OperationKind kind = OperationKind::read;
  MemoryOrder order = MemoryOrder::seq_cst;
  std::uint16_t size = 0;  // bytes touched; 0 for synchronisation objects
  TaskId task = kNoTask;
  std::uint64_t object = 0;  // address in the target; for task_* operations the id of the other task
  std::uint64_t pc = 0;      // return address of the call that announced it
  std::uint64_t value = 0;   // written value, expected value, deadline: whatever the kind carries; 1 for a barrier that
                             // is left, a reader's unlock, a join that does not wait; of a call, how deep it is
};

// Tables outside the functions that use them: inside, the compiler would copy them to the stack at every call.
inline constexpr const char* kOperationNames[] = {
#define RAVEL_OPERATION(enumerator, name, role) name,
#include "model/operation.def"
#undef RAVEL_OPERATION
};
inline constexpr OperationRole kOperationRoles[] = {
#define RAVEL_OPERATION(enumerator, name, role) OperationRole::role,
#include "model/operation.def"
#undef RAVEL_OPERATION
};
constexpr const char* operation_name(OperationKind kind) { return kOperationNames[static_cast<unsigned>(kind)]; }
constexpr OperationRole operation_role(OperationKind kind) { return kOperationRoles[static_cast<unsigned>(kind)]; }

// True for loads and stores (plain or atomic), which touch [object, object + size).
constexpr bool is_memory_access(OperationKind kind) { return kind <= OperationKind::atomic_cas; }

// Operations on mutexes, read-write locks and spin locks: those that wait for the lock, those that only try, both
// together, and those that release it.
constexpr bool waits_for_lock(OperationKind kind) {
  switch (kind) {
    case OperationKind::mutex_lock:
    case OperationKind::mutex_timed_lock:
    case OperationKind::rwlock_read_lock:
    case OperationKind::rwlock_write_lock:
    case OperationKind::spin_lock:
      return true;
    default:
      return false;
  }
}
constexpr bool tries_lock(OperationKind kind) {
  return kind == OperationKind::mutex_try_lock || kind == OperationKind::rwlock_try_read_lock ||
         kind == OperationKind::rwlock_try_write_lock || kind == OperationKind::spin_try_lock;
}
constexpr bool takes_lock(OperationKind kind) { return waits_for_lock(kind) || tries_lock(kind); }
constexpr bool releases_lock(OperationKind kind) {
  return kind == OperationKind::mutex_unlock || kind == OperationKind::rwlock_unlock ||
         kind == OperationKind::spin_unlock;
}

// True when swapping the two (adjacent, by different tasks) may change what the program does.
constexpr bool conflict(const Operation& a, const Operation& b) {
  const OperationRole role_a = operation_role(a.kind);
  const OperationRole role_b = operation_role(b.kind);
  if (role_a == OperationRole::local || role_b == OperationRole::local) return false;
  if (role_a == OperationRole::reads && role_b == OperationRole::reads) return false;
  const std::uint64_t end_a = a.object + (a.size == 0 ? 1 : a.size);
  const std::uint64_t end_b = b.object + (b.size == 0 ? 1 : b.size);
  return a.object < end_b && b.object < end_a;
}

}  // namespace ravel
