// SPDX-License-Identifier: Apache-2.0
#include "operation_script.h"

#include <linux/futex.h>
#include <malloc.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <memory>

#include "runtime/interpose/annotation_operations.h"
#include "runtime/interpose/atomic_operations.h"
#include "runtime/interpose/barrier_operations.h"
#include "runtime/interpose/condition_operations.h"
#include "runtime/interpose/file_lock_operations.h"
#include "runtime/interpose/futex_operations.h"
#include "runtime/interpose/heap_operations.h"
#include "runtime/interpose/hooks.h"
#include "runtime/interpose/io_operations.h"
#include "runtime/interpose/memory_operations.h"
#include "runtime/interpose/module_table.h"
#include "runtime/interpose/mutex_operations.h"
#include "runtime/interpose/once_operations.h"
#include "runtime/interpose/random_operations.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/interpose/rwlock_operations.h"
#include "runtime/interpose/semaphore_operations.h"
#include "runtime/interpose/signal_operations.h"
#include "runtime/interpose/spin_operations.h"
#include "runtime/interpose/sync_point_operations.h"
#include "runtime/interpose/task_exit.h"
#include "runtime/interpose/thread_operations.h"
#include "runtime/interpose/time_operations.h"
#include "runtime/interpose/virtual_time.h"

namespace ravel::test {
namespace {

// -- answers ----------------------------------------------------------------------------------------------------------

std::string error_name(int error) { return error == 0 ? "0" : strerrorname_np(error); }
std::string or_errno(long result) { return result < 0 ? error_name(errno) : std::to_string(result); }
std::string number_text(std::uint64_t number) { return std::to_string(number); }
std::string busy_text(int result) { return result == 0 ? "0" : "busy"; }
// Of verbs that call something that answers nothing.
std::string nothing() { return ""; }

// -- objects ----------------------------------------------------------------------------------------------------------

struct Block {
  void* start = nullptr;
};
Block& block(const std::string& name);

// "b+4": four bytes into a block; nullptr for other names.
void* in_block(const std::string& name) {
  const std::size_t plus = name.find('+');
  if (plus == std::string::npos) return nullptr;
  return static_cast<char*>(block(name.substr(0, plus)).start) + to_number(name.substr(plus + 1));
}

// Objects on the stack of a task, by name.
std::map<std::string, void*>& local_objects() {
  static std::map<std::string, void*> objects;
  return objects;
}

// The object of this type that the script calls so. Types that are plain numbers are wrapped, to be told apart.
template <typename T>
T& object(
    const std::string& name, void (*initialise)(T&) = [](T&) {}) {
  if (void* const memory = in_block(name)) return *static_cast<T*>(memory);
  if (const auto local = local_objects().find(name); local != local_objects().end()) {
    return *static_cast<T*>(local->second);
  }
  static std::map<std::string, std::unique_ptr<T>> objects;
  std::unique_ptr<T>& place = objects[name];
  if (place == nullptr) {
    place = std::make_unique<T>();
    name_object(name, place.get(), sizeof(T));
    initialise(*place);
  }
  return *place;
}

// Has a command such a word?
bool has(const Words& words, const std::string& wanted) {
  for (const std::string& word : words) {
    if (word == wanted) return true;
  }
  return false;
}

pthread_mutex_t* mutex(const std::string& name) {
  return &object<pthread_mutex_t>(name, [](auto& fresh) { fresh = PTHREAD_MUTEX_INITIALIZER; });
}
pthread_cond_t* condition(const std::string& name) {
  return &object<pthread_cond_t>(name, [](auto& fresh) { fresh = PTHREAD_COND_INITIALIZER; });
}
pthread_rwlock_t* rwlock(const std::string& name) {
  return &object<pthread_rwlock_t>(name, [](auto& fresh) { fresh = PTHREAD_RWLOCK_INITIALIZER; });
}
struct SpinLock {
  pthread_spinlock_t lock;
};
pthread_spinlock_t* spin(const std::string& name) {
  return &object<SpinLock>(name, [](auto& fresh) { pthread_spin_init(&fresh.lock, 0); }).lock;
}
pthread_barrier_t* barrier(const std::string& name) {
  return &object<pthread_barrier_t>(name, [](auto& fresh) { pthread_barrier_init(&fresh, nullptr, 2); });
}
sem_t* semaphore(const std::string& name) {
  return &object<sem_t>(name, [](auto& fresh) { sem_init(&fresh, 0, 0); });
}
struct Once {
  pthread_once_t control = PTHREAD_ONCE_INIT;
};
pthread_once_t* once_control(const std::string& name) { return &object<Once>(name).control; }
struct Guard {
  std::uint64_t word = 0;
};
std::uint64_t* guard(const std::string& name) { return &object<Guard>(name).word; }
struct FutexWord {
  alignas(8) std::uint32_t word = 0;
};
std::uint32_t* futex_word(const std::string& name) { return &object<FutexWord>(name).word; }
struct Variable {
  std::uint64_t value = 0;
};
std::uint64_t* variable(const std::string& name) { return &object<Variable>(name).value; }
struct Key {
  pthread_key_t key = 0;
  std::string destructor;
};
Key& key(const std::string& name) { return object<Key>(name); }
struct File {
  char identity = 0;  // nobody looks into a FILE
};
FILE* file(const std::string& name) { return reinterpret_cast<FILE*>(&object<File>(name)); }
struct Pipe {
  int ends[2] = {-1, -1};
};
Pipe& pipe_named(const std::string& name) {
  return object<Pipe>(name, [](auto& fresh) {
    if (::pipe(fresh.ends) != 0) misspelt("no pipe");
  });
}
int write_end(const std::string& name) { return pipe_named(name).ends[1]; }
Block& block(const std::string& name) { return object<Block>(name); }
struct Event {
  ravel_sync_site site = {};
  std::string name;
};
ravel_sync_site* event(const std::string& name) {
  Event& event = object<Event>(name);
  event.name = name;
  event.site = {"test", event.name.c_str(), "here", 0, 0, 0};
  return &event.site;
}

pthread_t thread(const std::string& name) { return task_named(name).handle; }

sigset_t signal_set(const Words& words);

bool declare(const Words& words) {
  const std::string& what = words[0];
  if (what == "mutex") {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    if (has(words, "recursive")) pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    if (has(words, "errorcheck")) pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    if (has(words, "adaptive")) pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ADAPTIVE_NP);
    if (has(words, "robust")) pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(mutex(words.at(1)), &attributes);
  } else if (what == "condition") {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    if (has(words, "monotonic")) pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition(words.at(1)), &attributes);
  } else if (what == "rwlock") {
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
    if (has(words, "writers")) {
      pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    }
    pthread_rwlock_init(rwlock(words.at(1)), &attributes);
  } else if (what == "blocked") {
    const sigset_t set = signal_set(words);
    change_signal_mask(SIG_BLOCK, &set, nullptr);
    adopt_signal_mask();
  } else if (what == "barrier") {
    pthread_barrier_init(barrier(words.at(1)), nullptr, to_number(words.at(2)));
  } else if (what == "semaphore") {
    sem_init(semaphore(words.at(1)), 0, to_number(words.at(2)));
  } else if (what == "word") {
    *futex_word(words.at(1)) = to_number(words.at(2));
  } else {
    return false;
  }
  return true;
}

