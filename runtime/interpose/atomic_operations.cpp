// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/atomic_operations.h"

#include "runtime/interpose/free_running.h"
#include "runtime/interpose/memory_operations.h"
#include "runtime/interpose/points.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/interpose/sync_edges.h"
#include "runtime/interpose/unseen_code.h"
#include "runtime/memory/store_histories.h"
#include "runtime/scheduler/scheduler.h"

namespace ravel {
namespace {

// What is known of the program's atomics; for the running task. Prepared once, by prepare_atomics.
struct AtomicState {
  StoreHistories histories;
  // A signal may arrive in the middle of an access. What its handler does to atomics is then done to memory alone,
  // where the next access notices it.
  bool in_access = false;
};
constinit AtomicState g_atomics;

using Kind = AtomicAccess::Kind;

// The real compare-exchange: returns what was found.
template <typename T>
T real_compare_exchange(volatile T* object, T expected, T desired) {
  return __sync_val_compare_and_swap(object, expected, desired);
}

// In assembly: the builtins may call libatomic, which the runtime does not link. Every x86-64 machine in use has it.
template <>
Uint128 real_compare_exchange(volatile Uint128* object, Uint128 expected, Uint128 desired) {
  auto low = static_cast<std::uint64_t>(expected);
  auto high = static_cast<std::uint64_t>(expected >> 64);
  asm volatile("lock cmpxchg16b %0"
               : "+m"(*object), "+a"(low), "+d"(high)
               : "b"(static_cast<std::uint64_t>(desired)), "c"(static_cast<std::uint64_t>(desired >> 64))
               : "memory", "cc");
  return (static_cast<Uint128>(high) << 64) | low;
}

template <typename T>
T real_load(const volatile T* object) {
  if constexpr (sizeof(T) <= 8) {
    return __atomic_load_n(object, __ATOMIC_SEQ_CST);
  } else {
    // Storing zero over zero is the only way to read 16 bytes at once that all machines promise.
    return real_compare_exchange(const_cast<volatile T*>(object), T{0}, T{0});
  }
}

template <FetchKind kKind, typename T>
constexpr T combine(T before, T operand) {
  switch (kKind) {
    case FetchKind::exchange:
      return operand;
    case FetchKind::add:
      return static_cast<T>(before + operand);
    case FetchKind::sub:
      return static_cast<T>(before - operand);
    case FetchKind::and_:
      return static_cast<T>(before & operand);
    case FetchKind::or_:
      return static_cast<T>(before | operand);
    case FetchKind::xor_:
      return static_cast<T>(before ^ operand);
    case FetchKind::nand:
      return static_cast<T>(~(before & operand));
  }
}

template <FetchKind kKind, typename T>
T real_fetch(volatile T* object, T operand) {
  if constexpr (sizeof(T) <= 8 && kKind == FetchKind::exchange) {
    return __atomic_exchange_n(object, operand, __ATOMIC_SEQ_CST);
  } else if constexpr (sizeof(T) <= 8 && kKind == FetchKind::add) {
    return __atomic_fetch_add(object, operand, __ATOMIC_SEQ_CST);
  } else if constexpr (sizeof(T) <= 8 && kKind == FetchKind::sub) {
    return __atomic_fetch_sub(object, operand, __ATOMIC_SEQ_CST);
  } else {
    T before = real_load(object);
    while (true) {
      const T found = real_compare_exchange(object, before, combine<kKind>(before, operand));
      if (found == before) return before;
      before = found;
    }
  }
}

template <typename T>
AtomicValue value_of(T value) {
  if constexpr (sizeof(T) <= 8) {
    return AtomicValue{value, 0};
  } else {
    return AtomicValue{static_cast<std::uint64_t>(value), static_cast<std::uint64_t>(value >> 64)};
  }
}

template <typename T>
T from_value(const AtomicValue& value) {
  if constexpr (sizeof(T) <= 8) {
    return static_cast<T>(value.low);
  } else {
    return (static_cast<T>(value.high) << 64) | value.low;
  }
}

// The scheduling point. False: not under the engine, or nobody else could notice.
template <typename T>
bool announce(OperationKind kind, const volatile T* object, T value, MemoryOrder order, std::uint64_t pc) {
  if (free_running()) free_atomic(kind, address_of(object), sizeof(T), pc);
  if (!under_engine()) return false;
  Scheduler& engine = scheduler();
  if (!engine.concurrent()) return false;
  const auto address = reinterpret_cast<std::uint64_t>(object);
  note_atomic_access(address, sizeof(T), pc);
  Operation operation;
  operation.kind = kind;
  operation.order = order;
  operation.size = sizeof(T);
  operation.object = address;
  operation.pc = pc;
  operation.value = static_cast<std::uint64_t>(value);
  reach_point(operation);
  return true;
}

template <typename T>
void tell_written(const volatile T* object) {
  scheduler().memory_written(reinterpret_cast<std::uint64_t>(object), sizeof(T));
}

// One access through the history of its location. Nothing else may happen while it lives.
template <typename T>
class TrackedAccess {
 public:
  // Whether to use the history at all. Also when no other task is live: what ended tasks did may still have to be
  // acquired.
  static bool wanted() { return under_engine() && tracks_order() && !g_atomics.in_access; }

