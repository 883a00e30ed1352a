/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program can tell Ravel about itself. For C and C++. There is nothing to link: under Ravel the calls reach the
 * runtime, otherwise they do nothing.
 *
 *   ravel_choose(n)      Returns a number in [0, n). The search tries different ones; a replay gets the same one again.
 *                        For what the test environment would decide: the cache is cold or warm, the server answers or
 *                        not. Without Ravel it returns 0.
 *   ravel_fail(message)  Reports that something happened that must not: a finding of kind `user`. The
 *                        program continues.
 *   ravel_label(object, size, name)
 *                        Reports call this memory by the name, until it gets another one. At most 47 characters.
 *   ravel_sync_point(name)
 *                        A place where the search may switch to another thread, for code that Ravel does not see into:
 *                        all arrivals at sync points of one name are tried in different orders.
 *   ravel_begin_section(), ravel_end_section()
 *                        In between no other thread runs, unless this one has to wait: for code that is known to be
 *                        right and would only make the search larger. It orders nothing for the race detector.
 *
 * In C++ also as ravel::choose, ravel::fail, ravel::label(object, name), ravel::sync_point, and the class
 * ravel::atomic_section, whose objects are a section while they live.
 *
 * Order between threads that Ravel cannot see is annotated as for ThreadSanitizer: __tsan_release and __tsan_acquire,
 * from sanitizer/tsan_interface.h.
 *
 * Thread safety: any thread may call at any time, even before main.
 */
#ifndef RAVEL_ANNOTATIONS_H
#define RAVEL_ANNOTATIONS_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The runtime's functions are looked up by name, once per translation unit. A weak reference would be simpler, but in
 * programs that are not position-independent the linker resolves it to null before the runtime can be preloaded. */
#define RAVEL_UNSEEN __attribute__((unused, no_sanitize("thread")))

typedef uint32_t (*ravel_choose_function)(uint32_t options);
typedef void (*ravel_fail_function)(const char* message);
typedef void (*ravel_label_function)(const volatile void* object, size_t size, const char* name);
typedef void (*ravel_sync_point_function)(const char* name);
typedef void (*ravel_section_function)(int begins);

RAVEL_UNSEEN static inline void* ravel_look_up(void** kept, const char* name) {
  /* *kept == kept means: looked up, not there. */
  void* found = __atomic_load_n(kept, __ATOMIC_ACQUIRE);
  if (!found) {
    found = dlsym((void*)0 /* RTLD_DEFAULT, which C hides */, name);
    if (!found) found = (void*)kept;
    __atomic_store_n(kept, found, __ATOMIC_RELEASE);
  }
  return found == (void*)kept ? (void*)0 : found;
}

RAVEL_UNSEEN static inline uint32_t ravel_choose(uint32_t options) {
  static void* kept;
  void* const found = ravel_look_up(&kept, "ravel_runtime_choose");
  ravel_choose_function choose_in_runtime;
  __builtin_memcpy(&choose_in_runtime, &found, sizeof found);
  return choose_in_runtime ? choose_in_runtime(options) : 0;
}

RAVEL_UNSEEN static inline void ravel_fail(const char* message) {
  static void* kept;
  void* const found = ravel_look_up(&kept, "ravel_runtime_fail");
  ravel_fail_function fail_in_runtime;
  __builtin_memcpy(&fail_in_runtime, &found, sizeof found);
  if (fail_in_runtime) fail_in_runtime(message);
}

RAVEL_UNSEEN static inline void ravel_label(const volatile void* object, size_t size, const char* name) {
  static void* kept;
  void* const found = ravel_look_up(&kept, "ravel_runtime_label");
  ravel_label_function label_in_runtime;
  __builtin_memcpy(&label_in_runtime, &found, sizeof found);
  if (label_in_runtime) label_in_runtime(object, size, name);
}

RAVEL_UNSEEN static inline void ravel_sync_point(const char* name) {
  static void* kept;
  void* const found = ravel_look_up(&kept, "ravel_runtime_sync_point");
  ravel_sync_point_function point_in_runtime;
  __builtin_memcpy(&point_in_runtime, &found, sizeof found);
  if (point_in_runtime) point_in_runtime(name);
}

RAVEL_UNSEEN static inline void ravel_section(int begins) {
  static void* kept;
  void* const found = ravel_look_up(&kept, "ravel_runtime_section");
  ravel_section_function section_in_runtime;
  __builtin_memcpy(&section_in_runtime, &found, sizeof found);
  if (section_in_runtime) section_in_runtime(begins);
}
RAVEL_UNSEEN static inline void ravel_begin_section(void) { ravel_section(1); }
RAVEL_UNSEEN static inline void ravel_end_section(void) { ravel_section(0); }

#undef RAVEL_UNSEEN

#ifdef __cplusplus
}  // extern "C"

namespace ravel {
inline uint32_t choose(uint32_t options) { return ravel_choose(options); }
inline void fail(const char* message) { ravel_fail(message); }
template <typename Object>
void label(const Object& object, const char* name) {
  ravel_label(&object, sizeof object, name);
}
inline void sync_point(const char* name) { ravel_sync_point(name); }

class atomic_section {
 public:
  atomic_section() { ravel_begin_section(); }
  ~atomic_section() { ravel_end_section(); }
  atomic_section(const atomic_section&) = delete;
  atomic_section& operator=(const atomic_section&) = delete;
};
}  // namespace ravel
#endif

#endif  // RAVEL_ANNOTATIONS_H
