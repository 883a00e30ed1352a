/* SPDX-License-Identifier: Apache-2.0
 *
 * The events of the running race test, and how a thread waits for one without an engine: it polls, with a short sleep
 * in between. C and C++, all inline: part of libravel_sync.a, which is linked into programs that run under other
 * detectors, and of libravel.so, which uses it where the engine is not in control.
 *
 * It must not create any order. Memory is touched only by relaxed atomic operations, in functions that no sanitizer
 * instruments, and always by read-modify-write operations: valgrind's tools treat these as reads, so that polling and
 * notifying do not race themselves. No libc function is called: detectors interpose many of them, and some (mutexes,
 * for one) would order the threads.
 *
 * Thread safety: any thread. Invariant: a slot that has a name keeps it.
 */
#ifndef RAVEL_RUNTIME_FOREIGN_SYNC_EVENTS_H
#define RAVEL_RUNTIME_FOREIGN_SYNC_EVENTS_H

#include <ravel/sync.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>

/* NOLINTBEGIN(modernize-use-nullptr): C reads it too. */

#if defined(__has_attribute)
#if __has_attribute(disable_sanitizer_instrumentation)
#define RAVEL_UNSEEN __attribute__((unused, no_sanitize("thread"), disable_sanitizer_instrumentation))
#endif
#endif
#ifndef RAVEL_UNSEEN
#define RAVEL_UNSEEN __attribute__((unused, no_sanitize("thread")))
#endif

enum { RAVEL_EVENT_SLOTS = 1024, RAVEL_SYNC_EXIT_CODE = 67, RAVEL_SYNC_TIMEOUT_MS = 10000 };

/* Two words, the state first: the engine's traces read it there. */
struct ravel_event {
  uint32_t notified;
  uint32_t reserved;
  const char* name; /* null: a free slot */
};

struct ravel_events {
  struct ravel_event slot[RAVEL_EVENT_SLOTS];
};

RAVEL_UNSEEN static inline int ravel_same_text(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}