// -- times ------------------------------------------------------------------------------------------------------------

clockid_t clock_in(const Words& words, clockid_t otherwise = CLOCK_REALTIME) {
  if (has(words, "monotonic")) return CLOCK_MONOTONIC;
  if (has(words, "realtime")) return CLOCK_REALTIME;
  return has(words, "boottime") ? CLOCK_BOOTTIME : otherwise;
}

timespec duration(const std::string& text) {
  if (text == "invalid") return {0, 1'000'000'000};
  return to_timespec(to_time(text));
}

timespec deadline(const std::string& text, clockid_t clock) {
  if (text == "past") return {1, 0};
  if (text == "invalid") return {0, 1'000'000'000};
  const std::uint64_t base = clock == CLOCK_REALTIME ? kRealtimeBase : kMonotonicBase;
  return to_timespec(base + scheduler().now() + to_time(text));
}

// -- verbs ------------------------------------------------------------------------------------------------------------

// Those that call an operation with the object that the command names, and where they stand.
template <auto kOperation, auto kObject, auto kAnswer = error_name>
std::string call(const Words& words) {
  if constexpr (std::is_void_v<decltype(kOperation(kObject(words.at(1)), here()))>) {
    kOperation(kObject(words.at(1)), here());
    return "";
  } else {
    return kAnswer(kOperation(kObject(words.at(1)), here()));
  }
}

// The same with a clock and a deadline.
template <auto kOperation, auto kObject, auto kAnswer = error_name>
std::string call_until(const Words& words) {
  const clockid_t clock = clock_in(words);
  const timespec until = deadline(words.at(2), clock);
  return kAnswer(kOperation(kObject(words.at(1)), clock, &until, here()));
}

std::string timed_wait(const Words& words) {
  pthread_cond_t* const waited = condition(words.at(1));
  pthread_mutex_t* const held = mutex(words.at(2));
  if (words.size() == 4) {
    const bool monotonic = (waited->__data.__wrefs & 2) != 0;
    const timespec until = deadline(words[3], monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME);
    return error_name(condition_timed_wait(waited, held, &until, here()));
  }
  const clockid_t clock = clock_in(words);
  const timespec until = deadline(words.at(3), clock);
  return error_name(condition_clock_wait(waited, held, clock, &until, here()));
}

std::string destroy(const Words& words) {
  const std::string& what = words.at(1);
  const std::string& name = words.at(2);
  if (what == "mutex") return error_name(mutex_destroy(mutex(name), here()));
  if (what == "condition") return error_name(condition_destroy(condition(name), here()));
  if (what == "rwlock") return error_name(rwlock_destroy(rwlock(name), here()));
  if (what == "spin") return error_name(spin_destroy(spin(name), here()));
  if (what == "barrier") return error_name(barrier_destroy(barrier(name), here()));
  if (what == "semaphore") return or_errno(semaphore_destroy(semaphore(name), here()));
  misspelt(what);
}

// As the exported functions do it: the real one behind the word that something new is there.
std::string init(const Words& words) {
  const std::string& what = words.at(1);
  const std::string& name = words.at(2);
  if (what == "mutex") {
    mutex_created(mutex(name));
    return error_name(pthread_mutex_init(mutex(name), nullptr));
  }
  if (what == "condition") {
    condition_created(condition(name));
    return error_name(pthread_cond_init(condition(name), nullptr));
  }
  if (what == "rwlock") {
    rwlock_created(rwlock(name));
    return error_name(pthread_rwlock_init(rwlock(name), nullptr));
  }
  if (what == "spin") {
    spin_created(spin(name));
    return error_name(pthread_spin_init(spin(name), 0));
  }
  if (what == "semaphore") {
    semaphore_created(semaphore(name));
    return or_errno(sem_init(semaphore(name), 0, 1));
  }
  if (what == "barrier") {
    barrier_created(barrier(name));
    return error_name(pthread_barrier_init(barrier(name), nullptr, 1));
  }
  misspelt(what);
}

// What a static initialiser of C, or a constructor of C++, does without a call.
std::string assign(const Words& words) {
  const std::string& what = words.at(1);
  const std::string& name = words.at(2);
  if (what == "mutex") return *mutex(name) = PTHREAD_MUTEX_INITIALIZER, nothing();
  if (what == "condition") return *condition(name) = PTHREAD_COND_INITIALIZER, nothing();
  if (what == "rwlock") return *rwlock(name) = PTHREAD_RWLOCK_INITIALIZER, nothing();
  misspelt(what);
}

// Whatever else comes to lie where the object was.
std::string overwrite(const Words& words) {
  const std::string& what = words.at(1);
  const std::string& name = words.at(2);
  if (what == "mutex") {
    memset(mutex(name), 0x55, sizeof(pthread_mutex_t));
    mutex(name)->__data.__kind = PTHREAD_MUTEX_NORMAL;
    return "";
  }
  if (what == "condition") return memset(condition(name), 0x55, sizeof(pthread_cond_t)), nothing();
  if (what == "rwlock") return memset(rwlock(name), 0x55, sizeof(pthread_rwlock_t)), nothing();
  misspelt(what);
}

// A variable of the function that runs the routine.
std::string with_local(const Words& words) {
  alignas(64) unsigned char memory[64] = {};
  local_objects()[words.at(1)] = memory;
  name_object(words[1], memory, sizeof memory);
  perform_routine(words.at(2));
  return "";
}

std::string barrier_wait(const Words& words) {
  const int result = ravel::barrier_wait(barrier(words.at(1)), here());
  return result == PTHREAD_BARRIER_SERIAL_THREAD ? "serial" : error_name(result);
}

// What pthread_once calls gets no argument.
std::string& once_routine() {
  static std::map<TaskId, std::string> routines;
  return routines[scheduler().current().id];
}

std::string once_call(const Words& words) {
  once_routine() = words.at(2);
  const auto routine = [] { perform_routine(once_routine()); };
  try {
    return error_name(once(once_control(words[1]), routine, here()));
  } catch (const int&) {
    return "exception";
  }
}

std::string throw_exception(const Words&) {
  leave_command();
  throw 1;
}

std::string futex(const Words& words, int command, long value, const timespec* timeout_or_count = nullptr,
                  std::uint32_t* second = nullptr, std::uint32_t third = 0) {
  const SystemCall call{SYS_futex,
                        {reinterpret_cast<long>(futex_word(words.at(1))), command | FUTEX_PRIVATE_FLAG, value,
                         reinterpret_cast<long>(timeout_or_count), reinterpret_cast<long>(second), third}};
  return or_errno(futex_call(call, here()));
}

const timespec* as_count(const std::string& word) {
  return reinterpret_cast<const timespec*>(static_cast<std::uintptr_t>(to_number(word)));
}

std::string futex_wait(const Words& words) {
  const timespec limit = words.size() > 3 ? duration(words[3]) : timespec{};
  return futex(words, FUTEX_WAIT, to_number(words.at(2)), words.size() > 3 ? &limit : nullptr);
}

std::string futex_wait_bits(const Words& words) {
  const clockid_t clock = clock_in(words, CLOCK_MONOTONIC);
  const timespec until = words.size() > 4 ? deadline(words[4], clock) : timespec{};
  return futex(words, FUTEX_WAIT_BITSET | (clock == CLOCK_REALTIME ? FUTEX_CLOCK_REALTIME : 0), to_number(words.at(2)),
               words.size() > 4 ? &until : nullptr, nullptr, to_number(words.at(3)));
}

std::string futex_requeue(const Words& words) {
  const bool compares = words.size() > 5;
  return futex(words, compares ? FUTEX_CMP_REQUEUE : FUTEX_REQUEUE, to_number(words.at(2)), as_count(words.at(3)),
               futex_word(words.at(4)), compares ? to_number(words[5]) : 0);
}

// futex-wake-op w COUNT v COUNT: v becomes 1; who waits for it is woken when it was 0.
std::string futex_wake_op(const Words& words) {
  return futex(words, FUTEX_WAKE_OP, to_number(words.at(2)), as_count(words.at(4)), futex_word(words.at(3)),
               FUTEX_OP(FUTEX_OP_SET, 1, FUTEX_OP_CMP_EQ, 0));
}

Task* create_joinable(void* (*body)(void*), void* argument) {
  pthread_t thread = 0;
  return create_thread(&thread, nullptr, body, argument, 1) == 0 ? scheduler().task_of_handle(thread) : nullptr;
}

Task* create_detached(void* (*body)(void*), void* argument) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread = 0;
  return create_thread(&thread, &attributes, body, argument, 1) == 0 ? scheduler().task_of_handle(thread) : nullptr;
}

std::string join_answer(int error, void* result) {
  if (error != 0 || result == nullptr) return error_name(error);
  return "0 " + (result == PTHREAD_CANCELED ? "cancelled" : number_text(reinterpret_cast<std::uint64_t>(result)));
}

std::string join(const Words& words) {
  void* result = nullptr;
  const int error = join_thread(thread(words.at(1)), &result, here());
  return join_answer(error, result);
}

std::string try_join(const Words& words) {
  void* result = nullptr;
  const int error = try_join_thread(thread(words.at(1)), &result, here());
  return join_answer(error, result);
}

std::string timed_join(const Words& words) {
  void* result = nullptr;
  const clockid_t clock = clock_in(words);
  const timespec until = deadline(words.at(2), clock);
  const int error = clock_join_thread(thread(words[1]), &result, clock, &until, here());
  return join_answer(error, result);
}

std::string exit_thread(const Words& words) {
  leave_command();
  exit_current_task(reinterpret_cast<void*>(static_cast<std::uintptr_t>(to_number(words.at(1)))));
}

// What pthread_cleanup_push, or a destructor, leaves to do when the stack is unwound.
struct Cleanup {
  const std::string& routine;
  ~Cleanup() noexcept(false) { perform_routine(routine); }
};

std::string with_cleanup(const Words& words) {
  const Cleanup cleanup{words.at(1)};
  perform_routine(words.at(2));
  return "";
}

std::string get_name(const Words& words) {
  char name[16] = {};
  const int error = get_thread_name(thread(words.at(1)), name, sizeof name);
  return error == 0 ? name : error_name(error);
}

std::string make_key(const Words& words) {
  Key& made = key(words.at(1));
  if (words.size() == 2) return error_name(create_key(&made.key, nullptr));
  made.destructor = words[2];
  // The value is the name of the routine, kept with the key.
  return error_name(create_key(&made.key, [](void* value) { perform_routine(static_cast<Key*>(value)->destructor); }));
}

std::string set_key(const Words& words) {
  Key& set = key(words.at(1));
  return error_name(pthread_setspecific(set.key, words.size() > 2 ? nullptr : &set));
}

std::string at_thread_exit(const Words& words) {
  static std::map<std::string, std::string> routines;
  std::string& routine = routines[words.at(1)] = words[1];
  return error_name(
      add_thread_exit_call([](void* name) { perform_routine(*static_cast<std::string*>(name)); }, &routine, nullptr));
}

// -- signals ----------------------------------------------------------------------------------------------------------

int signal_number(const std::string& name) {
  for (int number = 1; number < 32; ++number) {
    if (name == sigabbrev_np(number)) return number;
  }
  return static_cast<int>(to_number(name));
}

sigset_t signal_set(const Words& words) {
  sigset_t set;
  sigemptyset(&set);
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i][0] >= 'A' && words[i][0] <= 'Z') sigaddset(&set, signal_number(words[i]));
  }
  return set;
}

