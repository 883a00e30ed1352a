// SPDX-License-Identifier: Apache-2.0
//
// FreeWorld: what the threads of a parallel run share, and FreeSelf: what each has for itself. The program runs on its
// own threads and calls libc; this is what Ravel knows of them, and what a concurrent event costs.
//
// A concurrent event is an operation on a synchronisation object, an atomic operation, or an access to memory that
// another thread has touched (SharedMemory). Most accesses are not: they end after two loads.
//
// Who calls it: runtime/interpose/free_running. Thread safety: all functions may be called by any thread at any time.
// Threads write only their own FreeSelf and FreeThread; everything shared is accessed by atomic operations.
#pragma once

#include <cstdint>

#include "base/random.h"
#include "trace/channel.h"

namespace ravel {

// Which memory is shared, and by which code. One byte per eight bytes of memory says who touched it: no thread, one, or
// several. Different memory may share a byte: it then counts as shared, which only costs events.
class SharedMemory {
 public:
  static constexpr std::uint8_t kSeveral = 255;

  bool prepare();

  // The usual case: the caller (by its tag) alone has touched it, and the code is not known to touch shared memory, or
  // this does not matter any more.
  bool is_own(std::uint64_t address, std::uint64_t pc, std::uint8_t tag, std::uint32_t credit) const {
    return __atomic_load_n(&owners_[index_of(address)], __ATOMIC_RELAXED) == tag &&
           (filter_[filter_index(pc)] == 0 || credit == 0);
  }

  enum class Access : std::uint8_t {
    own,
    own_so_far,  // made by code that is known to touch shared memory
    shared,
  };
  // The memory has a new owner: a block that was just allocated, the stack of a new thread.
  void forget(std::uint64_t address, std::uint64_t size);

  // Learns that memory is shared, and the code that touches it.
  Access note(Channel& channel, std::uint64_t address, std::uint64_t pc, std::uint8_t tag);

  // Code that is known to touch shared memory, with the weight that noise should have there.
  void learn_site(std::uint64_t pc, std::uint8_t weight);
  std::uint8_t weight_at(std::uint64_t pc) const;

 private:
  static constexpr std::uint64_t kOwners = std::uint64_t{1} << 30;
  static constexpr std::uint32_t kFilter = 1U << 12;
  static constexpr std::uint32_t kSites = 1U << 17;
  static constexpr std::uint64_t kManyPages = 4;
  struct Site {
    std::uint64_t pc;
    std::uint64_t weight;
  };

  static std::uint64_t index_of(std::uint64_t address) { return (address >> 3) & (kOwners - 1); }
  static std::uint32_t filter_index(std::uint64_t pc) {
    return static_cast<std::uint32_t>((pc * 0x9e3779b97f4a7c15ULL) >> 52);
  }
  // The entry of the code, or the free one where it would be; nullptr when the table is full.
  Site* site_of(std::uint64_t pc) const;

  std::uint8_t* owners_ = nullptr;
  Site* sites_ = nullptr;
  std::uint8_t filter_[kFilter] = {};  // by code: 0 when none of it is known
};

struct FreeWorld {
  Channel* channel = nullptr;
  SharedMemory memory;
  std::uint64_t* clocks = nullptr;  // by object, kClocks of them
  std::uint16_t* visits = nullptr;  // by thread and code: how often it was there, kPlaces for each thread
  bool concurrent = false;          // a second thread has existed
  bool hears_accesses = false;      // accesses to memory matter: there is noise, or a record
  // barrier-spin: the object a thread waits at, and whether another has come.
  std::uint64_t meeting_at = 0;
  std::uint32_t has_met = 0;
  std::uint32_t halted = 0;  // a thread is halted: only one at a time

  static constexpr std::uint32_t kClocks = 1U << 16;
  static constexpr std::uint32_t kPlaces = 1U << 12;

  const NoisePlan& plan() const { return channel->request.noise; }
  FreeRun& run() const { return channel->result.free; }
  std::uint64_t& clock_of(std::uint64_t object) const { return clocks[((object >> 3) * 0x9e3779b97f4a7c15ULL) >> 48]; }
};
extern constinit FreeWorld g_free_world;

struct FreeSelf {
  FreeThread* slot = nullptr;  // nullptr: not a thread Ravel knows
  TaskId id = kNoTask;
  bool hears = false;  // its accesses are looked at
  bool busy = false;   // already in here: a signal handler interrupted it
  std::uint8_t tag = 0;
  std::uint32_t children = 0;
  // Accesses to memory that is its own so far are events where the code is known to touch shared memory, so that the
  // first thread to touch it is not missed; but not forever: such code may work on its own memory for a long time.
  std::uint32_t credit = 1U << 14;
  std::int64_t countdown = 0;    // weight of events until the next noise
  std::uint64_t recent[4] = {};  // objects of its latest events
  std::uint32_t newest = 0;      // where the next goes
  static constexpr std::int32_t kNotAsked = 1000;
  std::int32_t first_nice = kNotAsked;  // the priority it had before the first noise of that kind
  std::uint64_t polled = 0;             // a read, by place and object, that it has repeated without writing anything
  std::uint32_t polls = 0;              // how often
  std::uint32_t mood = 0;  // of its stretch: how many times rarer noise is than asked for, in powers of two
  Random random;
  std::uint64_t clock = 0;
  FreeEvent* next_event = nullptr;
  FreeEvent* last_event = nullptr;  // end of the chunk
};
extern constinit thread_local FreeSelf t_free_self __attribute__((tls_model("initial-exec")));

// The driver may look at it at any time.
inline void set_state(FreeThread& thread, FreeState state) { __atomic_store(&thread.state, &state, __ATOMIC_RELEASE); }

// Before main, on the main thread, with the plan in the channel.
void begin_free_run(Channel& channel);

// A thread is about to be created: its number, or kNoTask when there is no room for another. With a number, either
// thread_began is called on the new thread, or creation_failed.
TaskId announce_thread(std::uint64_t pc);
void creation_failed(TaskId id);
// `pc`: of its first function. The stack is its own.
void thread_began(TaskId id, std::uint64_t pc);
void thread_ended();
// In the child of a fork: it is not part of the run.
void leave_free_run();

// A concurrent event: a chance of noise, and then, if it is to be recorded now, an entry in the log.
enum class Recorded : std::uint8_t { no, yes, as_own };
void concurrent_event(const Operation& operation, NoisePlace place, Recorded recorded);
// An access to shared memory, or an atomic operation.
void concurrent_access(const Operation& operation, Recorded recorded = Recorded::yes);
// Recorded without another chance of noise.
void record_event(const Operation& operation);

void access_slowly(std::uint64_t address, std::uint64_t size, OperationKind kind, std::uint64_t pc);

// An access to memory, before it is made.
inline void free_access(std::uint64_t address, std::uint64_t size, OperationKind kind, std::uint64_t pc) {
  const FreeSelf& self = t_free_self;
  if (!self.hears || g_free_world.memory.is_own(address, pc, self.tag, self.credit)) [[likely]]
    return;
  access_slowly(address, size, kind, pc);
}

// The program was given a block of memory.
inline void free_allocation(std::uint64_t address, std::uint64_t size) {
  if (t_free_self.hears) g_free_world.memory.forget(address, size);
}

// What the driver sees while the thread is in a call that may not return.
void begin_waiting(const Operation& operation, bool timed);
void end_waiting();
void lock_taken(std::uint64_t lock, bool shared, std::uint64_t pc);
void lock_given_back(std::uint64_t lock);

}  // namespace ravel