/* The event of this name, created if it does not exist yet. Null when there are too many. */
RAVEL_UNSEEN static inline struct ravel_event* ravel_find_event(struct ravel_events* events, const char* name) {
  uint32_t hash = 2166136261U; /* FNV-1a */
  for (const char* c = name; *c != '\0'; ++c) hash = (hash ^ (unsigned char)*c) * 16777619U;
  for (uint32_t i = 0; i < RAVEL_EVENT_SLOTS; ++i) {
    struct ravel_event* const slot = &events->slot[(hash + i) % RAVEL_EVENT_SLOTS];
    const char* there = NULL;
    if (__atomic_compare_exchange_n(&slot->name, &there, name, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return slot;
    if (ravel_same_text(there, name)) return slot;
  }
  return NULL;
}

RAVEL_UNSEEN static inline int ravel_was_notified(struct ravel_event* event) {
  uint32_t seen = 0; /* a plain load would be reported as a race with the notify */
  __atomic_compare_exchange_n(&event->notified, &seen, 0, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return seen != 0;
}

RAVEL_UNSEEN static inline void ravel_set_notified(struct ravel_event* event) {
  uint32_t seen = 0; /* a plain store, or an exchange, would be reported as a race with the polling */
  __atomic_compare_exchange_n(&event->notified, &seen, 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Counts an arrival; is it the one that the site acts on? The caller has looked at site->task. */
RAVEL_UNSEEN static inline int ravel_arrives(struct ravel_sync_site* site) {
  const unsigned long number = __atomic_add_fetch(&site->arrivals, 1, __ATOMIC_RELAXED);
  return site->arrival == 0 || site->arrival == number;
}

RAVEL_UNSEEN static inline long ravel_kernel(long number, long a, long b, long c) {
  long result = 0;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return result;
}

struct ravel_sentence {
  char text[512];
  size_t length;
};

RAVEL_UNSEEN static inline void ravel_say(struct ravel_sentence* sentence, const char* words) {
  while (words != NULL && *words != '\0' && sentence->length + 1 < sizeof sentence->text) {
    sentence->text[sentence->length++] = *words++;
  }
  sentence->text[sentence->length] = '\0';
}

/* `test list_add waits for "linking" at list.cpp:42, which was never notified` */
RAVEL_UNSEEN static inline void ravel_say_wait(struct ravel_sentence* sentence, const struct ravel_sync_site* site) {
  ravel_say(sentence, "test ");
  ravel_say(sentence, site->test);
  ravel_say(sentence, " waits for \"");
  ravel_say(sentence, site->event);
  ravel_say(sentence, "\" at ");
  ravel_say(sentence, site->place);
  ravel_say(sentence, ", which was never notified");
}

RAVEL_UNSEEN __attribute__((noreturn)) static inline void ravel_end_with(struct ravel_sentence* sentence) {
  /* The end of the line is never cut off. */
  if (sentence->length + 1 >= sizeof sentence->text) sentence->length = sizeof sentence->text - 2;
  ravel_say(sentence, "\n");
  ravel_kernel(SYS_write, 2, (long)sentence->text, (long)sentence->length);
  for (;;) ravel_kernel(SYS_exit_group, RAVEL_SYNC_EXIT_CODE, 0, 0);
}

RAVEL_UNSEEN __attribute__((noreturn)) static inline void ravel_end_too_many_events(
    const struct ravel_sync_site* site) {
  struct ravel_sentence sentence;
  sentence.length = 0;
  ravel_say(&sentence, "ravel: test ");
  ravel_say(&sentence, site->test);
  ravel_say(&sentence, " has more than 1024 events, the latest at ");
  ravel_say(&sentence, site->place);
  ravel_end_with(&sentence);
}

RAVEL_UNSEEN __attribute__((noreturn)) static inline void ravel_end_unknown_task(const struct ravel_sync_site* site) {
  struct ravel_sentence sentence;
  sentence.length = 0;
  ravel_say(&sentence, "ravel: test ");
  ravel_say(&sentence, site->test);
  ravel_say(&sentence, " selects a task at ");
  ravel_say(&sentence, site->place);
  ravel_say(&sentence, ", but it is not known here which thread that is; ");
  ravel_say(&sentence, "link the program itself with libravel_sync.a");
  ravel_end_with(&sentence);
}

RAVEL_UNSEEN static inline int64_t ravel_milliseconds(void) {
  struct timespec now = {0, 0};
  ravel_kernel(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&now, 0);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Polls, sleeping in between, until the event is notified; ends the process when that takes longer than `limit`. */
RAVEL_UNSEEN static inline void ravel_wait_for_event(struct ravel_event* event, const struct ravel_sync_site* site,
                                                     int64_t limit) {
  if (ravel_was_notified(event)) return;
  const int64_t begin = ravel_milliseconds();
  const struct timespec pause = {0, 100000};
  while (!ravel_was_notified(event)) {
    if (ravel_milliseconds() - begin > limit) {
      struct ravel_sentence sentence;
      sentence.length = 0;
      ravel_say(&sentence, "ravel: ");
      ravel_say_wait(&sentence, site);
      ravel_end_with(&sentence);
    }
    ravel_kernel(SYS_nanosleep, (long)&pause, 0, 0);
  }
}

/* What RAVEL_SYNC_TIMEOUT_MS says; the default when it is empty or not a number. */
RAVEL_UNSEEN static inline int64_t ravel_time_limit(const char* value) {
  int64_t limit = 0;
  if (value == NULL || *value == '\0') return RAVEL_SYNC_TIMEOUT_MS;
  for (; *value != '\0'; ++value) {
    if (*value < '0' || *value > '9' || limit > INT32_MAX) return RAVEL_SYNC_TIMEOUT_MS;
    limit = limit * 10 + (*value - '0');
  }
  return limit;
}

/* NOLINTEND(modernize-use-nullptr) */

#endif /* RAVEL_RUNTIME_FOREIGN_SYNC_EVENTS_H */
