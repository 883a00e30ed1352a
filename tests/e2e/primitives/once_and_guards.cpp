// SPDX-License-Identifier: Apache-2.0
// One-time initialisation: exactly once, everybody waits for it, and again after it was left by an exception,
// pthread_exit or cancellation.
#include <pthread.h>

#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "expect.h"

namespace {

pthread_once_t g_once = PTHREAD_ONCE_INIT;
int g_runs = 0;

void initialise() {
  const int before = g_runs;
  std::this_thread::yield();
  g_runs = before + 1;
}

void run_in_threads(int count, void (*body)()) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(body);
  for (std::thread& thread : threads) thread.join();
}

std::once_flag g_flag;
int g_attempts = 0;
int g_successes = 0;

void fail_twice() {
  try {
    std::call_once(g_flag, [] {
      if (++g_attempts <= 2) throw std::runtime_error("not yet");
      ++g_successes;
    });
  } catch (const std::runtime_error&) {
    std::this_thread::yield();
    fail_twice();
  }
  EXPECT_EQ(g_successes, 1);
}

struct Fragile {
  static inline int attempts = 0;
  int value;
  Fragile() : value(0) {
    if (++attempts == 1) throw std::runtime_error("not yet");
    std::this_thread::yield();
    value = 42;
  }
};

Fragile& fragile() {
  static Fragile object;
  return object;
}

void use_static() {
  for (;;) {
    try {
      EXPECT_EQ(fragile().value, 42);
      return;
    } catch (const std::runtime_error&) {
    }
  }
}

pthread_once_t g_abandoned = PTHREAD_ONCE_INIT;
bool g_leave = true;

void leave_by_exit() {
  if (g_leave) {
    g_leave = false;
    pthread_exit(nullptr);
  }
  ++g_runs;
}

void* call_abandoned(void*) {
  EXPECT_EQ(pthread_once(&g_abandoned, &leave_by_exit), 0);
  return nullptr;
}

pthread_once_t g_outer = PTHREAD_ONCE_INIT;
pthread_once_t g_inner = PTHREAD_ONCE_INIT;
int g_inner_runs = 0;
void inner() { ++g_inner_runs; }
void outer() { EXPECT_EQ(pthread_once(&g_inner, &inner), 0); }

}  // namespace

int main() {
  run_in_threads(3, [] {
    EXPECT_EQ(pthread_once(&g_once, &initialise), 0);
    EXPECT_EQ(g_runs, 1);
  });
  EXPECT_EQ(pthread_once(&g_once, &initialise), 0);
  EXPECT_EQ(g_runs, 1);

  run_in_threads(3, &fail_twice);
  EXPECT_EQ(g_attempts, 3);
  run_in_threads(3, &use_static);
  EXPECT_EQ(Fragile::attempts, 2);

  g_runs = 0;
  pthread_t thread;
  EXPECT_EQ(pthread_create(&thread, nullptr, &call_abandoned, nullptr), 0);
  EXPECT_EQ(pthread_join(thread, nullptr), 0);
  EXPECT_EQ(pthread_create(&thread, nullptr, &call_abandoned, nullptr), 0);
  EXPECT_EQ(pthread_join(thread, nullptr), 0);
  EXPECT_EQ(g_runs, 1);

  run_in_threads(2, [] { EXPECT_EQ(pthread_once(&g_outer, &outer), 0); });
  EXPECT_EQ(g_inner_runs, 1);
  return 0;
}
