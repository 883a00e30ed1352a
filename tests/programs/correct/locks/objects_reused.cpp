// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Memory in which synchronisation objects end and others begin, in every way that makes no call: constructors of C++,
// static initialisers, pools, containers that grow, frames that are left and entered again, and stacks of the program.
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <ucontext.h>

#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

template <typename Use>
void in_two_threads(Use use) {
  std::thread other(use);
  use();
  other.join();
}

// One piece of memory, a different object each time.
void pool() {
  alignas(64) static unsigned char memory[64];
  for (int round = 0; round < 2; ++round) {
    auto* const mutex = new (memory) std::mutex;
    in_two_threads([mutex] { const std::lock_guard<std::mutex> lock(*mutex); });
    mutex->~mutex();
    auto* const condition = new (memory) std::condition_variable;
    in_two_threads([condition] { condition->notify_all(); });
    condition->~condition_variable();
    auto* const semaphore = new (memory) sem_t;
    sem_init(semaphore, 0, 2);
    in_two_threads([semaphore] { sem_wait(semaphore); });
    sem_destroy(semaphore);
    auto* const shared = new (memory) std::shared_mutex;
    in_two_threads([shared] { const std::shared_lock<std::shared_mutex> lock(*shared); });
    shared->~shared_mutex();
  }
}

void assigned_initialisers() {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
  static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  for (int round = 0; round < 2; ++round) {
    in_two_threads([] {
      pthread_mutex_lock(&mutex);
      pthread_cond_signal(&condition);
      pthread_mutex_unlock(&mutex);
      pthread_rwlock_wrlock(&rwlock);
      pthread_rwlock_unlock(&rwlock);
    });
    pthread_mutex_destroy(&mutex);
    pthread_rwlock_destroy(&rwlock);
    pthread_cond_destroy(&condition);
    mutex = PTHREAD_MUTEX_INITIALIZER;
    rwlock = PTHREAD_RWLOCK_INITIALIZER;
    condition = PTHREAD_COND_INITIALIZER;
  }
}

void zeroed_block() {
  for (int round = 0; round < 2; ++round) {
    auto* const mutex = static_cast<pthread_mutex_t*>(std::calloc(1, sizeof(pthread_mutex_t)));
    in_two_threads([mutex] {
      pthread_mutex_lock(mutex);
      pthread_mutex_unlock(mutex);
    });
    pthread_mutex_destroy(mutex);
    std::free(mutex);
  }
}

void containers() {
  std::deque<std::mutex> mutexes;
  for (int i = 0; i < 40; ++i) mutexes.emplace_back();
  in_two_threads([&] { const std::lock_guard<std::mutex> lock(mutexes.back()); });
  for (std::size_t count = 2; count < 5; ++count) {
    std::vector<std::mutex> grown(count);
    in_two_threads([&] { const std::lock_guard<std::mutex> lock(grown[1]); });
  }
}

// The same frame, left by return, by an exception and by a jump.
void with_locals(int way, jmp_buf& back) {
  std::mutex mutex;
  pthread_cond_t condition;
  pthread_cond_init(&condition, nullptr);
  in_two_threads([&] {
    const std::lock_guard<std::mutex> lock(mutex);
    pthread_cond_broadcast(&condition);
  });
  if (way != 2) pthread_cond_destroy(&condition);
  if (way == 1) throw std::runtime_error("left");
  if (way == 2) longjmp(back, 1);
}

void frames() {
  jmp_buf back;
  for (int round = 0; round < 2; ++round) {
    with_locals(0, back);
    try {
      with_locals(1, back);
    } catch (const std::runtime_error&) {
    }
    if (setjmp(back) == 0) with_locals(2, back);
  }
}

// A mutex on a stack that the program switches to and from.
ucontext_t outside;
ucontext_t inside;
std::mutex* mutex_inside = nullptr;

void run_inside() {
  std::mutex mutex;
  mutex_inside = &mutex;
  swapcontext(&inside, &outside);
  const std::lock_guard<std::mutex> lock(mutex);
}

void own_stack() {
  std::vector<char> stack(64 << 10);
  getcontext(&inside);
  inside.uc_stack.ss_sp = stack.data();
  inside.uc_stack.ss_size = stack.size();
  inside.uc_link = &outside;
  makecontext(&inside, &run_inside, 0);
  swapcontext(&outside, &inside);
  in_two_threads([] { const std::lock_guard<std::mutex> lock(*mutex_inside); });
  swapcontext(&outside, &inside);
}

}  // namespace

int main() {
  pool();
  assigned_initialisers();
  zeroed_block();
  containers();
  frames();
  own_stack();
}
