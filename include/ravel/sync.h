/* SPDX-License-Identifier: Apache-2.0
 *
 * Sync points: the functions that the actions of a race test call. `ravel weave` puts the calls into a copy of the
 * sources; you may also write them by hand. For C and C++. Link with libravel_sync.a: under Ravel the calls reach the
 * engine. Under any other detector (ThreadSanitizer, valgrind), and in a plain run, the library does the work itself.
 *
 *   if (ravel_sync_is_running("list_add") && i == 3) {
 *     static struct ravel_sync_site site = {"list_add", "linking", "list.cpp:42", 0, 0, 0};
 *     ravel_sync_wait(&site);
 *   }
 *
 * The environment variable RAVEL_RACE_TEST names the test that runs; it is read once, at start. The actions of all
 * other tests do nothing. If it is not set, no action does anything.
 *
 * An event belongs to the running test and is identified by its name. Once notified it stays notified: a later wait for
 * it returns at once. The calls do not synchronise: for a race detector, what comes before a notify does not happen
 * before what follows the wait.
 *
 * A wait that is never notified is a deadlock under Ravel, reported as soon as no other thread can run. Elsewhere it is
 * reported on standard error after RAVEL_SYNC_TIMEOUT_MS milliseconds (default 10000), and the process exits with
 * code 67.
 *
 * Thread safety: any thread may call. A site and its strings must live as long as the program.
 */
#ifndef RAVEL_SYNC_H
#define RAVEL_SYNC_H

#ifdef __cplusplus
extern "C" {
#endif

/* One action in the source. Initialise it statically, with arrivals = 0. */
struct ravel_sync_site {
  const char* test;       /* the race test the action belongs to */
  const char* event;      /* the event to wait for or to notify */
  const char* place;      /* "list.cpp:42", for messages */
  unsigned arrival;       /* act only at the N-th arrival here; 0: at every arrival */
  unsigned task;          /* act only for this thread, in order of creation: 1 is the first thread the program creates;
                             0: for any. Other threads do not count as arrivals. */
  unsigned long arrivals; /* arrivals so far; the calls count them */
};

/* True if `test` is the race test that is running. */
int ravel_sync_is_running(const char* test);

/* Returns once site->event has been notified. */
void ravel_sync_wait(struct ravel_sync_site* site);

/* Notifies site->event: current and later waits for it return. */
void ravel_sync_notify(struct ravel_sync_site* site);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* RAVEL_SYNC_H */
