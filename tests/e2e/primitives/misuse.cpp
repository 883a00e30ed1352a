// SPDX-License-Identifier: Apache-2.0
// One mistake per argument; the test says which finding it must give. Not run natively.
#include <pthread.h>
#include <semaphore.h>

#include <cassert>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace {

pthread_mutex_t g_mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t g_rwlock = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t g_spin;

void in_thread(void (*body)()) { std::thread(body).join(); }

struct Case {
  const char* name;
  void (*body)();
};

const Case kCases[] = {
    {"unlock-free", [] { in_thread([] { pthread_mutex_unlock(&g_mutex); }); }},
    {"unlock-foreign",
     [] {
       pthread_mutex_lock(&g_mutex);
       in_thread([] { pthread_mutex_unlock(&g_mutex); });
     }},
    {"relock",
     [] {
       in_thread([] {
         pthread_mutex_lock(&g_mutex);
         pthread_mutex_lock(&g_mutex);
       });
     }},
    {"destroy-locked",
     [] {
       in_thread([] {
         pthread_mutex_lock(&g_mutex);
         pthread_mutex_destroy(&g_mutex);
         pthread_mutex_unlock(&g_mutex);
       });
     }},
    {"use-destroyed",
     [] {
       in_thread([] {
         pthread_mutex_destroy(&g_mutex);
         pthread_mutex_lock(&g_mutex);
       });
     }},
    {"rwlock-unlock-free", [] { in_thread([] { pthread_rwlock_unlock(&g_rwlock); }); }},
    {"rwlock-unlock-foreign",
     [] {
       pthread_rwlock_rdlock(&g_rwlock);
       in_thread([] { pthread_rwlock_unlock(&g_rwlock); });
     }},
    {"spin-relock",
     [] {
       pthread_spin_init(&g_spin, 0);
       in_thread([] {
         pthread_spin_lock(&g_spin);
         pthread_spin_lock(&g_spin);
       });
     }},
    {"spin-unlock-free",
     [] {
       pthread_spin_init(&g_spin, 0);
       in_thread([] { pthread_spin_unlock(&g_spin); });
     }},
    {"leak", [] { in_thread([] { pthread_mutex_lock(&g_mutex); }); }},
    {"leak-in-main",
     [] {
       in_thread([] {});
       pthread_mutex_lock(&g_mutex);
     }},
    {"assertion",
     [] {
       in_thread([] {
         int zero = 0;
         assert(zero == 1);
       });
     }},
    {"abort", [] { in_thread([] { std::abort(); }); }},
    {"terminate", [] { in_thread([] { std::terminate(); }); }},
    {"exception", [] { in_thread([] { throw std::out_of_range("too far"); }); }},
    {"exception-own-handler",
     [] {
       std::set_terminate([] { std::_Exit(0); });
       in_thread([] { throw 42; });
     }},
    {"exit-code", [] { in_thread([] { std::exit(3); }); }},
    {"lost-wakeup",
     [] {
       static std::mutex mutex;
       static std::condition_variable condition;
       std::thread waiter([] {
         std::unique_lock<std::mutex> lock(mutex);
         condition.wait(lock);  // no predicate: a notification that came before is lost
       });
       {
         const std::lock_guard<std::mutex> lock(mutex);
         condition.notify_one();
       }
       waiter.join();
     }},
    {"self-pipe-deadlock",
     [] {
       in_thread([] {
         int ends[2];
         char byte = 0;
         if (pipe(ends) == 0 && read(ends[0], &byte, 1) < 0) std::abort();
       });
     }},
    {"join-each-other",
     [] {
       static pthread_t first;
       static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
       pthread_mutex_lock(&held);
       pthread_create(
           &first, nullptr,
           [](void*) -> void* {
             pthread_mutex_lock(&held);
             return nullptr;
           },
           nullptr);
       pthread_join(first, nullptr);  // waits for a thread that waits for our lock
     }},
};

}  // namespace

int main(int, char** arguments) {
  for (const Case& each : kCases) {
    if (std::strcmp(each.name, arguments[1]) != 0) continue;
    each.body();
    return 0;
  }
  return 2;
}
