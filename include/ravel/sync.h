/* SPDX-License-Identifier: Apache-2.0
 *
 * Sync points: what the actions of a race test call, where `ravel weave` has put them into a copy of the sources. Plain
 * C and C++; may also be called by hand. Link with libravel_sync.a: under Ravel the calls reach the engine, with any
 * other detector (ThreadSanitizer, valgrind) and in a plain run the library does what they ask for by itself.
 *
 *   if (ravel_sync_is_running("list_add") && i == 3) {
 *     static struct ravel_sync_site site = {"list_add", "linking", "list.cpp:42", 0, 0, 0};
 *     ravel_sync_wait(&site);
 *   }
 *
 * Which test runs is named by the environment variable RAVEL_RACE_TEST, read once at start. The actions of all other
 * tests, and all of them when it is not set, do nothing.
 *
 * An event belongs to the running test and is known by the text of its name. Once notified it stays so: a wait that
 * comes later goes on at once. No call orders anything: what happens before a notify does not happen before what
 * follows the wait, as far as a race detector is concerned.
 *
 * A wait that nobody notifies is a deadlock under Ravel, told as soon as nobody else can go on. Elsewhere it is told on
 * standard error after RAVEL_SYNC_TIMEOUT_MS milliseconds (10000 when not set), and the process ends with exit code 67.
 *
 * Thread safety: any thread may call. A site and its texts live as long as the program.
 */
#ifndef RAVEL_SYNC_H
#define RAVEL_SYNC_H

#ifdef __cplusplus
extern "C" {
#endif

/* One action in the source. Statically initialised, `arrivals` with 0. */
struct ravel_sync_site {
  const char* test;       /* the race test that the action belongs to */
  const char* event;      /* what is waited for or notified */
  const char* place;      /* "list.cpp:42", for messages */
  unsigned arrival;       /* act the N-th time only that the test comes here; 0: every time */
  unsigned task;          /* act for this task only, by the order of creation: 1 is the first thread that the program
                             creates; 0: for any. Others do not count as arrivals. */
  unsigned long arrivals; /* how often the test came here; counted by the calls */
};

/* True when `test` is the race test that runs. */
int ravel_sync_is_running(const char* test);

/* Goes on when site->event has been notified. */
void ravel_sync_wait(struct ravel_sync_site* site);

/* Lets those who wait for site->event go on, now and later. */
void ravel_sync_notify(struct ravel_sync_site* site);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* RAVEL_SYNC_H */
