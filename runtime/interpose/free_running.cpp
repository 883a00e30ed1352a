// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/free_running.h"

#include <linux/futex.h>
#include <sys/syscall.h>

#include "runtime/fibers/real_threads.h"
#include "runtime/interpose/module_table.h"
#include "runtime/interpose/real_symbols.h"

namespace ravel {
namespace {

// A thread that has been announced, until it begins; and the handle by which it can be joined.
struct Start {
  void* (*body)(void*);
  void* argument;
  pthread_t handle;
};

// The threads of a parallel run. The creator of a thread fills in its Start; the key is made at start-up.
struct FreeThreads {
  Start starts[kMaxFreeThreads] = {};  // by TaskId
  pthread_key_t end_key = 0;           // its destructor says that a thread ends
};
constinit FreeThreads g_free_threads;

bool is_release(OperationKind kind) {
  switch (kind) {
    case OperationKind::condition_signal:
    case OperationKind::condition_broadcast:
    case OperationKind::semaphore_post:
    case OperationKind::futex_wake:
    case OperationKind::guard_release:
    case OperationKind::task_create:
    case OperationKind::yield:
    case OperationKind::sleep:
      return true;
    default:
      return releases_lock(kind);
  }
}

bool may_block(OperationKind kind) {
  switch (kind) {
    case OperationKind::task_join:
    case OperationKind::semaphore_wait:
    case OperationKind::barrier_wait:
    case OperationKind::futex_wait:
      return true;
    default:
      return waits_for_lock(kind);
  }
}

NoisePlace place_of(OperationKind kind) {
  if (!waits_for_lock(kind)) return NoisePlace::usual;
  const FreeThread* const slot = t_free_self.slot;
  return slot != nullptr && slot->held_count != 0 ? NoisePlace::wants_second_lock : NoisePlace::wants_lock;
}

void on_thread_end(void*) { thread_ended(); }

// Stacks are reused by later threads; what is there belongs to the new one.
void claim_stack() {
  if (!g_free_world.hears_accesses) return;
  CarrierContext bounds{};
  read_memory_bounds(bounds);
  g_free_world.memory.forget(bounds.stack_low, bounds.stack_high - bounds.stack_low);
}

void* run_free_thread(void* argument) {
  auto* const start = static_cast<Start*>(argument);
  const auto id = static_cast<TaskId>(start - g_free_threads.starts);
  claim_stack();
  thread_began(id, reinterpret_cast<std::uint64_t>(start->body));
  pthread_setspecific(g_free_threads.end_key, start);
  return start->body(start->argument);
}

}  // namespace

void prepare_free_threads() { real().pthread_key_create(&g_free_threads.end_key, &on_thread_end); }

void before_passing(const Operation& operation, Passed what, bool timed) {
  concurrent_event(operation, place_of(operation.kind), is_release(operation.kind) ? Recorded::yes : Recorded::no);
  if (what == Passed::gives_lock) lock_given_back(operation.object);
  if (may_block(operation.kind)) begin_waiting(operation, timed);
}

void after_passing(const Operation& operation, Passed what, bool succeeded) {
  if (may_block(operation.kind)) end_waiting();
  if (!is_release(operation.kind)) record_event(operation);
  if (!succeeded || (what != Passed::takes_lock && what != Passed::shares_lock)) return;
  lock_taken(operation.object, what == Passed::shares_lock, operation.pc);
  // A thread delayed here keeps others from the lock: that provokes deadlocks.
  concurrent_event(operation, NoisePlace::has_lock, Recorded::no);
}

void before_waiting(const volatile void* condition, const volatile void* mutex, CallSite pc, bool timed) {
  const OperationKind kind = timed ? OperationKind::condition_timed_wait : OperationKind::condition_wait;
  const Operation operation = operation_on(kind, condition, pc);
  concurrent_event(operation, NoisePlace::usual, Recorded::yes);
  record_event(operation_on(OperationKind::mutex_unlock, mutex, pc));
  lock_given_back(address_of(mutex));
  begin_waiting(operation, timed);
}

void after_waiting(const volatile void* condition, const volatile void* mutex, CallSite pc) {
  end_waiting();
  record_event(operation_on(OperationKind::mutex_lock, mutex, pc));
  record_event(operation_on(OperationKind::condition_wake, condition, pc));
  lock_taken(address_of(mutex), false, pc);
}

int create_free_thread(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*), void* argument,
                       CallSite pc) {
  const TaskId id = announce_thread(pc);
  if (id == kNoTask) return real().pthread_create(thread, attributes, body, argument);
  refresh_modules(*g_free_world.channel);
  const Operation operation = operation_on(OperationKind::task_create, id, pc);
  record_event(operation);
  Start& start = g_free_threads.starts[id];
  start.body = body;
  start.argument = argument;
  const int error = real().pthread_create(thread, attributes, &run_free_thread, &start);
  if (error != 0) {
    creation_failed(id);
    return error;
  }
  __atomic_store_n(&start.handle, *thread, __ATOMIC_RELEASE);
  // The new thread may overtake its creator here, before whatever the creator does for it next.
  concurrent_event(operation, NoisePlace::created, Recorded::no);
  return 0;
}

TaskId free_thread_of(pthread_t thread) {
  std::uint32_t count = __atomic_load_n(&g_free_world.run().threads, __ATOMIC_RELAXED);
  if (count > kMaxFreeThreads) count = kMaxFreeThreads;
  // A handle is reused after its thread has been joined: the latest thread is meant.
  for (TaskId id = count; id-- > 0;) {
    if (__atomic_load_n(&g_free_threads.starts[id].handle, __ATOMIC_ACQUIRE) == thread) return id;
  }
  return kNoTask;
}

long free_system_call(long number, const long (&a)[6], CallSite pc) {
  const auto call = [&] { return real().syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]); };
  if (number != SYS_futex) return call();
  const auto* const word = reinterpret_cast<const volatile void*>(a[0]);
  switch (a[1] & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
      return passing(OperationKind::futex_wait, word, pc, Passed::plain, a[3] != 0, call);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
    case FUTEX_WAKE_OP:
      return passing(OperationKind::futex_wake, word, pc, call);
    default:
      return call();
  }
}

}  // namespace ravel
