// SPDX-License-Identifier: Apache-2.0
//
// tsan_interface.h: what the program says about its home-made locks and about accesses to ignore.
//
// The announcement of a lock, unlock or signal is a scheduling point; the message that it has happened is not, as
// nothing is about to happen. The atomics such a lock is made of stay points: a task that spins in it must be able to
// let others run. Its plain accesses between announcement and message are ignored, since the lock answers for them; but
// not where it diverts to code of others, such as a condition it evaluates.
#include "runtime/abi/export.h"
#include "runtime/interpose/annotation_operations.h"
#include "runtime/interpose/memory_operations.h"
#include "runtime/interpose/points.h"

using ravel::IgnoredAccess;

#define RAVEL_ANNOTATED_EDGE(name) \
  RAVEL_EXPORT void __tsan_##name(void* object) { ravel::annotated_##name(object, RAVEL_CALL_SITE); }

// Flags of tsan_interface.h.
constexpr unsigned kReadLock = 1U << 3;
constexpr unsigned kTryLockFailed = 1U << 5;

RAVEL_ANNOTATED_EDGE(acquire)
RAVEL_ANNOTATED_EDGE(release)

namespace {

void ignore_accesses() {
  ravel::ignore_begin(IgnoredAccess::reads);
  ravel::ignore_begin(IgnoredAccess::writes);
}

void heed_accesses() {
  ravel::ignore_end(IgnoredAccess::reads);
  ravel::ignore_end(IgnoredAccess::writes);
}

}  // namespace

RAVEL_EXPORT void __tsan_mutex_create(void* object, unsigned) { ravel::annotated_lock_gone(object); }

RAVEL_EXPORT void __tsan_mutex_destroy(void* object, unsigned) {
  ravel::annotation_point(object, RAVEL_CALL_SITE);
  ravel::annotated_lock_gone(object);
}

RAVEL_EXPORT void __tsan_mutex_pre_lock(void* object, unsigned) {
  ravel::annotation_point(object, RAVEL_CALL_SITE);
  ignore_accesses();
}

RAVEL_EXPORT void __tsan_mutex_post_lock(void* object, unsigned flags, int) {
  heed_accesses();
  if ((flags & kTryLockFailed) == 0) ravel::annotated_lock_taken(object, (flags & kReadLock) != 0);
}

// Returns how many levels of a recursive lock are given up; the program only hands the number back to post_lock.
RAVEL_EXPORT int __tsan_mutex_pre_unlock(void* object, unsigned flags) {
  ravel::annotation_point(object, RAVEL_CALL_SITE);
  ravel::annotated_lock_given_up(object, (flags & kReadLock) != 0);
  ignore_accesses();
  return 1;
}

RAVEL_EXPORT void __tsan_mutex_post_unlock(void*, unsigned) { heed_accesses(); }

RAVEL_EXPORT void __tsan_mutex_pre_signal(void* object, unsigned) {
  ravel::annotation_point(object, RAVEL_CALL_SITE);
  ignore_accesses();
}

RAVEL_EXPORT void __tsan_mutex_post_signal(void*, unsigned) { heed_accesses(); }

RAVEL_EXPORT void __tsan_mutex_pre_divert(void*, unsigned) { heed_accesses(); }
RAVEL_EXPORT void __tsan_mutex_post_divert(void*, unsigned) { ignore_accesses(); }

RAVEL_EXPORT void __tsan_check_no_mutexes_held() { ravel::expect_no_locks_held(RAVEL_CALL_SITE); }

RAVEL_EXPORT void __tsan_ignore_thread_begin() { ignore_accesses(); }
RAVEL_EXPORT void __tsan_ignore_thread_end() { heed_accesses(); }
