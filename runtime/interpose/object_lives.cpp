// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/object_lives.h"

#include <semaphore.h>
#include <stdio.h>

#include "runtime/interpose/heap_operations.h"
#include "runtime/interpose/memory_operations.h"
#include "runtime/memory/open_table.h"

// Where the runtime's own code begins and ends: the linker's names, of this very module.
extern "C" __attribute__((visibility("hidden"))) const char __ehdr_start;  // NOLINT
extern "C" __attribute__((visibility("hidden"))) const char etext;         // NOLINT

namespace ravel {

constinit internal::KnownObject internal::g_known_objects[1U << internal::kKnownObjectBits] = {};

namespace {

enum class ObjectType : std::uint8_t { none, mutex, condition, rwlock, semaphore, barrier, spin_lock, once };

// What is known of an object that is over, or was. Zeroes: nothing.
struct Life {
  ObjectType destroyed;  // none: it was not
  bool told;             // the program used it afterwards, and that was stated
};

constexpr unsigned kPageBits = 12;
constexpr std::uint64_t kPages = 4096;

struct ObjectLives {
  OpenTable<Life> lives;
  // Which pages may hold known objects, by the lowest bits of their number: nearly all memory that is freed holds none.
  std::uint64_t pages[kPages / 64] = {};
};
constinit ObjectLives g_lives;

struct TypeWords {
  const char* noun;
  std::uint16_t size;
};
constexpr TypeWords kTypes[] = {
    {"an object", 1},
    {"a mutex", sizeof(pthread_mutex_t)},
    {"a condition variable", sizeof(pthread_cond_t)},
    {"a read-write lock", sizeof(pthread_rwlock_t)},
    {"a semaphore", sizeof(sem_t)},
    {"a barrier", sizeof(pthread_barrier_t)},
    {"a spin lock", sizeof(pthread_spinlock_t)},
    {"a once flag", sizeof(pthread_once_t)},
};
const TypeWords& words_of(ObjectType type) { return kTypes[static_cast<unsigned>(type)]; }

// What an operation does to which object: "locks" a mutex.
struct Use {
  ObjectType type;
  const char* verb;
};
Use use_of(OperationKind kind) {
  switch (kind) {
    case OperationKind::mutex_lock:
    case OperationKind::mutex_try_lock:
    case OperationKind::mutex_timed_lock:
      return {ObjectType::mutex, "locks"};
    case OperationKind::mutex_unlock:
      return {ObjectType::mutex, "unlocks"};
    case OperationKind::mutex_destroy:
      return {ObjectType::mutex, "destroys"};
    case OperationKind::rwlock_read_lock:
    case OperationKind::rwlock_write_lock:
    case OperationKind::rwlock_try_read_lock:
    case OperationKind::rwlock_try_write_lock:
    case OperationKind::rwlock_queue_writer:
      return {ObjectType::rwlock, "locks"};
    case OperationKind::rwlock_unlock:
      return {ObjectType::rwlock, "unlocks"};
    case OperationKind::rwlock_destroy:
      return {ObjectType::rwlock, "destroys"};
    case OperationKind::condition_wait:
    case OperationKind::condition_timed_wait:
      return {ObjectType::condition, "waits on"};
    case OperationKind::condition_signal:
    case OperationKind::condition_broadcast:
      return {ObjectType::condition, "notifies"};
    case OperationKind::condition_destroy:
      return {ObjectType::condition, "destroys"};
    case OperationKind::semaphore_wait:
    case OperationKind::semaphore_try_wait:
      return {ObjectType::semaphore, "waits for"};
    case OperationKind::semaphore_post:
      return {ObjectType::semaphore, "posts"};
    case OperationKind::semaphore_destroy:
      return {ObjectType::semaphore, "destroys"};
    case OperationKind::barrier_wait:
      return {ObjectType::barrier, "waits at"};
    case OperationKind::barrier_destroy:
      return {ObjectType::barrier, "destroys"};
    case OperationKind::spin_lock:
    case OperationKind::spin_try_lock:
      return {ObjectType::spin_lock, "locks"};
    case OperationKind::spin_unlock:
      return {ObjectType::spin_lock, "unlocks"};
    case OperationKind::spin_destroy:
      return {ObjectType::spin_lock, "destroys"};
    case OperationKind::once_begin:
      return {ObjectType::once, "uses"};
    default:
      return {ObjectType::none, "uses"};
  }
}

void remember(std::uint64_t address, std::uint64_t owner) {
  internal::known_object(address) = {address, owner};
  const std::uint64_t page = (address >> kPageBits) % kPages;
  g_lives.pages[page / 64] |= std::uint64_t{1} << (page % 64);
}

void forget(std::uint64_t address) {
  if (internal::known_object(address).address == address) internal::known_object(address) = {};
}

bool is_zero(const void* object, std::size_t bytes) {
  const auto* byte = static_cast<const unsigned char*>(object);
  for (std::size_t i = 0; i < bytes; ++i) {
    if (byte[i] != 0) return false;
  }
  return true;
}

// -- destroyed ------------------------------------------------------------------------------------------------------

// Could the object have these contents from a static initialiser, before its first operation? Those without one need a
// call to come to life.
bool looks_initialised(ObjectType type, std::uint64_t object) {
  constexpr int kKinds = 512;
  switch (type) {
    case ObjectType::mutex: {
      pthread_mutex_t copy = *reinterpret_cast<const pthread_mutex_t*>(object);
      const int kind = copy.__data.__kind;
      copy.__data.__kind = 0;
      return kind >= 0 && kind < kKinds && is_zero(&copy, sizeof copy);
    }
    case ObjectType::condition:
      return is_zero(reinterpret_cast<const void*>(object), sizeof(pthread_cond_t));
    case ObjectType::rwlock: {
      pthread_rwlock_t copy = *reinterpret_cast<const pthread_rwlock_t*>(object);
      const unsigned kind = copy.__data.__flags;
      copy.__data.__flags = 0;
      return kind <= PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP && is_zero(&copy, sizeof copy);
    }
    default:
      return false;
  }
}

// Leaves what no static initialiser leaves, in places that no operation looks at.
void mark_destroyed(ObjectType type, std::uint64_t object) {
  constexpr unsigned kMark = 0xdead0b1e;
  if (type == ObjectType::condition) {
    auto& fields = reinterpret_cast<pthread_cond_t*>(object)->__data;
    fields.__g_refs[0] = fields.__g_refs[1] = kMark;
    fields.__g_size[0] = fields.__g_size[1] = kMark;
  } else if (type == ObjectType::rwlock) {
    auto& fields = reinterpret_cast<pthread_rwlock_t*>(object)->__data;
    fields.__pad2 = kMark;
    fields.__pad3 = fields.__pad4 = kMark;
  }
}

// -- left -----------------------------------------------------------------------------------------------------------

bool is_on_stack(const Task& task, std::uint64_t address) {
  return task.context != nullptr && task.context->stack_low <= address && address < task.context->stack_high;
}

// The task on whose stack the address is, a live one before those that ended: memory of the program may serve as the
// stack of one after the other.
Task* stack_owner(std::uint64_t address) {
  Scheduler& engine = scheduler();
  if (is_on_stack(engine.current(), address)) return &engine.current();
  Task* ended = nullptr;
  for (TaskId id = engine.task_count(); id-- > 0;) {
    Task* const task = engine.task(id);
    if (!is_on_stack(*task, address)) continue;
    if (task->state == TaskState::live) return task;
    ended = task;
  }
  return ended;
}

bool is_runtime_code(std::uint64_t pc) {
  return reinterpret_cast<std::uint64_t>(&__ehdr_start) <= pc && pc < reinterpret_cast<std::uint64_t>(&etext);
}

// Where the program's own frames begin on the stack of a task that has announced its operation: right above the return
// address of the call. The frames below are the runtime's, which are linked; `frame` is one of them. 0: not known.
std::uint64_t program_frames_above(std::uint64_t frame, const Task& task) {
  const Operation& pending = scheduler().pending(task.id);
  if (pending.kind == OperationKind::task_start) return 0;
  constexpr int kMostFrames = 32;
  for (int i = 0; i < kMostFrames && frame % 8 == 0 && is_on_stack(task, frame); ++i) {
    const auto* words = reinterpret_cast<const std::uint64_t*>(frame);
    if (!is_runtime_code(words[1])) return words[1] == pending.pc ? frame + 16 : 0;
    if (words[0] <= frame) break;
    frame = words[0];
  }
  return 0;
}

inline std::uint64_t program_frames_of(Task& task) {
  if (&task == &scheduler().current()) return program_frames_above(address_of(__builtin_frame_address(0)), task);
  if (task.program_frames == Task::kNotAsked) task.program_frames = program_frames_above(task.parked_frame, task);
  return task.program_frames;
}

// -- the end --------------------------------------------------------------------------------------------------------

enum class Fate : std::uint8_t { alive, destroyed, freed, returned, ended };

struct Judgement {
  Fate fate;
  Task* owner;  // on whose stack the object is; may be null
};

inline Fate fate_on_stack(Task& owner, std::uint64_t address) {
  if (owner.state == TaskState::live) return address < program_frames_of(owner) ? Fate::returned : Fate::alive;
  // The main thread's stack stays with the process, and so does one that the program provided with the program.
  return owner.id == 0 || owner.context->stack_is_programs ? Fate::alive : Fate::ended;
}

// An object that was alive on a stack: since then, only its frame can have gone.
inline Judgement judge_on_stack(const internal::KnownObject& known) {
  Task* const owner = scheduler().task(static_cast<TaskId>(known.owner - 1));
  return {fate_on_stack(*owner, known.address), owner};
}

bool is_destroyed(ObjectType type, std::uint64_t object) {
  auto* const life = g_lives.lives.find(object);
  if (life == nullptr || life->value.destroyed == ObjectType::none) return false;
  if (life->value.destroyed == type && !looks_initialised(type, object)) return true;
  life->value = {};
  return false;
}

Judgement judge(ObjectType type, std::uint64_t object) {
  const internal::KnownObject known = internal::known_object(object);
  if (known.address == object && known.owner != 0) return judge_on_stack(known);
  const HeapMemory memory = heap_memory_at(object);
  Task* owner = nullptr;
  if (memory == HeapMemory::unknown) {
    owner = stack_owner(object);
    if (owner == nullptr && memory_is_freed(object)) return {Fate::freed, nullptr};
  }
  if (memory == HeapMemory::freed) return {Fate::freed, nullptr};
  if (is_destroyed(type, object)) return {Fate::destroyed, owner};
  return {owner == nullptr ? Fate::alive : fate_on_stack(*owner, object), owner};
}

// -- findings -------------------------------------------------------------------------------------------------------

bool told_before(std::uint64_t object) {
  Life& life = g_lives.lives.find_or_add(object).value;
  const bool before = life.told;
  life.told = true;
  return before;
}

void state(const Judgement& judgement, const Operation& operation) {
  if (told_before(operation.object)) return;
  const Use use = use_of(operation.kind);
  const TypeWords& words = words_of(use.type);
  char text[160];
  switch (judgement.fate) {
    case Fate::alive:
      break;
    case Fate::destroyed:
      snprintf(text, sizeof text, "a task %s %s that was destroyed", use.verb, words.noun);
      report_on_operation(FindingKind::lock_misuse, text, operation);
      break;
    case Fate::freed:
      snprintf(text, sizeof text, "%s %s in", use.verb, words.noun);
      report_use_of_freed_object(text, operation, words.size);
      break;
    case Fate::returned:
    case Fate::ended:
      snprintf(text, sizeof text, "T%u %s %s on the stack of T%u, %s", scheduler().current().id, use.verb, words.noun,
               judgement.owner->id,
               judgement.fate == Fate::ended ? "which has ended" : "in a function that has returned");
      report_on_operation(FindingKind::use_after_free, text, operation);
      break;
  }
}

}  // namespace

bool internal::may_use_slowly(const Operation& operation) {
  if (object_is_alive(operation.object)) return true;
  const ObjectType type = use_of(operation.kind).type;
  const Task& me = scheduler().current();
  Judgement judgement = judge(type, operation.object);
  const bool is_mine = judgement.owner == &me;
  // What this task has announced last need not be this operation, so nobody knows where its frames begin.
  if (is_mine && judgement.fate == Fate::returned) judgement.fate = Fate::alive;
  if (judgement.fate == Fate::alive) {
    remember(operation.object, judgement.owner == nullptr ? 0 : judgement.owner->id + 1);
    return true;
  }
  state(judgement, operation);
  if (judgement.owner != nullptr && !is_mine) scheduler().stop();
  return false;
}

bool object_is_alive(std::uint64_t object) {
  const internal::KnownObject& known = internal::known_object(object);
  return known.address == object && (known.owner == 0 || judge_on_stack(known).fate == Fate::alive);
}

bool object_is_over(const Operation& pending) {
  if (object_is_alive(pending.object)) [[likely]]
    return false;
  const ObjectType type = use_of(pending.kind).type;
  if (type == ObjectType::none) return false;
  const Judgement judgement = judge(type, pending.object);
  // A task that waits for something in its own frames is in them.
  if (judgement.fate == Fate::returned && judgement.owner->id == pending.task) return false;
  return judgement.fate != Fate::alive;
}

void prepare_object_lives() { g_lives.lives.prepare(); }

void object_created(const volatile void* object) {
  if (auto* life = g_lives.lives.find(address_of(object))) life->value = {};
}

void object_destroyed(const Operation& operation, bool in_use) {
  const ObjectType type = use_of(operation.kind).type;
  const std::uint64_t address = operation.object;
  forget(address);
  mark_destroyed(type, address);
  Life& life = g_lives.lives.find_or_add(address).value;
  life.destroyed = type;
  if (in_use) life.told = true;
}

void objects_gone(std::uint64_t start, std::uint64_t size) {
  constexpr std::uint64_t kMostPages = 64;
  const std::uint64_t first = start >> kPageBits;
  const std::uint64_t last = (start + size - 1) >> kPageBits;
  bool may_hold = last - first >= kMostPages;
  for (std::uint64_t page = first; page <= last && !may_hold; ++page) {
    may_hold = (g_lives.pages[page % kPages / 64] >> (page % 64) & 1) != 0;
  }
  if (!may_hold) [[likely]]
    return;
  for (internal::KnownObject& known : internal::g_known_objects) {
    if (known.address - start < size) known = {};
  }
}

}  // namespace ravel