  // `announced`: there was a scheduling point, so a choice can be part of the schedule.
  TrackedAccess(Kind kind, volatile T* object, bool announced, std::uint64_t pc) : object_(object), pc_(pc) {
    g_atomics.in_access = true;
    access_.task = scheduler().current().id;
    access_.kind = kind;
    access_.size = sizeof(T);
    access_.address = reinterpret_cast<std::uint64_t>(object);
    access_.pc = pc;
    if (announced) access_.step = scheduler().channel().result.summary.steps;
    access_.newest_only = !announced;
  }
  TrackedAccess(const TrackedAccess&) = delete;
  TrackedAccess& operator=(const TrackedAccess&) = delete;
  ~TrackedAccess() { g_atomics.in_access = false; }

  // What the operation sees, or is placed after.
  T choose(MemoryOrder order) {
    access_.order = order;
    return choose();
  }
  T choose(MemoryOrder success, MemoryOrder failure, T expected) {
    access_.order = success;
    access_.failure_order = failure;
    access_.expected = value_of(expected);
    return choose();
  }

  void finish_load() {
    g_atomics.histories.acquire_for_load();
    made(OperationKind::atomic_load);
    g_atomics.histories.finish_load();
  }

  void finish_store(T value) {
    made(OperationKind::atomic_store);
    if (!g_atomics.histories.finish_store(value_of(value))) return;
    if (real_fetch<FetchKind::exchange>(object_, value) != value && !access_.newest_only) tell_written(object_);
  }

  // False: another process changed the memory in the meantime; the operation has not been made.
  bool finish_read_modify_write(T seen, T value) {
    g_atomics.histories.acquire_for_read_modify_write();
    made(access_.kind == Kind::compare_exchange ? OperationKind::atomic_cas : OperationKind::atomic_rmw);
    if (!g_atomics.histories.finish_read_modify_write(value_of(value))) return true;
    if (real_compare_exchange(object_, seen, value) != seen) {
      g_atomics.histories.forget(access_.address, sizeof(T));
      return false;
    }
    if (seen != value && !access_.newest_only) tell_written(object_);
    return true;
  }

 private:
  T choose() {
    const std::uint32_t options = g_atomics.histories.begin(access_, value_of(real_load(object_)));
    if (g_atomics.histories.history_restarted()) [[unlikely]]
      note_unknown_store();
    if (g_atomics.histories.cut()) scheduler().channel().result.summary.history_cut = 1;
    if (happens_before().exhausted()) [[unlikely]]
      scheduler().channel().result.summary.order_lost = 1;
    const std::uint32_t option = options > 1 ? scheduler().choose_store(options) : 0;
    const T seen = from_value<T>(g_atomics.histories.choose(option));
    if (option != 0) [[unlikely]]
      note_weak_read();
    if (!access_.newest_only) scheduler().trace_store(g_atomics.histories.chosen_store().step);
    return seen;
  }

