// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/memory_operations.h"

#include <algorithm>
#include <string_view>
#include "runtime/interpose/free_running.h"

#include "base/random.h"
#include "runtime/interpose/atomic_operations.h"
#include "runtime/interpose/heap_operations.h"
#include "runtime/interpose/lock_order.h"
#include "runtime/interpose/memory_fast_path.h"
#include "runtime/interpose/points.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/interpose/sync_edges.h"
#include "runtime/interpose/unseen_code.h"
#include "runtime/memory/contended_memory.h"
#include "runtime/memory/race_detector.h"
#include "runtime/scheduler/scheduler.h"

namespace ravel {

constinit FastPath g_fast_path = {};
constinit thread_local std::uint32_t t_ignored[2] = {0, 0};

bool take_over_fast_path() {
  FastPath& fast = g_fast_path;
  if (fast.task == nullptr || !on_task_thread() || !scheduler().concurrent() || ignores_accesses()) return false;
  fast.adopt(scheduler().current());
  return true;
}

namespace {

// They must leave room for races that nothing explains.
constexpr std::uint32_t kMostExplainedRaces = 4;

// What is known of the program's memory: which of it is shared, and who accessed it last. For the running task.
// Prepared once, by prepare_memory_operations; executions forked later inherit it.
struct MemoryState {
  ContendedMemory contended;
  RaceDetector races;
  bool prepared = false;
  // A signal handler of the program may get here while tables are being changed: its accesses do not count.
  bool changing = false;
  // The code of the C++ runtime library; `high` is 0 until it is looked for.
  std::uint64_t cxx_runtime_low = 0;
  std::uint64_t cxx_runtime_high = 0;
};
constinit MemoryState g_memory;

// What is known of the accesses of one execution only; for the running task. Never reset: each execution is a process
// of its own.
struct MemoryExecution {
  std::uint32_t shared_seen = 0;  // locations that were scheduling points when the fast path learned
  std::uint64_t alone_at = 0;     // the epoch of a task at which it was last found to know of everything
  OpenTable<std::uint64_t> races_reported;
  std::uint32_t explained_races = 0;  // told apart, because hidden order could explain them
};
constinit MemoryExecution g_memory_execution;

struct Changing {
  Changing() { g_memory.changing = true; }
  ~Changing() { g_memory.changing = false; }
  Changing(const Changing&) = delete;
  Changing& operator=(const Changing&) = delete;
};

// A loop that waits for memory nobody is known to share has no point in it: nobody else would ever run. So after many
// accesses without a step, a task yields: about a millisecond of work, rare in programs that do not wait. A task that
// wrote in between has got on with its work, whatever its loop looks like.
void yield_when_patience_ends(Scheduler& engine, std::uint64_t address, std::uint64_t size, bool is_write,
                              std::uint64_t pc) {
  Scheduler::Stretch& stretch = engine.stretch();
  if (is_write) stretch.wrote = true;
  if (++stretch.accesses < FastPath::kPatience) [[likely]]
    return;
  if (stretch.wrote) engine.memory_written(address, size);
  reach_point(operation_on(OperationKind::yield, std::uint64_t{0}, pc));
}

bool is_ignored(OperationKind kind) {
  return t_ignored[static_cast<unsigned>(kind == OperationKind::read ? IgnoredAccess::reads : IgnoredAccess::writes)] !=
         0;
}

// Reports show what a read saw. The program is about to read it, so it is mapped.
std::uint64_t value_before(std::uint64_t address, std::uint64_t size) {
  std::uint64_t value = 0;
  if (size <= sizeof value) __builtin_memcpy(&value, reinterpret_cast<const void*>(address), size);
  return value;
}

// -- races ----------------------------------------------------------------------------------------------------------

// With one task left there is nothing to race with, unless a task ended that was never joined. The answer holds until
// the task learns something; it is asked for at every access, so it is remembered.
bool alone_in_order(TaskId task) {
  const std::uint64_t now = happens_before().now(task).bits();
  if (now == g_memory_execution.alone_at) return true;
  if (!happens_before().knows_all(task)) return false;
  g_memory_execution.alone_at = now;
  return true;
}

// May the current task's accesses race with another task's?
bool may_race(Scheduler& engine) {
  return engine.channel().launch.options.finds_races() && (engine.concurrent() || !alone_in_order(engine.current().id));
}

Operation access_operation(OperationKind kind, std::uint64_t address, std::uint64_t size, std::uint64_t pc) {
  Operation operation;
  operation.kind = kind;
  operation.order = MemoryOrder::relaxed;
  operation.size = static_cast<std::uint16_t>(std::min<std::uint64_t>(size, UINT16_MAX));
  operation.object = address;
  operation.pc = pc;
  if (size <= sizeof operation.value) operation.value = value_before(address, size);
  return operation;
}

// The kind that is shown for an access of which only the slot is known.
OperationKind kind_of(AccessSlot slot, bool writes) {
  if (slot.atomic()) return writes ? OperationKind::atomic_store : OperationKind::atomic_load;
  return writes ? OperationKind::write : OperationKind::read;
}

bool writes_memory(OperationKind kind) { return operation_role(kind) == OperationRole::writes; }

// The other access of a race: as it was recorded if it was watched, else what its slot tells.
void describe_other(ParticipantRecord& record, const Conflict& conflict, const Operation& mine) {
  const Channel& channel = scheduler().channel();
  const WatchedAccess* best = nullptr;
  for (const WatchedAccess& access : watched_of(channel)) {
    const Operation& operation = access.part.operation;
    if (operation.task != conflict.other.task() || writes_memory(operation.kind) != conflict.other_writes) continue;
    if (operation.object + operation.size <= mine.object || mine.object + mine.size <= operation.object) continue;
    if (best == nullptr || access.epoch >= best->epoch) best = &access;
  }
  if (best != nullptr) {
    record = best->part;
    return;
  }
  record = ParticipantRecord{};
  record.operation = mine;
  record.operation.kind = kind_of(conflict.other, conflict.other_writes);
  record.operation.task = conflict.other.task();
  record.operation.pc = g_memory.contended.locations().pc_of(conflict.other.location());
  record.operation.value = 0;
  record.stack.count = record.operation.pc == 0 ? 0 : 1;
  record.stack.frames[0] = record.operation.pc;
}

void report_race(const Operation& operation, const Conflict& conflict) {
  if (scheduler().channel().launch.options.races == 0) return;
  const std::uint32_t explained_by = conflict.explained_by != HiddenOrder::kNone
                                         ? conflict.explained_by
                                         : may_know_there(operation.pc, conflict.other.epoch());
  const bool unexplained = explained_by == HiddenOrder::kNone;
  // The same two places race again and again: once in an execution is enough.
  const std::uint64_t key = hash_mix(hash_mix(operation.pc, conflict.other.location()),
                                     (std::uint64_t{!unexplained} << 16) | (std::uint64_t{conflict.other_writes} << 8) |
                                         static_cast<unsigned>(operation.kind));
  OpenTable<std::uint64_t>& reported = g_memory_execution.races_reported;
  if (reported.find(key) != nullptr) return;
  reported.find_or_add(key);
  if (!unexplained && g_memory_execution.explained_races++ == kMostExplainedRaces) return;
  FindingRecord* record = scheduler().report(FindingKind::data_race, "", operation);
  if (record == nullptr) return;
  if (!unexplained) describe_unseen(explained_by, record->unseen);
  record->participant[0].value_known = operation.kind != OperationKind::heap_free && operation.size <= 8 ? 1 : 0;
  record->address = operation.object;
  record->size = operation.size;
  describe_heap_block(operation.object, record->block);
  describe_other(record->participant[1], conflict, operation);
  record->participants = 2;
  record->participants_total = 2;
}

unsigned bytes_of(std::uint64_t address, std::uint64_t size, std::uint64_t granule) {
  const std::uint64_t start = granule << ShadowMemory::kGranuleBits;
  const unsigned low = address > start ? static_cast<unsigned>(address - start) : 0;
  const std::uint64_t end = address + size - start;
  const unsigned high = end < 8 ? static_cast<unsigned>(end) : 8;
  return ((1U << high) - 1) & ~((1U << low) - 1);
}

// Writes down an access to memory the driver asked about.
void remember_watched(const Operation& operation) {
  Scheduler& engine = scheduler();
  Channel& channel = engine.channel();
  const TaskId task = engine.current().id;
  WatchedAccess* place = nullptr;
  for (std::uint32_t i = 0; i < channel.result.watched_count && place == nullptr; ++i) {
    const Operation& known = channel.result.watched[i].part.operation;
    if (known.task == task && writes_memory(known.kind) == writes_memory(operation.kind) &&
        known.object == operation.object && known.size == operation.size) {
      place = &channel.result.watched[i];
    }
  }
  if (place == nullptr && channel.result.watched_count < kMaxWatched)
    place = &channel.result.watched[channel.result.watched_count++];
  if (place == nullptr) return;
  engine.describe_current(place->part, operation);
  place->part.value_known = operation.size <= sizeof operation.value ? 1 : 0;
  place->epoch = happens_before().prepared() ? happens_before().now(task).bits() : 0;
}

enum class AccessSort : std::uint8_t { plain, atomic };

// The access takes effect now. Races, use of freed memory, and what the driver wants to know about it.
void take_effect(Scheduler& engine, const Operation& operation, std::uint64_t size, AccessSort sort) {
  const Changing changing;
  const Epoch epoch = happens_before().prepared() ? happens_before().now(engine.current().id) : Epoch();
  const LaunchOptions& launch = engine.channel().launch.options;
  const bool is_write = writes_memory(operation.kind);
  const AccessSlot access(epoch, sort == AccessSort::atomic, g_memory.contended.locations().at(operation.pc).index, 0);
  Conflict conflict;
  bool freed = false;
  const std::uint64_t first = operation.object >> ShadowMemory::kGranuleBits;
  const std::uint64_t end = ((operation.object + size - 1) >> ShadowMemory::kGranuleBits) + 1;
  const auto whole_page = [&](ShadowCell& page) {
    if (page.flags()) return false;
    // An atomic access does not make an earlier plain one redundant.
    return !launch.finds_races() ||
           (sort == AccessSort::plain &&
            RaceDetector::access_in_order(page, access.with(0xff), is_write, happens_before()));
  };
  g_memory.contended.shadow().for_range(first, end, true, whole_page, [&](ShadowCell& cell, std::uint64_t granule) {
    if (cell.freed != 0) freed = true;
    if (!launch.finds_races()) return;
    const Conflict here =
        g_memory.races.access(cell, access.with(bytes_of(operation.object, size, granule)), is_write, happens_before());
    if (!here) return;
    g_memory.contended.raced(cell, access, here);
    if (!conflict) conflict = here;
  });
  if (freed) {
    report_use_after_free(operation);
  } else if (conflict) {
    report_race(operation, conflict);
  }
  if (engine.channel().request.watch.size != 0 && memory_is_watched(operation.object, size))
    remember_watched(operation);
}

// Lets the fast path handle accesses at this place from now on.
void teach_fast_path(const Task& task, std::uint32_t location, std::uint64_t pc) {
  FastPath& fast = g_fast_path;
  if (fast.task != &task) {
    fast.adopt(task);
    fast.shadow = &g_memory.contended.shadow();
    fast.races = &g_memory.races;
  }
  fast.place[FastPath::place_index(pc)] = {pc, AccessSlot(Epoch(), false, location, 0).bits()};
}

// The fast path must no longer handle a location that has become a scheduling point.
void forget_fast_path_if_stale() {
  if (g_memory.contended.locations().shared_count() == g_memory_execution.shared_seen) [[likely]]
    return;
  g_memory_execution.shared_seen = g_memory.contended.locations().shared_count();
  for (FastPath::Place& place : g_fast_path.place) place = {};
}

void take_plain_effect(Scheduler& engine, std::uint64_t address, std::uint64_t size, OperationKind kind,
                       std::uint64_t pc) {
  const LaunchOptions& launch = engine.channel().launch.options;
  if (!launch.finds_races() && launch.heap == 0) return;
  take_effect(engine, access_operation(kind, address, size, pc), size, AccessSort::plain);
}

// What an access is to the scheduler, before its point.
enum class Meeting : std::uint8_t {
  nothing_new,  // no point, and nothing more to be done about it
  no_point,
  point,
};

// The place of an access in the shadow, if it is within one granule.
struct Place {
  ShadowCell* cell = nullptr;
  std::uint32_t location = 0;
  unsigned mask = 0;
};

// An access that is not a point, to memory that others have touched, or under a lock, where others may yet touch what
// the task itself has written. What it sees, and whether it changes something for others, distinguishes loops that wait
// from loops that work.
inline void notice_others(Scheduler& engine, const ShadowCell& cell, std::uint64_t address, std::uint64_t size,
                          bool is_write, std::uint64_t pc) {
  const TaskId me = engine.current().id;
  const auto is_others = [me](std::uint64_t slot) { return slot != 0 && AccessSlot(slot).task() != me; };
  if (!is_write) {
    if (cell.last_write == 0 || is_others(cell.last_write) || engine.current().held.count != 0) {
      engine.looked(look(address, pc, value_before(address, size)));
    }
  } else if (is_others(cell.last_write) || is_others(cell.last_read) || cell.more != 0) {
    engine.memory_written(address, size);
  }
}

inline Meeting meet_shadow(Scheduler& engine, std::uint64_t address, std::uint64_t size, OperationKind kind,
                           std::uint64_t pc, Place& place) {
  const Channel& channel = engine.channel();
  if (channel.launch.options.points == PointLevel::all) return Meeting::point;
  if (channel.launch.options.points == PointLevel::sync) return Meeting::no_point;
  const Changing changing;
  if (!g_memory.prepared) [[unlikely]]
    prepare_memory_operations(engine.channel());
  const bool is_write = kind != OperationKind::read;
  const TaskId task = engine.current().id;
  const std::uint64_t offset = address & 7;
  if (offset + size > 8) [[unlikely]] {
    const bool is_point = g_memory.contended.note(address, size, pc);
    forget_fast_path_if_stale();
    return is_point ? Meeting::point : Meeting::no_point;
  }
  CodeLocations::State& location = g_memory.contended.locations().at(pc);
  ShadowCell* const cell = g_memory.contended.shadow().cell(address);
  if (cell == nullptr) return location.shared != 0 ? Meeting::point : Meeting::no_point;
  if (channel.request.watch.size == 0 && channel.launch.options.uninitialised == 0) place = {cell, location.index, 0};
  place.mask = ((1U << size) - 1) << offset;
  if (g_memory.contended.note(*cell, location)) {
    forget_fast_path_if_stale();
    return Meeting::point;
  }
  if (cell->freed != 0) [[unlikely]]
    return Meeting::no_point;
  const AccessSlot access(happens_before().now(task), false, location.index, place.mask);
  // Also where memory is watched: whether a loop is seen to wait must not depend on that.
  if (!RaceDetector::seen_before(*cell, access, is_write)) notice_others(engine, *cell, address, size, is_write, pc);
  if (place.cell == nullptr) [[unlikely]]
    return Meeting::no_point;
  if (const Conflict conflict = g_memory.races.access(*cell, access, is_write, happens_before())) [[unlikely]] {
    g_memory.contended.raced(*cell, access, conflict);
    forget_fast_path_if_stale();
    report_race(access_operation(kind, address, size, pc), conflict);
  }
  if (!cell->flags() && !engine.traces_values()) teach_fast_path(engine.current(), location.index, pc);
  return Meeting::nothing_new;
}

// If the user asked for it: was what is read ever written? Checked when the access takes effect, like everything about
// it.
inline void look_at_contents(const Channel& channel, std::uint64_t address, std::uint64_t size, OperationKind kind,
                             std::uint64_t pc) {
  if (channel.launch.options.uninitialised == 0) [[likely]]
    return;
  heap_access(address, size, writes_memory(kind), access_operation(kind, address, size, pc));
}

}  // namespace

void memory_access(std::uint64_t address, std::uint64_t size, OperationKind kind, std::uint64_t pc) {
  if (free_running()) return free_access(address, size, kind, pc);
  if (!under_engine()) return;
  Scheduler& engine = scheduler();
  if (!engine.controlled() || size == 0 || is_ignored(kind) || g_memory.changing) return;
  Channel& channel = engine.channel();
  if (engine.traces_values()) [[unlikely]]
    heap_block_touched(address);
  if (!engine.concurrent()) [[unlikely]] {
    engine.stretch() = {};
    // What is read after the last join decides whether a test passes.
    if (engine.traces_values()) [[unlikely]]
      engine.trace_access(access_operation(kind, address, size, pc));
    look_at_contents(channel, address, size, kind, pc);
    if (may_race(engine)) {
      take_plain_effect(engine, address, size, kind, pc);
    } else if (memory_is_freed(address)) {
      report_use_after_free(access_operation(kind, address, size, pc));
    }
    return;
  }
  const bool is_write = kind != OperationKind::read;
  Place place;
  switch (meet_shadow(engine, address, size, kind, pc, place)) {
    case Meeting::nothing_new:
      if (engine.traces_values()) [[unlikely]]
        engine.trace_access(access_operation(kind, address, size, pc));
      look_at_contents(channel, address, size, kind, pc);
      return yield_when_patience_ends(engine, address, size, is_write, pc);
    case Meeting::no_point:
      if (engine.traces_values()) [[unlikely]]
        engine.trace_access(access_operation(kind, address, size, pc));
      look_at_contents(channel, address, size, kind, pc);
      take_plain_effect(engine, address, size, kind, pc);
      return yield_when_patience_ends(engine, address, size, is_write, pc);
    case Meeting::point:
      break;
  }
  Operation operation = access_operation(kind, address, size, pc);
  if (kind == OperationKind::write) operation.value = 0;
  reach_point(operation);
  look_at_contents(channel, address, size, kind, pc);
  // Others may have folded the page meanwhile.
  if (place.cell != nullptr) place.cell = g_memory.contended.shadow().cell(address);
  if (place.cell != nullptr && place.cell->freed == 0) [[likely]] {
    const AccessSlot access(happens_before().now(engine.current().id), false, place.location, place.mask);
    if (const Conflict conflict = g_memory.races.access(*place.cell, access, is_write, happens_before())) [[unlikely]] {
      g_memory.contended.raced(*place.cell, access, conflict);
      report_race(access_operation(kind, address, size, pc), conflict);
    }
  } else {
    take_plain_effect(engine, address, size, kind, pc);
  }
  if (is_write) engine.memory_written(address, size);
}

void note_atomic_access(std::uint64_t address, std::uint64_t size, std::uint64_t pc) {
  Scheduler& engine = scheduler();
  ++engine.channel().result.summary.memory_accesses;
  if (engine.traces_values()) [[unlikely]]
    heap_block_touched(address);
  if (engine.channel().launch.options.points != PointLevel::shared) return;
  if (!g_memory.prepared) [[unlikely]]
    prepare_memory_operations(engine.channel());
  g_memory.contended.note(address, size, pc);
  forget_fast_path_if_stale();
}

void atomic_access_made(std::uint64_t address, std::uint64_t size, OperationKind kind, std::uint64_t pc) {
  Scheduler& engine = scheduler();
  look_at_contents(engine.channel(), address, size, kind, pc);
  if (!may_race(engine)) return;
  take_effect(engine, access_operation(kind, address, size, pc), size, AccessSort::atomic);
}

bool last_write_was_plain(std::uint64_t address, std::uint64_t size) {
  if (!g_memory.prepared) return false;
  const ShadowCell* const cell = g_memory.contended.shadow().seen_cell(address);
  if (cell == nullptr) return false;
  const AccessSlot last(cell->last_write);
  return last && !last.atomic() && (last.mask() & bytes_of(address, size, address >> ShadowMemory::kGranuleBits)) != 0;
}

void ignore_begin(IgnoredAccess which) {
  ++t_ignored[static_cast<unsigned>(which)];
  forget_fast_path();
}

void ignore_end(IgnoredAccess which) {
  std::uint32_t& depth = t_ignored[static_cast<unsigned>(which)];
  if (depth > 0) --depth;
}

void prepare_memory_operations(Channel& channel) {
  if (g_memory.prepared) return;
  g_memory.prepared = true;
  g_memory.contended.prepare();
  if (channel.launch.options.finds_races() || channel.launch.options.memory_model == MemoryModel::c11) {
    happens_before().prepare();
    hidden_order().prepare(happens_before());
    prepare_atomics(channel.launch.options);
  }
  g_memory.races.prepare(hidden_order());
  g_memory.contended.locations().log_to(
      SiteLog{channel.request.site, &channel.result.sites, static_cast<std::uint32_t>(kMaxSites)});
}

void learn_known_sites(Channel& channel) {
  prepare_memory_operations(channel);
  const auto known = known_sites_of(channel);
  g_memory.contended.locations().learn(known.data(), static_cast<std::uint32_t>(known.size()));
}

void memory_released(std::uint64_t address, std::uint64_t size) {
  lock_order_forget(address, size);
  if (!g_memory.prepared) return;
  g_memory.contended.forget(address, size, &g_memory.races);
  forget_atomics(address, size);
}

namespace {

// Is the code at `pc` part of the C++ runtime library? It is not instrumented, and orders the last use of an exception
// object before its end by a counter that Ravel does not see.
bool is_cxx_runtime(const Channel& channel, std::uint64_t pc) {
  std::uint64_t& low = g_memory.cxx_runtime_low;
  std::uint64_t& high = g_memory.cxx_runtime_high;
  if (high == 0) {
    high = 1;
    for (const ModuleRecord& module : modules_of(channel)) {
      const std::string_view path(module.path);
      if (path.find("/libstdc++.so") == path.npos && path.find("/libc++abi.so") == path.npos) continue;
      low = module.start;
      high = module.end;
    }
  }
  return low <= pc && pc < high;
}

}  // namespace

void memory_freed(std::uint64_t address, std::uint64_t size, std::uint64_t pc) {
  Scheduler& engine = scheduler();
  if (!g_memory.prepared || size == 0) return;
  if (engine.concurrent() && engine.channel().launch.options.points == PointLevel::shared && !g_memory.changing &&
      g_memory.contended.locations().is_shared(pc)) {
    Operation operation = operation_on(OperationKind::heap_free, address, pc);
    operation.size = static_cast<std::uint16_t>(std::min<std::uint64_t>(size, UINT16_MAX));
    reach_point(operation);
  }
  const bool races = may_race(engine) && !is_cxx_runtime(engine.channel(), pc);
  const Epoch now = races ? happens_before().now(engine.current().id) : Epoch();
  const AccessSlot access(now, false, g_memory.contended.locations().at(pc).index, 0xff);
  Conflict conflict;
  // Untouched memory of a large block is left alone: marking it would cost more than the block.
  constexpr std::uint64_t kAlwaysMarked = 4096;
  const std::uint64_t first = address >> ShadowMemory::kGranuleBits;
  const std::uint64_t end = (address + size) >> ShadowMemory::kGranuleBits;
  std::uint64_t place = address;
  const auto whole_page = [&](ShadowCell& page) {
    if (page.is_untouched() && size > kAlwaysMarked) return true;
    if (page.contended != 0 || (races && !RaceDetector::access_in_order(page, access, true, happens_before()))) {
      return false;
    }
    page = ShadowCell{.last_write = 0, .last_read = 0, .more = 0, .freed = 1, .contended = 0};
    return true;
  };
  const auto part = [&](ShadowCell& cell, std::uint64_t granule) {
    const bool touched = cell.last_write != 0 || cell.last_read != 0;
    if (!touched && size > kAlwaysMarked) return;
    if (races && touched) {
      // Told once for a block; but every access that the free races with becomes a point, or the use after free behind
      // the second one would not be found.
      if (Conflict here = g_memory.races.access(cell, access, true, happens_before())) {
        g_memory.contended.raced(cell, access, here);
        if (here.explained_by == HiddenOrder::kNone) here.explained_by = may_know_there(pc, here.other.epoch());
        // One that nothing orders comes first.
        const bool is_worse = here.explained_by == HiddenOrder::kNone && conflict.explained_by != HiddenOrder::kNone;
        if (!conflict || is_worse) {
          conflict = here;
          place = granule << ShadowMemory::kGranuleBits;
        }
      }
    }
    g_memory.races.clear(cell);
    cell.freed = 1;
  };
  g_memory.contended.shadow().for_range(first, end, size <= kAlwaysMarked, whole_page, part);
  if (!conflict) return;
  forget_fast_path_if_stale();
  report_race(access_operation(OperationKind::heap_free, place, 8, pc), conflict);
}

bool memory_is_freed(std::uint64_t address) {
  return g_memory.prepared && g_memory.contended.shadow().contents(address).freed != 0;
}

bool memory_is_watched(std::uint64_t address, std::uint64_t size) {
  const WatchRequest& watch = scheduler().channel().request.watch;
  return watch.size != 0 && address < watch.address + watch.size && watch.address < address + size;
}

}  // namespace ravel
