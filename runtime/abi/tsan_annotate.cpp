// SPDX-License-Identifier: Apache-2.0
//
// The annotations from before tsan_interface.h (dynamic_annotations.h): each carries file and line of its use, which
// reports find from the return address anyway. Those that announce an order between tasks are scheduling points.
#include <cstddef>
#include <cstdint>

#include "runtime/abi/export.h"
#include "runtime/interpose/annotation_operations.h"
#include "runtime/interpose/memory_operations.h"
#include "runtime/interpose/points.h"

using ravel::IgnoredAccess;

#define RAVEL_ANNOTATE_EDGE(name, action, ...)                                                       \
  RAVEL_EXPORT void name(const char*, int, const volatile void* object __VA_OPT__(, ) __VA_ARGS__) { \
    ravel::annotated_##action(object, RAVEL_CALL_SITE);                                              \
  }
#define RAVEL_ANNOTATE_IGNORE(name, action, which) \
  RAVEL_EXPORT void name(const char*, int) { ravel::action(IgnoredAccess::which); }
// Annotations for other detectors, or that this one has no use for: races to expect, memory that is new, queues, and
// what the detector should print.
#define RAVEL_ANNOTATE_NOTHING(name, ...) \
  RAVEL_EXPORT void name(const char*, int __VA_OPT__(, ) __VA_ARGS__) {}

RAVEL_ANNOTATE_EDGE(AnnotateHappensBefore, release)
RAVEL_ANNOTATE_EDGE(AnnotateHappensAfter, acquire)
RAVEL_ANNOTATE_EDGE(WTFAnnotateHappensBefore, release)
RAVEL_ANNOTATE_EDGE(WTFAnnotateHappensAfter, acquire)
RAVEL_ANNOTATE_EDGE(AnnotateCondVarSignal, release)
RAVEL_ANNOTATE_EDGE(AnnotateCondVarSignalAll, release)
RAVEL_ANNOTATE_EDGE(AnnotateCondVarWait, acquire, const volatile void*)
RAVEL_ANNOTATE_EDGE(AnnotatePCQPut, release)
RAVEL_ANNOTATE_EDGE(AnnotatePCQGet, acquire)

RAVEL_EXPORT void AnnotateRWLockAcquired(const char*, int, const volatile void* lock, long is_writer) {
  ravel::annotation_point(lock, RAVEL_CALL_SITE);
  ravel::annotated_lock_taken(lock, is_writer == 0);
}

RAVEL_EXPORT void AnnotateRWLockReleased(const char*, int, const volatile void* lock, long is_writer) {
  ravel::annotation_point(lock, RAVEL_CALL_SITE);
  ravel::annotated_lock_given_up(lock, is_writer == 0);
}

RAVEL_EXPORT void AnnotateRWLockDestroy(const char*, int, const volatile void* lock) {
  ravel::annotation_point(lock, RAVEL_CALL_SITE);
  ravel::annotated_lock_gone(lock);
}

RAVEL_ANNOTATE_IGNORE(AnnotateIgnoreReadsBegin, ignore_begin, reads)
RAVEL_ANNOTATE_IGNORE(AnnotateIgnoreReadsEnd, ignore_end, reads)
RAVEL_ANNOTATE_IGNORE(AnnotateIgnoreWritesBegin, ignore_begin, writes)
RAVEL_ANNOTATE_IGNORE(AnnotateIgnoreWritesEnd, ignore_end, writes)

RAVEL_ANNOTATE_NOTHING(AnnotateIgnoreSyncBegin)
RAVEL_ANNOTATE_NOTHING(AnnotateIgnoreSyncEnd)
RAVEL_ANNOTATE_NOTHING(AnnotateRWLockCreate, const volatile void*)
RAVEL_ANNOTATE_NOTHING(AnnotateRWLockCreateStatic, const volatile void*)
RAVEL_ANNOTATE_NOTHING(AnnotateMutexIsUsedAsCondVar, const volatile void*)
RAVEL_ANNOTATE_NOTHING(AnnotateMutexIsNotPHB, const volatile void*)
RAVEL_ANNOTATE_NOTHING(AnnotatePCQCreate, const volatile void*)
RAVEL_ANNOTATE_NOTHING(AnnotatePCQDestroy, const volatile void*)
RAVEL_ANNOTATE_NOTHING(AnnotatePublishMemoryRange, const volatile void*, std::size_t)
RAVEL_ANNOTATE_NOTHING(AnnotateUnpublishMemoryRange, const volatile void*, std::size_t)
RAVEL_ANNOTATE_NOTHING(AnnotateNewMemory, const volatile void*, std::size_t)
RAVEL_ANNOTATE_NOTHING(AnnotateMemoryIsInitialized, const volatile void*, std::size_t)
RAVEL_ANNOTATE_NOTHING(AnnotateMemoryIsUninitialized, const volatile void*, std::size_t)
RAVEL_ANNOTATE_NOTHING(AnnotateTraceMemory, const volatile void*)
RAVEL_ANNOTATE_NOTHING(AnnotateBenignRace, const volatile void*, const char*)
RAVEL_ANNOTATE_NOTHING(AnnotateBenignRaceSized, const volatile void*, std::size_t, const char*)
RAVEL_ANNOTATE_NOTHING(WTFAnnotateBenignRaceSized, const volatile void*, std::size_t, const char*)
RAVEL_ANNOTATE_NOTHING(AnnotateExpectRace, const volatile void*, const char*)
RAVEL_ANNOTATE_NOTHING(AnnotateFlushExpectedRaces)
RAVEL_ANNOTATE_NOTHING(AnnotateFlushState)
RAVEL_ANNOTATE_NOTHING(AnnotateEnableRaceDetection, int)
RAVEL_ANNOTATE_NOTHING(AnnotateNoOp, const volatile void*)

RAVEL_EXPORT void AnnotateThreadName(const char*, int, const char* name) { ravel::name_current_task(name); }

// Valgrind is not here; a program that asks how much slower it runs gets TSan's answer.
RAVEL_EXPORT int RunningOnValgrind() { return 0; }
RAVEL_EXPORT double ValgrindSlowdown() { return 10.0; }

// "pure_happens_before" and whatever else: what TSan says.
RAVEL_EXPORT const char* ThreadSanitizerQuery(const char* query) {
  return query != nullptr && __builtin_strcmp(query, "pure_happens_before") == 0 ? "1" : "0";
}
