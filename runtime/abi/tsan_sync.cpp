// SPDX-License-Identifier: Apache-2.0
//
// tsan_interface.h: what the program says about locks of its own making and about accesses to leave alone.
//
// The announcement of a lock, unlock or signal is a scheduling point; the word that it has happened is not, as nothing
// is about to happen. The atomics such a lock is made of stay points: a task that spins in it must be able to give way.
#include "runtime/abi/export.h"
#include "runtime/interpose/annotation_operations.h"
#include "runtime/interpose/memory_operations.h"
#include "runtime/interpose/points.h"

using ravel::IgnoredAccess;

#define RAVEL_ANNOTATED_POINT(name, ...)                                     \
  RAVEL_EXPORT void __tsan_##name(void* object __VA_OPT__(, ) __VA_ARGS__) { \
    ravel::annotation_point(object, RAVEL_CALL_SITE);                        \
  }
#define RAVEL_ANNOTATED_EDGE(name) \
  RAVEL_EXPORT void __tsan_##name(void* object) { ravel::annotated_##name(object, RAVEL_CALL_SITE); }
#define RAVEL_NO_POINT(name, ...) \
  RAVEL_EXPORT void __tsan_##name(void*, __VA_ARGS__) {}

// Flags of tsan_interface.h.
constexpr unsigned kReadLock = 1U << 3;
constexpr unsigned kTryLockFailed = 1U << 5;

RAVEL_ANNOTATED_EDGE(acquire)
RAVEL_ANNOTATED_EDGE(release)
RAVEL_ANNOTATED_POINT(mutex_pre_lock, unsigned)
RAVEL_ANNOTATED_POINT(mutex_pre_signal, unsigned)

RAVEL_EXPORT void __tsan_mutex_create(void* object, unsigned) { ravel::annotated_lock_gone(object); }

RAVEL_EXPORT void __tsan_mutex_destroy(void* object, unsigned) {
  ravel::annotation_point(object, RAVEL_CALL_SITE);
  ravel::annotated_lock_gone(object);
}

RAVEL_EXPORT void __tsan_mutex_post_lock(void* object, unsigned flags, int) {
  if ((flags & kTryLockFailed) == 0) ravel::annotated_lock_taken(object, (flags & kReadLock) != 0);
}

RAVEL_NO_POINT(mutex_post_unlock, unsigned)
RAVEL_NO_POINT(mutex_post_signal, unsigned)
RAVEL_NO_POINT(mutex_pre_divert, unsigned)
RAVEL_NO_POINT(mutex_post_divert, unsigned)

// Returns how many levels of a recursive lock are given up; the program only hands the number back to post_lock.
RAVEL_EXPORT int __tsan_mutex_pre_unlock(void* object, unsigned flags) {
  ravel::annotation_point(object, RAVEL_CALL_SITE);
  ravel::annotated_lock_given_up(object, (flags & kReadLock) != 0);
  return 1;
}

RAVEL_EXPORT void __tsan_check_no_mutexes_held() { ravel::expect_no_locks_held(RAVEL_CALL_SITE); }

RAVEL_EXPORT void __tsan_ignore_thread_begin() {
  ravel::ignore_begin(IgnoredAccess::reads);
  ravel::ignore_begin(IgnoredAccess::writes);
}

RAVEL_EXPORT void __tsan_ignore_thread_end() {
  ravel::ignore_end(IgnoredAccess::reads);
  ravel::ignore_end(IgnoredAccess::writes);
}
