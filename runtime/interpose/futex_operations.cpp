// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/futex_operations.h"

#include <linux/futex.h>
#include <sys/syscall.h>

#include <cerrno>

#include "runtime/interpose/processors.h"
#include "runtime/interpose/random_operations.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/sync_edges.h"
#include "runtime/interpose/thread_operations.h"
#include "runtime/interpose/time_operations.h"
#include "runtime/interpose/virtual_time.h"
#include "runtime/interpose/waiter_queue.h"

namespace ravel {
namespace {

// Arguments of futex(2) by their meaning.
struct FutexCall {
  std::uint32_t* word;
  int command;
  bool realtime;
  std::uint32_t value;
  const timespec* timeout;
  std::uint32_t count;  // what `timeout` carries in calls that have none
  std::uint32_t* second_word;
  std::uint32_t third_value;

  explicit FutexCall(const long (&arguments)[6])
      : word(reinterpret_cast<std::uint32_t*>(arguments[0])),
        command(static_cast<int>(arguments[1]) & FUTEX_CMD_MASK),
        realtime((arguments[1] & FUTEX_CLOCK_REALTIME) != 0),
        value(static_cast<std::uint32_t>(arguments[2])),
        timeout(reinterpret_cast<const timespec*>(arguments[3])),
        count(static_cast<std::uint32_t>(arguments[3])),
        second_word(reinterpret_cast<std::uint32_t*>(arguments[4])),
        third_value(static_cast<std::uint32_t>(arguments[5])) {}
};

long fail(int error) {
  errno = error;
  return -1;
}

std::uint32_t load(const std::uint32_t* word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }

bool wait_may_end(const void*, const Task& task) { return task.primitive.notified || wait_interrupted(task); }

long wait(const FutexCall& call, std::uint32_t bitset, bool absolute, CallSite pc) {
  if (bitset == 0) return fail(EINVAL);
  std::uint64_t deadline = kNever;
  if (call.timeout != nullptr) {
    if (!has_valid_nanoseconds(*call.timeout) || call.timeout->tv_sec < 0) return fail(EINVAL);
    deadline = absolute ? deadline_at(call.realtime ? CLOCK_REALTIME : CLOCK_MONOTONIC, *call.timeout)
                        : deadline_after(*call.timeout);
  }
  Task& task = scheduler().current();
  const Operation operation = operation_on(OperationKind::futex_wait, call.word, pc, call.value);
  reach_point(operation);
  // Comparing and beginning to wait are one step, as in the kernel: no point in between.
  if (load(call.word) != call.value) return fail(EAGAIN);
  enqueue_waiter(address_of(call.word), task);
  task.primitive.futex_bitset = bitset;
  if (scheduler().choose_environment(EnvironmentKind::spurious_wakeup, 2) == 1) {
    notify_waiter(task);
  } else {
    begin_timed_wait(deadline);
  }
  Operation leave = operation;
  leave.value = kFutexWaitEnds;
  const Turn turn = reach_point(leave, Wait{own_key(task), &wait_may_end, call.word, deadline, false, nullptr});
  dequeue_waiter(task);
  if (task.primitive.notified) return 0;
  return fail(turn == Turn::timed_out ? ETIMEDOUT : EINTR);
}

// Wakes up to `limit` waiters of the word whose bit sets intersect `bitset`. If there are more, which ones is a
// decision.
std::uint32_t wake(std::uint32_t* word, std::uint32_t limit, std::uint32_t bitset) {
  const std::uint64_t object = address_of(word);
  std::uint32_t woken = 0;
  for (; woken < limit; ++woken) {
    std::uint32_t candidates = 0;
    for (Task* task = first_waiter(object); task != nullptr; task = next_waiter(*task)) {
      if ((task->primitive.futex_bitset & bitset) != 0) ++candidates;
    }
    if (candidates == 0) break;
    std::uint32_t chosen = 0;
    if (candidates > limit - woken) {
      chosen = scheduler().choose_environment(EnvironmentKind::notify_target, candidates);
    }
    Task* task = first_waiter(object);
    for (;; task = next_waiter(*task)) {
      if ((task->primitive.futex_bitset & bitset) != 0 && chosen-- == 0) break;
    }
    wake_edge(task->id);
    notify_waiter(*task);
  }
  return woken;
}

long wake_call(const FutexCall& call, std::uint32_t bitset, CallSite pc) {
  if (bitset == 0) return fail(EINVAL);
  reach_point(operation_on(OperationKind::futex_wake, call.word, pc, call.value));
  return wake(call.word, call.value, bitset);
}

// Moves up to `limit` waiters of one word to another, in order.
std::uint32_t requeue(std::uint32_t* from, std::uint32_t* to, std::uint32_t limit) {
  std::uint32_t moved = 0;
  for (; moved < limit; ++moved) {
    Task* task = first_waiter(address_of(from));
    if (task == nullptr || from == to) break;
    dequeue_waiter(*task);
    enqueue_waiter(address_of(to), *task);
  }
  return moved;
}

long requeue_call(const FutexCall& call, bool compare, CallSite pc) {
  reach_point(operation_on(OperationKind::futex_wake, call.word, pc, call.value));
  if (compare && load(call.word) != call.third_value) return fail(EAGAIN);
  const std::uint32_t woken = wake(call.word, call.value, FUTEX_BITSET_MATCH_ANY);
  const std::uint32_t moved = requeue(call.word, call.second_word, call.count);
  return compare ? woken + moved : woken;
}

long wake_op_call(const FutexCall& call, CallSite pc) {
  reach_point(operation_on(OperationKind::futex_wake, call.word, pc, call.value));
  const std::uint32_t encoded = call.third_value;
  std::uint32_t operand = (encoded >> 12) & 0xfff;
  const auto compared = static_cast<int>(encoded << 20) >> 20;
  if (((encoded >> 28) & FUTEX_OP_OPARG_SHIFT) != 0) operand = 1U << (operand & 31);
  const std::uint32_t old = load(call.second_word);
  std::uint32_t result = old;
  switch ((encoded >> 28) & 7) {
    case FUTEX_OP_SET:
      result = operand;
      break;
    case FUTEX_OP_ADD:
      result = old + operand;
      break;
    case FUTEX_OP_OR:
      result = old | operand;
      break;
    case FUTEX_OP_ANDN:
      result = old & ~operand;
      break;
    case FUTEX_OP_XOR:
      result = old ^ operand;
      break;
    default:
      return fail(ENOSYS);
  }
  __atomic_store_n(call.second_word, result, __ATOMIC_SEQ_CST);
  scheduler().memory_written(address_of(call.second_word), sizeof result);
  const auto before = static_cast<int>(old);
  bool also_second = false;
  switch ((encoded >> 24) & 15) {
    case FUTEX_OP_CMP_EQ:
      also_second = before == compared;
      break;
    case FUTEX_OP_CMP_NE:
      also_second = before != compared;
      break;
    case FUTEX_OP_CMP_LT:
      also_second = before < compared;
      break;
    case FUTEX_OP_CMP_LE:
      also_second = before <= compared;
      break;
    case FUTEX_OP_CMP_GT:
      also_second = before > compared;
      break;
    case FUTEX_OP_CMP_GE:
      also_second = before >= compared;
      break;
    default:
      return fail(ENOSYS);
  }
  std::uint32_t woken = wake(call.word, call.value, FUTEX_BITSET_MATCH_ANY);
  if (also_second) woken += wake(call.second_word, call.count, FUTEX_BITSET_MATCH_ANY);
  return woken;
}

}  // namespace

long futex_call(const SystemCall& raw, CallSite pc) {
  const FutexCall call(raw.arguments);
  switch (call.command) {
    case FUTEX_WAIT:
      return wait(call, FUTEX_BITSET_MATCH_ANY, false, pc);
    case FUTEX_WAIT_BITSET:
      return wait(call, call.third_value, true, pc);
    case FUTEX_WAKE:
      return wake_call(call, FUTEX_BITSET_MATCH_ANY, pc);
    case FUTEX_WAKE_BITSET:
      return wake_call(call, call.third_value, pc);
    case FUTEX_REQUEUE:
      return requeue_call(call, false, pc);
    case FUTEX_CMP_REQUEUE:
      return requeue_call(call, true, pc);
    case FUTEX_WAKE_OP:
      return wake_op_call(call, pc);
    default:
      return forward_to_kernel(raw);  // priority inheritance: the kernel's business
  }
}

}  // namespace ravel
