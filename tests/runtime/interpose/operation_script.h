// SPDX-License-Identifier: Apache-2.0
// The vocabulary of scripts (tests/runtime/scheduler/script.h) in which tasks perform the real operations of
// runtime/interpose. Verbs are named after the function that a program calls, results are what it returns: "0", the
// name of an errno value.
//
// Objects are there when they are first named, initialised as a program does it statically. What is to be different is
// declared: "mutex m recursive robust", "condition c monotonic", "rwlock l writers", "barrier b 2", "semaphore s 1",
// "word w 5"; "blocked USR1" (by all tasks).
//
// An object called "b+8" lies in the heap block b, as it was allocated. "local m ROUTINE" makes a local variable for
// the time of the routine, zeroes; "assign mutex m" gives an object the contents of its static initialiser, "overwrite
// mutex m" others.
//
// A time ("5ms") is a deadline so far from now; "past" and "invalid" are deadlines, too. Behind it may stand the clock,
// realtime or monotonic.
//
//   mutexes      lock m, trylock m, timedlock m 5ms, unlock m, consistent m, destroy mutex m, init mutex m
//   conditions   wait c m, timedwait c m 5ms, signal c, broadcast c, destroy condition c, init condition c
//   rwlocks      rdlock l, tryrdlock l, timedrdlock l 5ms, wrlock l, trywrlock l, timedwrlock l 5ms, rwunlock l,
//                destroy rwlock l, init rwlock l
//   spin locks   spinlock s, spintrylock s, spinunlock s, destroy spin s, init spin s
//   barriers     barrier b (= serial for one of them), destroy barrier b, init barrier b (for one)
//   semaphores   semwait s, semtrywait s, semtimedwait s 5ms, post s, destroy semaphore s, init semaphore s (with one
//                unit)
//   once         once o ROUTINE, throw; guard g (= 1: initialise), guard-done g, guard-abort g
//   futexes      futex-wait w VALUE [5ms], futex-wait-bits w VALUE BITS [5ms], futex-wake w COUNT,
//                futex-wake-bits w COUNT BITS, futex-requeue w WAKE MOVE to [VALUE], futex-wake-op w COUNT v COUNT;
//                word w VALUE (no point)
//   files        flockfile f, ftrylockfile f, funlockfile f
//   threads      create B [detached], join B (= 0 RESULT), tryjoin B, timedjoin B 5ms, detach B, exit RESULT,
//                cleanup LAST BODY (routines), name B NAME, getname B
//   their end    key k [ROUTINE], setkey k [null], getkey k, deletekey k, thread-atexit ROUTINE
//   cancelling   cancel B, cancelstate disable, canceltype asynchronous, testcancel
//   signals      handle USR1 ROUTINE, kill B USR1, sigqueue B USR1 VALUE, kill-process USR1, sigwait USR1 USR2,
//                sigtimedwait USR1 5ms, pause, sigsuspend, block USR1, unblock USR1, pending
//   time         sleep 5ms, sleep-until 5ms, yield, clock NAME
//   heap         malloc b 16, calloc b 16, new b 16, new-array b 16, new-aligned b 16, realloc b 32 [c], free b,
//                delete b, delete-array b, delete-aligned b, delete-sized b 8, free-other stack (or global)
//   memory       read x, write x 1 (plain; "b+4": in a block); load x [ORDER], store x 1 [ORDER], add x 1 [ORDER],
//                cas x 0 1, weak-cas x 0 1, fence ORDER, spin x
//   annotations  acquire x, release x, lock-taken x, lock-given-up x, choose 3, fail TEXT, no-locks
//   race tests   wait-event e, notify-event e
//   pipes        pipe-write p TEXT, pipe-read p, pipe-close p (for writing), poll p 5ms, poll-nothing 5ms;
//                outside-writes p TEXT (no point)
//   random
#pragma once

#include "tests/runtime/scheduler/script.h"

namespace ravel::test {

const Vocabulary& operation_vocabulary();

inline Script play(std::string_view text, std::source_location where = std::source_location::current()) {
  return Script(operation_vocabulary(), text, {}, where);
}

}  // namespace ravel::test