std::map<int, std::string>& handlers() {
  static std::map<int, std::string> routines;
  return routines;
}

std::string handle_signal(const Words& words) {
  const int number = signal_number(words.at(1));
  handlers()[number] = words.at(2);
  struct sigaction action = {};
  action.sa_handler = [](int struck) { perform_routine(handlers()[struck]); };
  return or_errno(sigaction(number, &action, nullptr));
}

std::string queue_signal(const Words& words) {
  sigval value = {};
  value.sival_int = static_cast<int>(to_number(words.at(3)));
  return error_name(send_signal(thread(words.at(1)), signal_number(words.at(2)), &value, here()));
}

std::string wait_for_signals(const Words& words, const timespec* timeout) {
  const sigset_t set = signal_set(words);
  siginfo_t information = {};
  const int number = wait_for_signal(&set, &information, timeout, here());
  if (number < 0) return error_name(errno);
  const std::string value =
      information.si_code == SI_QUEUE ? " " + std::to_string(information.si_value.sival_int) : std::string();
  return sigabbrev_np(number) + value;
}

std::string signal_timed_wait(const Words& words) {
  const timespec timeout = duration(words.back());
  return wait_for_signals(words, &timeout);
}

// -- time -------------------------------------------------------------------------------------------------------------

std::string sleep_a_while(const Words& words) {
  timespec remaining = {};
  const int error = sleep_for(duration(words.at(1)), &remaining, here());
  if (error != EINTR) return error_name(error);
  return "EINTR " + time_text(static_cast<std::uint64_t>(remaining.tv_sec) * kNanosecondsPerSecond +
                              static_cast<std::uint64_t>(remaining.tv_nsec));
}