  // Somebody wrote there without an atomic store that was seen: instrumented code, which initialises atomics so, or
  // not.
  void note_unknown_store() const {
    if (access_.kind == Kind::store) return;
    const bool changed = g_atomics.histories.was_changed() && !last_write_was_plain(access_.address, sizeof(T));
    looks_at_unknown_store(changed);
  }

  void note_weak_read() const {
    Channel& channel = scheduler().channel();
    const StoreOrigin chosen = g_atomics.histories.chosen_store();
    const StoreOrigin newest = g_atomics.histories.newest_store();
    WeakRead& read = channel.result.weak_read[channel.result.weak_reads++ % kMaxWeakReads];
    read.operation = Operation{};
    read.operation.kind = access_.kind == Kind::store ? OperationKind::atomic_store : OperationKind::atomic_load;
    read.operation.order = access_.order;
    read.operation.size = sizeof(T);
    read.operation.task = access_.task;
    read.operation.object = access_.address;
    read.operation.pc = pc_;
    read.operation.value = chosen.value.low;
    read.writer = chosen.task;
    read.writer_pc = chosen.pc;
    read.newest_writer = newest.task;
    read.newest_pc = newest.pc;
    read.newest_value = newest.value.low;
    if (access_.kind != Kind::store) scheduler().older_store_seen(chosen.value.low);
  }

  void made(OperationKind kind) { atomic_access_made(access_.address, sizeof(T), kind, pc_); }

