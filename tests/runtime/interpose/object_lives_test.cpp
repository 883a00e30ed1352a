// SPDX-License-Identifier: Apache-2.0
// The lives of synchronisation objects: one rule for all primitives.
#include <gtest/gtest.h>

#include "operation_script.h"

namespace ravel::test {
namespace {

// -- destroyed --------------------------------------------------------------------------------------------------------

TEST(ObjectLives, ADestroyedConditionIsNotNotified) {
  play(R"(
    A: destroy condition c
    B: broadcast c
    --
    A destroy condition c = 0
    B broadcast c = 0
    lock-misuse by B: a task notifies a condition variable that was destroyed
  )");
}

TEST(ObjectLives, NobodyWaitsOnADestroyedCondition) {
  play(R"(
    A: destroy condition c
    B: lock m, wait c m, unlock m
    --
    A destroy condition c = 0
    B lock m = 0
    B wait c m ...
    lock-misuse by B: a task waits on a condition variable that was destroyed
  )");
}

TEST(ObjectLives, ADestroyedSemaphoreIsNotPosted) {
  play(R"(
    A: destroy semaphore s
    B: post s
    --
    A destroy semaphore s = 0
    B post s = 0
    lock-misuse by B: a task posts a semaphore that was destroyed
  )");
}

TEST(ObjectLives, ADestroyedReadWriteLockIsNotLocked) {
  play(R"(
    A: destroy rwlock l
    B: rdlock l, rwunlock l
    --
    A destroy rwlock l = 0
    B rdlock l = 0
    lock-misuse by B: a task locks a read-write lock that was destroyed
    B rwunlock l = 0
  )");
}

TEST(ObjectLives, NobodyWaitsAtADestroyedBarrier) {
  play(R"(
    barrier b 1
    A: destroy barrier b
    B: barrier b
    --
    A destroy barrier b = 0
    B barrier b = serial
    lock-misuse by B: a task waits at a barrier that was destroyed
  )");
}

TEST(ObjectLives, ADestroyedSpinLockIsNotLocked) {
  play(R"(
    A: destroy spin s
    B: spinlock s, spinunlock s
    --
    A destroy spin s = 0
    B spinlock s = 0
    lock-misuse by B: a task locks a spin lock that was destroyed
    B spinunlock s = 0
  )");
}

TEST(ObjectLives, AnObjectIsDestroyedOnce) {
  play(R"(
    A: destroy condition c
    B: destroy condition c
    --
    A destroy condition c = 0
    B destroy condition c = 0
    lock-misuse by B: a task destroys a condition variable that was destroyed
  )");
}

TEST(ObjectLives, ItIsToldOnceForEachObject) {
  play(R"(
    A: destroy semaphore s, destroy semaphore t
    B: post s, post s, semwait s, post t
    --
    A destroy semaphore s = 0
    A destroy semaphore t = 0
    B post s = 0
    lock-misuse by B: a task posts a semaphore that was destroyed
    B post s = 0
    B semwait s = 0
    B post t = 0
    lock-misuse by B: a task posts a semaphore that was destroyed
  )");
}

TEST(ObjectLives, InitialisingItAnewBeginsANewLife) {
  play(R"(
    A: destroy semaphore s, init semaphore s, destroy condition c, init condition c, call others
    B: post s, signal c, spinlock p, spinunlock p, rdlock l, rwunlock l, barrier b
    others: destroy spin p, init spin p, destroy rwlock l, init rwlock l, destroy barrier b, init barrier b
    --
    A destroy semaphore s = 0, init semaphore s = 0
    A destroy condition c = 0, init condition c = 0
    A destroy spin p = 0, init spin p = 0
    A destroy rwlock l = 0, init rwlock l = 0
    A destroy barrier b = 0, init barrier b = 0
    B post s = 0
    B signal c = 0
    B spinlock p = 0
    B spinunlock p = 0
    B rdlock l = 0
    B rwunlock l = 0
    B barrier b = serial
  )");
}

// A std::mutex or a static initialiser makes no call: what lies there now tells.
TEST(ObjectLives, AStaticInitialiserBeginsANewLife) {
  play(R"(
    A: destroy mutex m, assign mutex m, destroy condition c, assign condition c, destroy rwlock l, assign rwlock l
    B: lock m, unlock m, broadcast c, wrlock l, rwunlock l
    --
    A destroy mutex m = 0, assign mutex m
    A destroy condition c = 0, assign condition c
    A destroy rwlock l = 0, assign rwlock l
    B lock m = 0
    B unlock m = 0
    B broadcast c = 0
    B wrlock l = 0
    B rwunlock l = 0
  )");
}

TEST(ObjectLives, OtherContentsDoNot) {
  play(R"(
    A: destroy condition c, overwrite condition c
    B: broadcast c
    --
    A destroy condition c = 0, overwrite condition c
    B broadcast c = 0
    lock-misuse by B: a task notifies a condition variable that was destroyed
  )");
}

// What lies there now says that somebody holds the mutex. The runtime itself may have left it there, so it may be
// different in a replay.
TEST(ObjectLives, WhatLiesWhereAnObjectWasDecidesNothing) {
  play(R"(
    A: destroy mutex m, overwrite mutex m
    B: lock m, yield
    --
    A destroy mutex m = 0, overwrite mutex m
    B lock m = 0
    lock-misuse by B: a task locks a mutex that was destroyed
    A ends
  )");
}

// It began to wait while the object was alive, and nobody will ever tell it that it may go on.
TEST(ObjectLives, NobodyWaitsForeverForWhatIsOver) {
  play(R"(
    launch heap
    A: calloc b 64, lock b+0, yield, free b
    B: lock b+0, yield
    --
    A starts, calloc b 64
    A lock b+0 = 0
    B starts
    A yield, free b
    leak-of-lock by A: a task ended while it still held a lock
    A ends
    B lock b+0 = 0
    use-after-free by B: T2 locks a mutex in a block of 64 bytes that T1 freed
  )");
}

// -- freed ------------------------------------------------------------------------------------------------------------

TEST(ObjectLives, EveryPrimitiveInAFreedBlockIsAUseAfterFree) {
  for (const char* const use :
       {"lock b+0 = 0 locks a mutex", "trylock b+0 = 0 locks a mutex",
        "broadcast b+0 = 0 notifies a condition variable", "rdlock b+0 = 0 locks a read-write lock",
        "wrlock b+0 = 0 locks a read-write lock", "post b+0 = 0 posts a semaphore",
        "semtrywait b+0 = EAGAIN waits for a semaphore", "spintrylock b+0 = EBUSY locks a spin lock"}) {
    const std::string text = use;
    const std::string command = text.substr(0, text.find(" ="));
    const std::string answer = text.substr(text.find("= "), text.find(' ', text.find("= ") + 2) - text.find("= "));
    const std::string words = text.substr(text.find(answer) + answer.size() + 1);
    play("launch heap\n A: calloc b 64, yield, free b\n B: " + command + ", yield\n--\n A starts, calloc b 64\n" +
         " B starts\n A yield, free b\n B " + command + " " + answer + "\n use-after-free by B: T2 " + words +
         " in a block of 64 bytes that T1 freed\n");
  }
}

TEST(ObjectLives, AMutexMayBeFreedOnceItIsUnlocked) {
  play(R"(
    launch heap
    A: calloc b 64, lock b+0, unlock b+0, yield
    B: lock b+0, unlock b+0, free b
    --
    A starts, calloc b 64
    A lock b+0 = 0
    B starts
    A unlock b+0 = 0
    B lock b+0 = 0
    B unlock b+0 = 0, free b
    A yield
  )");
}

TEST(ObjectLives, AnObjectThatWasUsedBeforeIsFoundToo) {
  play(R"(
    launch heap
    A: calloc b 64, lock b+8, unlock b+8, yield, free b
    B: lock b+8, yield
    --
    A starts, calloc b 64
    A lock b+8 = 0
    A unlock b+8 = 0
    B starts
    A yield, free b
    B lock b+8 = 0
    use-after-free by B: T2 locks a mutex in a block of 64 bytes that T1 freed
  )");
}

// -- left -------------------------------------------------------------------------------------------------------------

TEST(ObjectLives, AnObjectOnTheStackOfATaskThatHasEndedIsGone) {
  play(R"(
    A: local m use
    B: lock m, yield
    use: lock m, unlock m
    --
    A lock m = 0
    A unlock m = 0, local m use
    A ends
    B lock m ...
    use-after-free by B: T2 locks a mutex on the stack of T1, which has ended
  )");
}

TEST(ObjectLives, AnObjectOnTheStackOfAnotherTaskMayBeUsed) {
  play(R"(
    A: local m use
    B: lock m, unlock m
    use: lock m, unlock m, yield
    --
    A lock m = 0
    A unlock m = 0
    B lock m = 0
    B unlock m = 0
    A yield, local m use
  )");
}

}  // namespace
}  // namespace ravel::test
