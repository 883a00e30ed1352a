/* SPDX-License-Identifier: Apache-2.0
 *
 * libravel_sync.a: the functions of <ravel/sync.h> for programs with race tests. Under Ravel they hand over to the
 * engine; in a plain run, in a build for ThreadSanitizer and under valgrind they do it themselves (events.h).
 *
 * Why it asks for the engine by another name: a definition in the program itself comes before those of libravel.so,
 * weak or not, so the names of <ravel/sync.h> would never reach it. A weak reference to the other name would do where
 * programs are position independent; elsewhere the linker resolves it to null before the runtime can be preloaded.
 *
 * Everything that takes a lock of libc (dlsym) is done before main: valgrind's tools see such locks, and two threads
 * that take one after the other would be ordered by it.
 *
 * Thread safety: any thread. What `start` has found out is only read afterwards.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "runtime/foreign_sync/events.h"

#define RAVEL_API RAVEL_UNSEEN __attribute__((weak, visibility("default")))

typedef int (*answers_function)(void);
typedef int (*is_running_function)(const char* test);
typedef void (*action_function)(struct ravel_sync_site* site, const void* pc);
typedef int (*create_function)(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                               void* argument);

/* Of the engine; null without one. */
static is_running_function engine_is_running;
static action_function engine_wait;
static action_function engine_notify;

static struct ravel_events events;
static const char* running_test;
static int64_t time_limit = RAVEL_SYNC_TIMEOUT_MS;

/* Threads by the order of their creation, which only pthread_create knows, or whatever replaces it. */
enum { MAX_THREADS = 8192 };
struct start {
  void* (*body)(void*);
  void* argument;
};
static create_function real_create;
static int numbers_threads; /* a test runs, without the engine, and what the program calls is the function here */
static struct start starts[MAX_THREADS];
static unsigned created;
/* 0: the main thread, or one that was not seen to be created. Needs no allocation wherever the library is linked. */
static __thread __attribute__((tls_model("initial-exec"))) unsigned task_number;

/* Of ThreadSanitizer: who allocated this block. It numbers threads as we do. A weak reference, because programs do not
 * export the runtime that clang links into them. */
extern int __tsan_get_alloc_stack(void* block, void** trace, size_t size, int* thread, unsigned long long* os_thread)
    __attribute__((weak));

RAVEL_UNSEEN static void look_up(void* function, void* handle, const char* name) {
  void* const found = dlsym(handle, name);
  __builtin_memcpy(function, &found, sizeof found);
}

RAVEL_UNSEEN static int create_numbered(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                                        void* argument);

/* Before the constructors of the program, which may start threads; after those of the libraries it is linked with. */
__attribute__((constructor(101))) RAVEL_UNSEEN static void start(void) {
  answers_function engine_answers = NULL;
  running_test = getenv("RAVEL_RACE_TEST");
  time_limit = ravel_time_limit(getenv("RAVEL_SYNC_TIMEOUT_MS"));
  look_up(&real_create, RTLD_NEXT, "pthread_create");
  look_up(&engine_answers, RTLD_DEFAULT, "ravel_engine_sync_answers");
  if (engine_answers == NULL || !engine_answers()) {
    /* In a shared library, after a detector's own pthread_create, it would see the detector's threads as well. */
    create_function first = NULL;
    look_up(&first, RTLD_DEFAULT, "pthread_create");
    numbers_threads = running_test != NULL && first == &create_numbered;
    return;
  }
  look_up(&engine_is_running, RTLD_DEFAULT, "ravel_engine_sync_is_running");
  look_up(&engine_wait, RTLD_DEFAULT, "ravel_engine_sync_wait");
  look_up(&engine_notify, RTLD_DEFAULT, "ravel_engine_sync_notify");
}

RAVEL_UNSEEN static int runs(const char* test) { return running_test != NULL && ravel_same_text(running_test, test); }

/* The number of this thread. 0: the main thread, or nobody knows. */
RAVEL_UNSEEN static unsigned own_number(void) {
  /* Clang links ThreadSanitizer's pthread_create into the program, before ours. */
  if (task_number == 0 && __tsan_get_alloc_stack != NULL) {
    int thread = 0;
    unsigned long long os_thread = 0;
    void* const block = malloc(1);
    if (__tsan_get_alloc_stack(block, NULL, 0, &thread, &os_thread) >= 0 && thread > 0) task_number = (unsigned)thread;
    free(block);
  }
  return task_number;
}

/* The event that the site acts on, or null when it does not act on this arrival. */
RAVEL_UNSEEN static struct ravel_event* acts_on(struct ravel_sync_site* site) {
  if (!runs(site->test)) return NULL;
  if (site->task != 0 && site->task != own_number()) {
    const int is_main = ravel_kernel(SYS_gettid, 0, 0, 0) == ravel_kernel(SYS_getpid, 0, 0, 0);
    if (task_number == 0 && !is_main) ravel_end_unknown_task(site);
    return NULL;
  }
  if (!ravel_arrives(site)) return NULL;
  struct ravel_event* const event = ravel_find_event(&events, site->event);
  if (event == NULL) ravel_end_too_many_events(site);
  return event;
}

RAVEL_API int ravel_sync_is_running(const char* test) {
  if (engine_is_running != NULL) return engine_is_running(test);
  return runs(test);
}

/* The engine's functions are called last, so that they return straight to the program: its stacks have no frame of
 * ours. */
RAVEL_API void ravel_sync_wait(struct ravel_sync_site* site) {
  if (engine_wait != NULL) {
    engine_wait(site, __builtin_return_address(0));
    return;
  }
  struct ravel_event* const event = acts_on(site);
  if (event != NULL) ravel_wait_for_event(event, site, time_limit);
}

RAVEL_API void ravel_sync_notify(struct ravel_sync_site* site) {
  if (engine_notify != NULL) {
    engine_notify(site, __builtin_return_address(0));
    return;
  }
  struct ravel_event* const event = acts_on(site);
  if (event != NULL) ravel_set_notified(event);
}

RAVEL_UNSEEN static void* run_thread(void* argument) {
  struct start* const mine = (struct start*)argument;
  task_number = (unsigned)(mine - starts);
  return mine->body(mine->argument);
}

/* Numbers the threads while a race test runs, so that its actions can choose one. */
RAVEL_UNSEEN static int create_numbered(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                                        void* argument) {
  if (real_create == NULL) look_up(&real_create, RTLD_NEXT, "pthread_create");
  if (!numbers_threads) return real_create(thread, attributes, body, argument);
  const unsigned number = __atomic_add_fetch(&created, 1, __ATOMIC_RELAXED);
  if (number >= MAX_THREADS) return real_create(thread, attributes, body, argument);
  starts[number].body = body;
  starts[number].argument = argument;
  return real_create(thread, attributes, &run_thread, &starts[number]);
}

/* Under two names: the address of this one is that of whichever definition comes first. */
__attribute__((weak, visibility("default"), alias("create_numbered"))) int pthread_create(
    pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*), void* argument);
