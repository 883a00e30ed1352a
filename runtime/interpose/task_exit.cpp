// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/task_exit.h"

#include <limits.h>
#include <signal.h>

#include <cerrno>

#include "base/check.h"
#include "runtime/interpose/held_locks.h"
#include "runtime/interpose/mutex_operations.h"
#include "runtime/interpose/points.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/interpose/unseen_code.h"
#include "runtime/memory/raw_pages.h"

namespace ravel {
namespace {

struct ExitCall {
  void (*destructor)(void*);
  void* object;
  ExitCall* next;
};

// Exit calls come from chunks of anonymous memory and go back to a free list: the program's allocator is not ours to
// use.
class ExitCallPool {
 public:
  ExitCall* take() {
    if (free_ == nullptr) grow();
    ExitCall* call = free_;
    free_ = call->next;
    return call;
  }
  void give_back(ExitCall* call) {
    call->next = free_;
    free_ = call;
  }

 private:
  void grow() {
    constexpr std::size_t kChunk = 16384;
    void* memory = reserve_pages(kChunk);
    RAVEL_CHECK(memory != nullptr, "no memory for thread_local destructors");
    auto* calls = static_cast<ExitCall*>(memory);
    for (std::size_t i = kChunk / sizeof(ExitCall); i > 0; --i) give_back(&calls[i - 1]);
  }

  ExitCall* free_ = nullptr;
};

// Per key: is it the program's (created under control), and its destructor.
struct KeyRecord {
  bool used;
  void (*destructor)(void*);
};

// What must run when tasks end. For the running task; executions inherit what the program has registered when they are
// forked.
struct TaskExit {
  ExitCallPool calls;
  KeyRecord keys[PTHREAD_KEYS_MAX] = {};
  pthread_key_t keys_end = 0;  // one past the highest key ever used
};
constinit TaskExit g_task_exit;

void run_key_destructors() {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    bool ran = false;
    for (pthread_key_t key = 0; key < g_task_exit.keys_end; ++key) {
      if (!g_task_exit.keys[key].used) continue;
      void* value = pthread_getspecific(key);
      if (value == nullptr) continue;
      pthread_setspecific(key, nullptr);
      if (g_task_exit.keys[key].destructor == nullptr) continue;
      ran = true;
      runs_at_end(reinterpret_cast<std::uint64_t>(g_task_exit.keys[key].destructor));
      g_task_exit.keys[key].destructor(value);
    }
    if (!ran) break;
  }
  // The identity may serve another task, which must find every key empty.
  for (pthread_key_t key = 0; key < g_task_exit.keys_end; ++key) {
    if (g_task_exit.keys[key].used) pthread_setspecific(key, nullptr);
  }
}

// On the thread carrier the OS thread of an ended task stays: the kernel must not pick it for a signal to the process.
void stop_taking_signals() {
  if (scheduler().channel().launch.options.carrier != CarrierKind::thread) return;
  sigset_t all;
  sigfillset(&all);
  real().pthread_sigmask(SIG_SETMASK, &all, nullptr);
}

}  // namespace

int add_thread_exit_call(void (*destructor)(void*), void* object, void* library) {
  Task& task = scheduler().current();
  if (task.id == 0) return real().__cxa_thread_atexit_impl(destructor, object, library);
  ExitCall* call = g_task_exit.calls.take();
  *call = ExitCall{destructor, object, static_cast<ExitCall*>(task.primitive.thread_exit_list)};
  task.primitive.thread_exit_list = call;
  return 0;
}

int create_key(pthread_key_t* key, void (*destructor)(void*)) {
  const int error = real().pthread_key_create(key, nullptr);
  if (error != 0) return error;
  g_task_exit.keys[*key] = KeyRecord{true, destructor};
  if (*key >= g_task_exit.keys_end) g_task_exit.keys_end = *key + 1;
  return 0;
}

int delete_key(pthread_key_t key) {
  const int error = real().pthread_key_delete(key);
  if (error == 0) g_task_exit.keys[key] = KeyRecord{};
  return error;
}

void run_thread_local_destructors(Task& task) {
  // A destructor may register another one: the list is read again each time.
  while (task.primitive.thread_exit_list != nullptr) {
    auto* call = static_cast<ExitCall*>(task.primitive.thread_exit_list);
    task.primitive.thread_exit_list = call->next;
    void (*const destructor)(void*) = call->destructor;
    void* const object = call->object;
    g_task_exit.calls.give_back(call);
    runs_at_end(reinterpret_cast<std::uint64_t>(destructor));
    destructor(object);
  }
}

void run_task_exit_handlers(Task& task) {
  task.primitive.exiting = true;
  run_thread_local_destructors(task);
  run_key_destructors();
  // A child process forked by this task is a process of one thread: with it the process ends.
  if (!under_engine()) real().exit(0);
  abandon_robust_mutexes(task);
  report_locks_left(task);
  stop_taking_signals();
}

void report_locks_left(Task& task) {
  for (std::uint32_t i = 0; i < kept_locks(task.held); ++i) {
    if (task.held.address[i] == 0) continue;
    const Operation operation = operation_on(OperationKind::task_end, task.held.address[i], task.held.pc[i][0]);
    report_on_operation(FindingKind::leak_of_lock, "a task ended while it still held a lock", operation);
    return;
  }
}

}  // namespace ravel