std::string sleep_until(const Words& words) {
  const clockid_t clock = clock_in(words);
  return error_name(sleep_on_clock(clock, TIMER_ABSTIME, deadline(words.at(1), clock), nullptr, here()));
}

std::string read_clock(const Words& words) {
  timespec time = {};
  read_clock_into(clock_in(words), &time);
  return time_text(static_cast<std::uint64_t>(time.tv_sec) * kNanosecondsPerSecond +
                   static_cast<std::uint64_t>(time.tv_nsec));
}

// -- heap and memory --------------------------------------------------------------------------------------------------

template <HeapKind kKind>
std::string allocate(const Words& words) {
  Block& made = block(words.at(1));
  const std::uint32_t size = to_number(words.at(2));
  const bool zeroes = words[0] == "calloc";
  void* const memory = zeroes ? std::calloc(1, size) : std::malloc(size);
  made.start = heap_allocated(memory, size, kKind, here(), zeroes ? HeapContents::zeroes : HeapContents::none);
  name_object(words[1], made.start, size);
  return "";
}

template <HeapKind kKind>
std::string give_back(const Words& words) {
  const std::size_t plus = std::min(words.at(1).find('+'), words[1].size());
  char* const start = static_cast<char*>(block(words[1].substr(0, plus)).start);
  const std::uint32_t offset = plus < words[1].size() ? to_number(words[1].substr(plus + 1)) : 0;
  heap_free(start + offset, kKind, words.size() > 2 ? to_number(words[2]) : kAnySize, here());
  return "";
}

