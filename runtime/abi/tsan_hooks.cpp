// SPDX-License-Identifier: Apache-2.0
//
// The life cycle of the TSan runtime as instrumented modules see it, and the hooks that a program may define for it to
// call. Those are weak here: the program's own take precedence.
#include <cstddef>
#include <cstdint>

#include "runtime/abi/export.h"
#include "runtime/interpose/annotation_operations.h"
#include "runtime/interpose/points.h"

#define RAVEL_EXPORT_WEAK extern "C" __attribute__((visibility("default"), weak))

RAVEL_EXPORT_WEAK void __tsan_on_initialize() {}
RAVEL_EXPORT_WEAK int __tsan_on_finalize(int failed) { return failed; }
RAVEL_EXPORT_WEAK void __tsan_on_report(void*) {}
RAVEL_EXPORT_WEAK void __tsan_test_only_on_fork() {}
RAVEL_EXPORT_WEAK const char* __tsan_default_options() { return ""; }
RAVEL_EXPORT_WEAK const char* __tsan_default_suppressions() { return ""; }
RAVEL_EXPORT_WEAK const char* __tsan_symbolize_external(std::uintptr_t, char*, std::size_t, char*, std::size_t, int*,
                                                        int*) {
  return nullptr;
}
RAVEL_EXPORT_WEAK void __tsan_symbolize_external_ex(std::uintptr_t, void (*)(void*, const char*, const char*, int, int),
                                                    void*) {}

// Every instrumented module calls this from its first constructor, and programs linked by gcc also before that of any
// library, Ravel's own included. The program is told once, at the first call.
RAVEL_EXPORT void __tsan_init() {
  static constinit bool told = false;
  ravel::note_instrumented_module(RAVEL_CALL_SITE);
  if (told) return;
  told = true;
  __tsan_on_initialize();
}

// Requests to free memory of the race detector, and for a thread that will be idle for long: nothing is kept for
// either.
RAVEL_EXPORT void __tsan_flush_memory() {}
RAVEL_EXPORT void __tsan_on_thread_idle() {}
