/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program may tell Ravel about itself. For C and C++; nothing to link: the calls reach the runtime when the
 * program runs under Ravel and do nothing otherwise.
 *
 *   ravel_choose(n)      a number in [0, n) that the search picks, and a replay picks again: for "the cache may be cold
 *                        or warm", "the server answers or not". 0 without Ravel.
 *   ravel_fail(message)  this must not happen: a finding of kind `user`. The program goes on.
 *
 * C++ may also say ravel::choose and ravel::fail.
 *
 * Thread safety: any thread may call, also before main.
 */
#ifndef RAVEL_ANNOTATIONS_H
#define RAVEL_ANNOTATIONS_H

#include <dlfcn.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The runtime is looked up by name, once per use site. A weak reference would be simpler, but in programs that are not
 * position independent the linker settles it to null before the runtime can be preloaded. */
#define RAVEL_UNSEEN __attribute__((unused, no_sanitize("thread")))

typedef uint32_t (*ravel_choose_function)(uint32_t options);
typedef void (*ravel_fail_function)(const char* message);

RAVEL_UNSEEN static inline void* ravel_look_up(void** kept, const char* name) {
  /* The address of `kept` itself stands for "looked for, not there". */
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

#undef RAVEL_UNSEEN

#ifdef __cplusplus
}  // extern "C"

namespace ravel {
inline uint32_t choose(uint32_t options) { return ravel_choose(options); }
inline void fail(const char* message) { ravel_fail(message); }
}  // namespace ravel
#endif

#endif  // RAVEL_ANNOTATIONS_H