// Memory that was never handed out.
std::string free_other(const Words& words) {
  static int global = 0;
  int local = 0;
  heap_free(words.at(1) == "global" ? &global : &local, HeapKind::malloc, kAnySize, here());
  return "";
}

std::string reallocate(const Words& words) {
  void* const before = block(words.at(1)).start;
  Block& after = block(words.back() == words.at(2) ? words[1] : words.back());
  const std::uint32_t size = to_number(words[2]);
  after.start = heap_reallocate(before, size, here());
  if (after.start != nullptr) name_object(words[1], after.start, size);
  return after.start == nullptr ? "null" : after.start == before ? "same" : "moved";
}

// "x": a variable; "b+4": four bytes into a block.
std::pair<std::uint64_t*, std::uint64_t> memory_at(const std::string& name) {
  if (void* const memory = in_block(name)) return {static_cast<std::uint64_t*>(memory), 4};
  return {variable(name), 8};
}

std::string read_memory(const Words& words) {
  const auto [address, size] = memory_at(words.at(1));
  memory_access(address_of(address), size, OperationKind::read, here());
  return size == 8 ? number_text(*address) : "";
}

std::string write_memory(const Words& words) {
  const auto [address, size] = memory_at(words.at(1));
  memory_access(address_of(address), size, OperationKind::write, here());
  if (size == 8) *address = to_number(words.at(2));
  return "";
}

