// SPDX-License-Identifier: Apache-2.0
// together(f, g, ...): one task for each function; returns when all have ended. Nothing of it but creation and joins is
// visible to a schedule.
#pragma once

#include <pthread.h>
#include <stdlib.h>

template <typename... Body>
void together(Body... body) {
  void (*const bodies[])() = {body...};
  constexpr int kTasks = sizeof...(Body);
  pthread_t threads[kTasks];
  for (int i = 0; i < kTasks; ++i) {
    pthread_create(
        &threads[i], nullptr,
        [](void* function) -> void* {
          reinterpret_cast<void (*)()>(function)();
          return nullptr;
        },
        reinterpret_cast<void*>(bodies[i]));
  }
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
}

inline void require(bool holds) {
  if (!holds) abort();
}