  volatile T* object_;
  std::uint64_t pc_;
  AtomicAccess access_;
};

}  // namespace

template <typename T>
T atomic_load(const volatile T* object, MemoryOrder order, std::uint64_t pc) {
  const bool announced = announce(OperationKind::atomic_load, object, T{0}, order, pc);
  if (!TrackedAccess<T>::wanted()) return real_load(object);
  TrackedAccess<T> access(Kind::load, const_cast<volatile T*>(object), announced, pc);
  const T seen = access.choose(order);
  access.finish_load();
  return seen;
}

template <typename T>
void atomic_store(volatile T* object, T value, MemoryOrder order, std::uint64_t pc) {
  const bool announced = announce(OperationKind::atomic_store, object, value, order, pc);
  if (TrackedAccess<T>::wanted()) {
    TrackedAccess<T> access(Kind::store, object, announced, pc);
    access.choose(order);
    access.finish_store(value);
    return;
  }
  const T before = real_fetch<FetchKind::exchange>(object, value);
  if (announced && before != value) tell_written(object);
}

template <typename T, FetchKind kKind>
T atomic_fetch(volatile T* object, T operand, MemoryOrder order, std::uint64_t pc) {
  const bool announced = announce(OperationKind::atomic_rmw, object, operand, order, pc);
  if (TrackedAccess<T>::wanted()) {
    TrackedAccess<T> access(Kind::read_modify_write, object, announced, pc);
    const T seen = access.choose(order);
    if (access.finish_read_modify_write(seen, combine<kKind>(seen, operand))) return seen;
  }
  const T before = real_fetch<kKind>(object, operand);
  if (announced && before != combine<kKind>(before, operand)) tell_written(object);
  return before;
}

template <typename T>
bool atomic_compare_exchange(volatile T* object, T* expected, T desired, CasStrength strength, const CasOrders& orders,
                             std::uint64_t pc) {
  const bool announced = announce(OperationKind::atomic_cas, object, desired, orders.announced, pc);
  const T wanted = *expected;
  const auto fails_by_chance = [&](T seen) {
    return announced && strength == CasStrength::weak && seen == wanted &&
           scheduler().choose_environment(EnvironmentKind::weak_failure, 2) == 1;
  };
  if (TrackedAccess<T>::wanted()) {
    TrackedAccess<T> access(Kind::compare_exchange, object, announced, pc);
    const T seen = access.choose(orders.success, orders.failure, wanted);
    if (seen != wanted || fails_by_chance(seen)) {
      access.finish_load();
      *expected = seen;
      return false;
    }
    if (access.finish_read_modify_write(seen, desired)) return true;
  } else if (fails_by_chance(real_load(object))) {
    return false;
  }
  const T found = real_compare_exchange(object, wanted, desired);
  if (found != wanted) {
    *expected = found;
    return false;
  }
  if (announced && wanted != desired) tell_written(object);
  return true;
}

void atomic_thread_fence(MemoryOrder order, std::uint64_t pc) {
  if (under_engine() && scheduler().concurrent()) {
    Operation operation;
    operation.kind = OperationKind::fence;
    operation.order = order;
    operation.pc = pc;
    reach_point(operation);
  }
  if (under_engine() && tracks_order() && !g_atomics.in_access) {
    g_atomics.in_access = true;
    g_atomics.histories.fence(scheduler().current().id, order);
    g_atomics.in_access = false;
  }
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void prepare_atomics(const LaunchOptions& launch) {
  g_atomics.histories.prepare(happens_before(), hidden_order(),
                              launch.memory_model == MemoryModel::c11 ? launch.history : 1);
}

void publish_atomic_byte(const volatile std::uint8_t* object, std::uint64_t pc) {
  if (!under_engine() || !tracks_order() || g_atomics.in_access) return;
  g_atomics.in_access = true;
  atomic_access_made(address_of(object), 1, OperationKind::atomic_store, pc);
  g_atomics.histories.publish(scheduler().current().id, address_of(object), 1, value_of(*object));
  g_atomics.in_access = false;
}

void acquire_atomic_byte(const volatile std::uint8_t* object, std::uint64_t pc) {
  if (!TrackedAccess<std::uint8_t>::wanted()) return;
  TrackedAccess<std::uint8_t> access(Kind::load, const_cast<volatile std::uint8_t*>(object), false, pc);
  access.choose(MemoryOrder::acquire);
  access.finish_load();
}

void forget_atomics(std::uint64_t address, std::uint64_t size) {
  if (!g_atomics.histories.prepared() || g_atomics.in_access) return;
  g_atomics.in_access = true;
  g_atomics.histories.forget(address, size);
  g_atomics.in_access = false;
}

#define RAVEL_INSTANTIATE_FETCH(T, kind) \
  template T atomic_fetch<T, FetchKind::kind>(volatile T*, T, MemoryOrder, std::uint64_t);
#define RAVEL_INSTANTIATE(T)                                                                                  \
  template T atomic_load<T>(const volatile T*, MemoryOrder, std::uint64_t);                                   \
  template void atomic_store<T>(volatile T*, T, MemoryOrder, std::uint64_t);                                  \
  template bool atomic_compare_exchange<T>(volatile T*, T*, T, CasStrength, const CasOrders&, std::uint64_t); \
  RAVEL_INSTANTIATE_FETCH(T, exchange)                                                                        \
  RAVEL_INSTANTIATE_FETCH(T, add)                                                                             \
  RAVEL_INSTANTIATE_FETCH(T, sub)                                                                             \
  RAVEL_INSTANTIATE_FETCH(T, and_)                                                                            \
  RAVEL_INSTANTIATE_FETCH(T, or_)                                                                             \
  RAVEL_INSTANTIATE_FETCH(T, xor_)                                                                            \
  RAVEL_INSTANTIATE_FETCH(T, nand)

RAVEL_INSTANTIATE(std::uint8_t)
RAVEL_INSTANTIATE(std::uint16_t)
RAVEL_INSTANTIATE(std::uint32_t)
RAVEL_INSTANTIATE(std::uint64_t)
RAVEL_INSTANTIATE(Uint128)

}  // namespace ravel