MemoryOrder order_in(const Words& words, std::size_t at) {
  constexpr const char* kNames[] = {"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
  for (unsigned order = 0; order < std::size(kNames) && at < words.size(); ++order) {
    if (words[at] == kNames[order]) return static_cast<MemoryOrder>(order);
  }
  return MemoryOrder::seq_cst;
}

std::string load(const Words& words) {
  std::uint64_t seen = 0;
  do {
    seen = atomic_load(variable(words.at(1)), order_in(words, 2), here());
  } while (words[0] == "spin" && seen == 0);
  return number_text(seen);
}

template <CasStrength kStrength>
std::string compare_exchange(const Words& words) {
  std::uint64_t expected = to_number(words.at(2));
  const MemoryOrder order = order_in(words, 4);
  const CasOrders orders{order, MemoryOrder::relaxed, order};
  const bool done = atomic_compare_exchange(variable(words[1]), &expected, std::uint64_t{to_number(words.at(3))},
                                            kStrength, orders, here());
  return done ? "done" : number_text(expected);
}

// -- descriptors ------------------------------------------------------------------------------------------------------

std::string pipe_read(const Words& words) {
  char text[64] = {};
  const ssize_t length = io_read(pipe_named(words.at(1)).ends[0], text, sizeof text - 1, here());
  return length > 0 ? text : or_errno(length);
}

std::string poll_pipe(const Words& words) {
  pollfd waited{pipe_named(words.at(1)).ends[0], POLLIN, 0};
  const timespec limit = words.size() > 2 ? duration(words[2]) : timespec{};
  return or_errno(io_poll(&waited, 1, words.size() > 2 ? &limit : nullptr, nullptr, here()));
}

std::string poll_nothing(const Words& words) {
  const timespec limit = duration(words.at(1));
  return or_errno(io_poll(nullptr, 0, &limit, nullptr, here()));
}

SchedulerHooks hooks(Channel& channel) {
  setenv("RAVEL_RACE_TEST", "test", 1);
  read_running_race_test();
  g_mode = RuntimeMode::active;
  const LaunchOptions& launch = channel.launch.options;
  if (launch.heap != 0) write_modules(channel);
  if (launch.finds_races() || launch.heap != 0 || launch.memory_model == MemoryModel::c11) learn_known_sites(channel);
  return primitive_hooks();
}

const std::map<std::string, Vocabulary::Verb> kVerbs = {
    {"lock", &call<mutex_lock, mutex>},
    {"trylock", &call<mutex_try_lock, mutex>},
    {"timedlock", &call_until<mutex_clock_lock, mutex>},
    {"unlock", &call<mutex_unlock, mutex>},
    {"consistent", [](const Words& words) { return error_name(mutex_make_consistent(mutex(words.at(1)))); }},
    {"destroy", &destroy},
    {"init", &init},
    {"assign", &assign},
    {"overwrite", &overwrite},
    {"local", &with_local},

    {"wait",
     [](const Words& words) { return error_name(condition_wait(condition(words.at(1)), mutex(words.at(2)), here())); }},
    {"timedwait", &timed_wait},
    {"signal", &call<condition_signal, condition>},
    {"broadcast", &call<condition_broadcast, condition>},

    {"rdlock", &call<rwlock_read_lock, rwlock>},
    {"tryrdlock", &call<rwlock_try_read_lock, rwlock>},
    {"timedrdlock", &call_until<rwlock_clock_read_lock, rwlock>},
    {"wrlock", &call<rwlock_write_lock, rwlock>},
    {"trywrlock", &call<rwlock_try_write_lock, rwlock>},
    {"timedwrlock", &call_until<rwlock_clock_write_lock, rwlock>},
    {"rwunlock", &call<rwlock_unlock, rwlock>},

    {"spinlock", &call<spin_lock, spin>},
    {"spintrylock", &call<spin_try_lock, spin>},
    {"spinunlock", &call<spin_unlock, spin>},

    {"barrier", &barrier_wait},

    {"semwait", &call<semaphore_wait, semaphore, or_errno>},
    {"semtrywait", &call<semaphore_try_wait, semaphore, or_errno>},
    {"semtimedwait", &call_until<semaphore_clock_wait, semaphore, or_errno>},
    {"post", &call<semaphore_post, semaphore, or_errno>},

    {"once", &once_call},
    {"throw", &throw_exception},
    {"guard", &call<guard_acquire, guard, number_text>},
    {"guard-done", &call<guard_release, guard>},
    {"guard-abort", &call<guard_abort, guard>},

    {"word", [](const Words& words) { return *futex_word(words.at(1)) = to_number(words.at(2)), nothing(); }},
    {"futex-wait", &futex_wait},
    {"futex-wait-bits", &futex_wait_bits},
    {"futex-wake", [](const Words& words) { return futex(words, FUTEX_WAKE, to_number(words.at(2))); }},
    {"futex-wake-bits",
     [](const Words& words) {
       return futex(words, FUTEX_WAKE_BITSET, to_number(words.at(2)), nullptr, nullptr, to_number(words.at(3)));
     }},
    {"futex-requeue", &futex_requeue},
    {"futex-wake-op", &futex_wake_op},

    {"flockfile", &call<lock_file, file>},
    {"ftrylockfile", &call<try_lock_file, file, busy_text>},
    {"funlockfile", &call<unlock_file, file>},

    {"create",
     [](const Words& words) {
       return create_task(words.at(1), has(words, "detached") ? &create_detached : &create_joinable), nothing();
     }},
    {"join", &join},
    {"tryjoin", &try_join},
    {"timedjoin", &timed_join},
    {"detach", &call<detach_thread, thread>},
    {"exit", &exit_thread},
    {"cleanup", &with_cleanup},
    {"name", [](const Words& words) { return error_name(set_thread_name(thread(words.at(1)), words.at(2).c_str())); }},
    {"getname", &get_name},
    {"cancel", &call<cancel_thread, thread>},
    {"cancelstate",
     [](const Words& words) {
       return error_name(
           set_cancel_state(words.at(1) == "disable" ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE, nullptr));
     }},
    {"canceltype",
     [](const Words& words) {
       return error_name(set_cancel_type(
           words.at(1) == "asynchronous" ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED, nullptr));
     }},
    {"testcancel", [](const Words&) { return test_cancel(), nothing(); }},
    {"key", &make_key},
    {"setkey", &set_key},
    {"getkey",
     [](const Words& words) {
       return std::string(pthread_getspecific(key(words.at(1)).key) == nullptr ? "null" : "set");
     }},
    {"deletekey", [](const Words& words) { return error_name(delete_key(key(words.at(1)).key)); }},
    {"thread-atexit", &at_thread_exit},

    {"handle", &handle_signal},
    {"kill",
     [](const Words& words) {
       return error_name(send_signal(thread(words.at(1)), signal_number(words.at(2)), nullptr, here()));
     }},
    {"sigqueue", &queue_signal},
    {"kill-process",
     [](const Words& words) { return or_errno(send_process_signal(getpid(), signal_number(words.at(1)), here())); }},
    {"sigwait", [](const Words& words) { return wait_for_signals(words, nullptr); }},
    {"sigtimedwait", &signal_timed_wait},
    {"pause", [](const Words&) { return or_errno(suspend_for_signal(nullptr, here())); }},
    {"sigsuspend",
     [](const Words&) {
       sigset_t none;
       sigemptyset(&none);
       return or_errno(suspend_for_signal(&none, here()));
     }},
    {"pending",
     [](const Words&) {
       sigset_t set;
       read_pending_signals(&set);
       return std::string(sigismember(&set, SIGUSR1) == 1 ? "USR1" : "none");
     }},
    {"block",
     [](const Words& words) {
       const sigset_t set = signal_set(words);
       return error_name(change_signal_mask(SIG_BLOCK, &set, nullptr));
     }},
    {"unblock",
     [](const Words& words) {
       const sigset_t set = signal_set(words);
       return error_name(change_signal_mask(SIG_UNBLOCK, &set, nullptr));
     }},

    {"sleep", &sleep_a_while},
    {"sleep-until", &sleep_until},
    {"yield", [](const Words&) { return yield_task(here()), nothing(); }},
    {"clock", &read_clock},

    {"malloc", &allocate<HeapKind::malloc>},
    {"calloc", &allocate<HeapKind::malloc>},
    {"new", &allocate<HeapKind::new_object>},
    {"new-array", &allocate<HeapKind::new_array>},
    {"realloc", &reallocate},
    {"free", &give_back<HeapKind::malloc>},
    {"delete", &give_back<HeapKind::new_object>},
    {"delete-array", &give_back<HeapKind::new_array>},
    {"delete-sized", &give_back<HeapKind::new_object>},
    {"new-aligned", &allocate<HeapKind::new_aligned>},
    {"delete-aligned", &give_back<HeapKind::new_aligned>},
    {"free-other", &free_other},

    {"read", &read_memory},
    {"write", &write_memory},
    {"load", &load},
    {"spin", &load},
    {"store",
     [](const Words& words) {
       atomic_store(variable(words.at(1)), std::uint64_t{to_number(words.at(2))}, order_in(words, 3), here());
       return nothing();
     }},
    {"add",
     [](const Words& words) {
       return number_text(atomic_fetch<std::uint64_t, FetchKind::add>(
           variable(words.at(1)), std::uint64_t{to_number(words.at(2))}, order_in(words, 3), here()));
     }},
    {"cas", &compare_exchange<CasStrength::strong>},
    {"weak-cas", &compare_exchange<CasStrength::weak>},
    {"fence", [](const Words& words) { return atomic_thread_fence(order_in(words, 1), here()), nothing(); }},

    {"acquire", &call<annotated_acquire, variable>},
    {"release", &call<annotated_release, variable>},
    {"choose", [](const Words& words) { return number_text(choose(to_number(words.at(1)), here())); }},
    {"lock-taken", [](const Words& words) { return annotated_lock_taken(variable(words.at(1)), false), nothing(); }},
    {"lock-given-up",
     [](const Words& words) { return annotated_lock_given_up(variable(words.at(1)), false), nothing(); }},
    {"random", [](const Words&) { return number_text(random_word()); }},
    {"fail", [](const Words& words) { return fail(words.at(1).c_str(), here()), nothing(); }},
    {"no-locks", [](const Words&) { return expect_no_locks_held(here()), nothing(); }},

    {"wait-event", &call<sync_point_wait, event>},
    {"notify-event", &call<sync_point_notify, event>},

    {"pipe-write",
     [](const Words& words) {
       return or_errno(io_write(write_end(words.at(1)), words.at(2).data(), words[2].size(), here()));
     }},
    {"outside-writes",
     [](const Words& words) {
       return ::write(write_end(words.at(1)), words.at(2).data(), words[2].size()) < 0 ? "failed" : nothing();
     }},
    {"pipe-read", &pipe_read},
    {"pipe-close", &call<io_close, write_end, or_errno>},
    {"poll-nothing", &poll_nothing},
    {"poll", &poll_pipe},
};

}  // namespace

const Vocabulary& operation_vocabulary() {
  static const Vocabulary vocabulary{kVerbs, &create_joinable, &hooks, &declare};
  return vocabulary;
}

}  // namespace ravel::test
