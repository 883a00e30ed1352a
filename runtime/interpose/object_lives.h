// SPDX-License-Identifier: Apache-2.0
// The lives of synchronisation objects. An object is over when it was destroyed, when its block was freed, or when the
// stack frame it lies in was left. Every operation on it from then on is wrong; that is one finding for each object,
// whatever the primitive.
//
// Who calls it: every primitive, when its operation takes effect; its init and destroy functions; the heap and the
// memory mappings, when memory goes away; the scheduler, when nobody can go on.
//
// What is known for certain:
//  - Destroyed: until it is initialised again. C++ objects and static initialisers make no call for that, so contents
//    that are exactly those of a static initialiser count as a new object. The destroy function leaves others.
//  - Freed: as HeapBlocks and the shadow have it.
//  - Left: the object lies below the stack pointer of a task that is parked in a call of the program, or on the stack
//    of a task that has ended. An object in a frame that is still there is alive, even when its scope was left.
//
// Thread safety: only the running task calls.
//
// Invariant: objects that are known to be alive are found with one look; they are forgotten when their memory goes.
#pragma once

#include <cstdint>

#include "runtime/interpose/points.h"

namespace ravel {

namespace internal {

struct KnownObject {
  std::uint64_t address;
  std::uint64_t owner;  // 1 + id of the task whose stack it lies on; 0: it lies elsewhere
};
constexpr unsigned kKnownObjectBits = 8;
extern constinit KnownObject g_known_objects[1U << kKnownObjectBits];

inline KnownObject& known_object(std::uint64_t address) {
  return g_known_objects[((address >> 3) ^ (address >> 12)) % (1U << kKnownObjectBits)];
}
bool may_use_slowly(const Operation& operation);

}  // namespace internal

// Is the object of the current task's operation alive? States a finding when it is not. The caller goes on as the real
// function would; but the execution ends here when that would change the frames of another task.
inline bool may_use(const Operation& operation) {
  const internal::KnownObject& known = internal::known_object(operation.object);
  // A task that uses what lies in its own frames is in them.
  if (known.address == operation.object && (known.owner == 0 || known.owner == scheduler().current().id + 1)) [[likely]]
    return true;
  return internal::may_use_slowly(operation);
}

// Before the fork, so that executions need not.
void prepare_object_lives();

// A new object begins here.
void object_created(const volatile void* object);

// The destroy function of the operation's object takes effect. `in_use`: against the rules, which has been stated; what
// follows from it is not.
void object_destroyed(const Operation& operation, bool in_use = false);

// Is there certainly an object that is not over? One look; false says nothing.
bool object_is_alive(std::uint64_t object);

// Is what a task wants or waits for over? Then what lies there says nothing, nobody will ever tell the task that it may
// go on, and it does best to find out for itself.
bool object_is_over(const Operation& pending);

// The memory is no longer what it was: freed, or unmapped.
void objects_gone(std::uint64_t start, std::uint64_t size);

}  // namespace ravel
