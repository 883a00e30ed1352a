// SPDX-License-Identifier: Apache-2.0
// State lives in the program's objects in glibc's own encoding: a process that leaves control (the child of a fork)
// finds locks as libc itself would have left them. Each test changes an object by our operation and asks libc.
#include <gtest/gtest.h>
#include <pthread.h>
#include <semaphore.h>

#include <cerrno>

#include "runtime/interpose/mutex_operations.h"
#include "runtime/interpose/once_operations.h"
#include "runtime/interpose/rwlock_operations.h"
#include "runtime/interpose/semaphore_operations.h"
#include "runtime/interpose/spin_operations.h"
#include "tests/runtime/interpose/engine_in_test.h"

namespace ravel {
namespace {

constexpr CallSite kHere = 1;

class ObjectLayout : public testing::Test {
 protected:
  void SetUp() override { start_engine_in_test(); }
};

TEST_F(ObjectLayout, MutexLockedByUsIsLockedForLibc) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  ASSERT_EQ(mutex_lock(&mutex, kHere), 0);
  EXPECT_EQ(pthread_mutex_trylock(&mutex), EBUSY);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_trylock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
}

TEST_F(ObjectLayout, MutexUnlockedByUsIsFreeForLibc) {
  for (const int type : {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK}) {
    pthread_mutexattr_t attributes;
    pthread_mutex_t mutex;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    pthread_mutex_init(&mutex, &attributes);
    ASSERT_EQ(mutex_lock(&mutex, kHere), 0);
    ASSERT_EQ(mutex_unlock(&mutex, kHere), 0);
    EXPECT_EQ(pthread_mutex_lock(&mutex), 0);
    EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
    EXPECT_EQ(pthread_mutex_destroy(&mutex), 0);
    pthread_mutexattr_destroy(&attributes);
  }
}

TEST_F(ObjectLayout, PriorityCeilingSurvivesLocking) {
  pthread_mutexattr_t attributes;
  pthread_mutex_t mutex;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT);
  pthread_mutexattr_setprioceiling(&attributes, 7);
  pthread_mutex_init(&mutex, &attributes);
  int ceiling = 0;
  ASSERT_EQ(mutex_lock(&mutex, kHere), 0);
  EXPECT_EQ(mutex_get_ceiling(&mutex, &ceiling), 0);
  EXPECT_EQ(ceiling, 7);
  ASSERT_EQ(mutex_unlock(&mutex, kHere), 0);
  EXPECT_EQ(mutex_set_ceiling(&mutex, 9, &ceiling, kHere), 0);
  EXPECT_EQ(ceiling, 7);
  EXPECT_EQ(pthread_mutex_getprioceiling(&mutex, &ceiling), 0);
  EXPECT_EQ(ceiling, 9);
  EXPECT_EQ(mutex_set_ceiling(&mutex, 1000, nullptr, kHere), EINVAL);
}

TEST_F(ObjectLayout, ReadLockIsAReadLockForLibc) {
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  ASSERT_EQ(rwlock_read_lock(&lock, kHere), 0);
  EXPECT_EQ(pthread_rwlock_trywrlock(&lock), EBUSY);
  EXPECT_EQ(pthread_rwlock_tryrdlock(&lock), 0);
  EXPECT_EQ(pthread_rwlock_unlock(&lock), 0);
  EXPECT_EQ(pthread_rwlock_unlock(&lock), 0);
  EXPECT_EQ(pthread_rwlock_trywrlock(&lock), 0);
  EXPECT_EQ(pthread_rwlock_unlock(&lock), 0);
}

TEST_F(ObjectLayout, WriteLockExcludesLibcToo) {
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  ASSERT_EQ(rwlock_write_lock(&lock, kHere), 0);
  EXPECT_EQ(pthread_rwlock_tryrdlock(&lock), EBUSY);
  EXPECT_EQ(pthread_rwlock_trywrlock(&lock), EBUSY);
  ASSERT_EQ(rwlock_unlock(&lock, kHere), 0);
  EXPECT_EQ(pthread_rwlock_tryrdlock(&lock), 0);
  EXPECT_EQ(pthread_rwlock_unlock(&lock), 0);
}

TEST_F(ObjectLayout, SemaphoreValueIsLibcs) {
  sem_t semaphore;
  int value = 0;
  sem_init(&semaphore, 0, 2);
  EXPECT_EQ(semaphore_wait(&semaphore, kHere), 0);
  EXPECT_EQ(semaphore_post(&semaphore, kHere), 0);
  EXPECT_EQ(semaphore_post(&semaphore, kHere), 0);
  EXPECT_EQ(sem_getvalue(&semaphore, &value), 0);
  EXPECT_EQ(value, 3);
  EXPECT_EQ(sem_trywait(&semaphore), 0);
}

TEST_F(ObjectLayout, SpinLockIsLibcs) {
  pthread_spinlock_t lock;
  pthread_spin_init(&lock, 0);
  ASSERT_EQ(spin_lock(&lock, kHere), 0);
  EXPECT_EQ(pthread_spin_trylock(&lock), EBUSY);
  EXPECT_EQ(pthread_spin_unlock(&lock), 0);
  EXPECT_EQ(spin_try_lock(&lock, kHere), 0);
  EXPECT_EQ(spin_unlock(&lock, kHere), 0);
  EXPECT_EQ(pthread_spin_trylock(&lock), 0);
}

TEST_F(ObjectLayout, OnceDoneByUsIsDoneForLibc) {
  static int runs;
  runs = 0;
  pthread_once_t control = PTHREAD_ONCE_INIT;
  EXPECT_EQ(once(
                &control, [] { ++runs; }, kHere),
            0);
  EXPECT_EQ(pthread_once(&control, [] { ++runs; }), 0);
  EXPECT_EQ(runs, 1);
}

TEST_F(ObjectLayout, AnExceptionLeavesOnceFresh) {
  pthread_once_t control = PTHREAD_ONCE_INIT;
  EXPECT_THROW(once(
                   &control, [] { throw 1; }, kHere),
               int);
  EXPECT_EQ(control, PTHREAD_ONCE_INIT);
}

TEST_F(ObjectLayout, GuardsFollowTheCxxAbi) {
  std::uint64_t guard = 0;
  EXPECT_EQ(guard_acquire(&guard, kHere), 1);
  guard_abort(&guard, kHere);
  EXPECT_EQ(guard, 0U);
  EXPECT_EQ(guard_acquire(&guard, kHere), 1);
  guard_release(&guard, kHere);
  EXPECT_EQ(guard, 1U);  // what inline checks of the first byte expect
  EXPECT_EQ(guard_acquire(&guard, kHere), 0);
}

}  // namespace
}  // namespace ravel
