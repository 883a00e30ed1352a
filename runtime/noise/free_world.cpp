// SPDX-License-Identifier: Apache-2.0
#include "runtime/noise/free_world.h"

#include <linux/sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/raw_syscall.h"
#include "runtime/memory/raw_pages.h"
#include "runtime/noise/noise.h"

namespace ravel {

constinit FreeWorld g_free_world;
constinit thread_local FreeSelf t_free_self;

bool SharedMemory::prepare() {
  owners_ = static_cast<std::uint8_t*>(reserve_pages(kOwners));
  sites_ = static_cast<Site*>(reserve_pages(kSites * sizeof(Site)));
  return owners_ != nullptr && sites_ != nullptr;
}

SharedMemory::Site* SharedMemory::site_of(std::uint64_t pc) const {
  std::uint32_t number = static_cast<std::uint32_t>((pc * 0x9e3779b97f4a7c15ULL) >> 40) % kSites;
  for (std::uint32_t tries = 0; tries < 64; ++tries) {
    Site& site = sites_[number];
    const std::uint64_t there = __atomic_load_n(&site.pc, __ATOMIC_RELAXED);
    if (there == 0 || there == pc) return &site;
    number = (number + 1) % kSites;
  }
  return nullptr;
}

void SharedMemory::learn_site(std::uint64_t pc, std::uint8_t weight) {
  Site* const site = site_of(pc);
  if (site == nullptr) return;
  std::uint64_t nobody = 0;
  __atomic_store_n(&site->weight, weight, __ATOMIC_RELAXED);
  __atomic_compare_exchange_n(&site->pc, &nobody, pc, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
  __atomic_store_n(&filter_[filter_index(pc)], std::uint8_t{1}, __ATOMIC_RELAXED);
}

std::uint8_t SharedMemory::weight_at(std::uint64_t pc) const {
  if (filter_[filter_index(pc)] == 0) return 1;
  const Site* const site = site_of(pc);
  if (site == nullptr || site->pc != pc || site->weight == 0) return 1;
  return static_cast<std::uint8_t>(site->weight);
}

void SharedMemory::forget(std::uint64_t address, std::uint64_t size) {
  constexpr std::uint64_t kPage = 4096;
  if (owners_ == nullptr || size == 0) return;
  std::uint64_t from = index_of(address);
  std::uint64_t count = ((address & 7) + size + 7) >> 3;
  while (count != 0) {
    const std::uint64_t part = count < kOwners - from ? count : kOwners - from;
    const std::uint64_t pages = (from + kPage - 1) / kPage * kPage;
    const std::uint64_t last = (from + part) / kPage * kPage;
    // Many owners: whole pages of them are given back to the kernel, which costs nothing where none was written.
    if (last > pages + kManyPages * kPage) {
      __builtin_memset(owners_ + from, 0, pages - from);
      raw_syscall(SYS_madvise, reinterpret_cast<long>(owners_ + pages), static_cast<long>(last - pages), MADV_DONTNEED);
      __builtin_memset(owners_ + last, 0, from + part - last);
    } else {
      __builtin_memset(owners_ + from, 0, part);
    }
    count -= part;
    from = 0;
  }
}

SharedMemory::Access SharedMemory::note(Channel& channel, std::uint64_t address, std::uint64_t pc, std::uint8_t tag) {
  std::uint8_t& owner = owners_[index_of(address)];
  std::uint8_t before = __atomic_load_n(&owner, __ATOMIC_RELAXED);
  if (before == 0) {
    // Two threads may take it at once; then it belongs to neither alone.
    if (__atomic_compare_exchange_n(&owner, &before, tag, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) before = tag;
  }
  const Site* const site = site_of(pc);
  const bool known = site != nullptr && __atomic_load_n(&site->pc, __ATOMIC_ACQUIRE) == pc;
  if (before == tag) return known ? Access::own_so_far : Access::own;
  if (before != kSeveral) __atomic_store_n(&owner, kSeveral, __ATOMIC_RELAXED);
  if (!known) {
    learn_site(pc, 1);
    const std::uint32_t number = __atomic_fetch_add(&channel.result.sites, 1, __ATOMIC_RELAXED);
    if (number < kMaxSites) channel.request.site[number] = pc;
  }
  return Access::shared;
}

namespace {

std::int32_t kernel_id() { return static_cast<std::int32_t>(raw_syscall(SYS_gettid)); }

// Who owns memory is kept in one byte; more threads share the numbers.
std::uint8_t tag_of(TaskId id) { return static_cast<std::uint8_t>(1 + id % (SharedMemory::kSeveral - 1)); }

// The caller is a thread of the program from now on.
void become(TaskId id) {
  FreeSelf& self = t_free_self;
  FreeRun& run = g_free_world.run();
  self.slot = &run.thread[id];
  self.id = id;
  self.tag = tag_of(id);
  self.hears = g_free_world.hears_accesses && g_free_world.concurrent;
  // The same name in every run, whichever thread comes first: its creator, and which of its children it is.
  std::uint64_t seed = g_free_world.plan().seed;
  for (TaskId at = id; at != 0 && at < kMaxFreeThreads; at = run.thread[at].creator) {
    seed = hash_mix(seed, run.thread[at].birth);
  }
  self.random = Random(seed);
  draw_countdown(self, g_free_world.plan());
  self.slot->thread = kernel_id();
  set_state(*self.slot, FreeState::runs);
}

FreeEvent* new_event(FreeSelf& self) {
  if (self.next_event != self.last_event) return self.next_event++;
  FreeRun& run = g_free_world.run();
  if (__atomic_load_n(&run.record_full, __ATOMIC_RELAXED) != 0) return nullptr;
  const std::uint32_t number = __atomic_fetch_add(&run.chunks, 1, __ATOMIC_RELAXED);
  if (number >= kMaxEventChunks) {
    run.record_full = 1;
    return nullptr;
  }
  EventChunk& chunk = run.chunk[number];
  chunk.task = self.id;
  self.next_event = chunk.event;
  self.last_event = chunk.event + kEventChunk;
  return self.next_event++;
}

// The order of events on one object, and of one thread, is the order of their clocks.
std::uint64_t advance_clock(FreeSelf& self, std::uint64_t object) {
  std::uint64_t& shared = g_free_world.clock_of(object);
  std::uint64_t seen = __atomic_load_n(&shared, __ATOMIC_RELAXED);
  std::uint64_t now = 0;
  do {
    now = (seen > self.clock ? seen : self.clock) + 1;
  } while (!__atomic_compare_exchange_n(&shared, &seen, now, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
  self.clock = now;
  return now;
}

// The weight of this code for noise, whatever it does there.
std::int64_t site_weight(const FreeWorld& world, std::uint64_t pc) {
  const std::uint8_t weight = world.memory.weight_at(pc);
  if (weight == kTargetWeight) return 1;
  return world.plan().targets_only != 0 ? 0 : weight;
}

void write_event(FreeSelf& self, const Operation& operation, Recorded recorded) {
  FreeEvent* const event = new_event(self);
  if (event == nullptr) return;
  event->pc = operation.pc;
  event->object = operation.object;
  event->kind = operation.kind;
  event->own = recorded == Recorded::as_own ? 1 : 0;
  event->size = operation.size < 256 ? static_cast<std::uint8_t>(operation.size) : std::uint8_t{255};
  __atomic_store_n(&event->clock, advance_clock(self, operation.object), __ATOMIC_RELEASE);
}

}  // namespace

void begin_free_run(Channel& channel) {
  FreeWorld& world = g_free_world;
  world.channel = &channel;
  const NoisePlan& plan = channel.request.noise;
  if (!world.memory.prepare()) return;
  world.clocks = static_cast<std::uint64_t*>(reserve_pages(FreeWorld::kClocks * sizeof(std::uint64_t)));
  world.visits = static_cast<std::uint16_t*>(
      reserve_pages(kMaxFreeThreads * std::size_t{FreeWorld::kPlaces} * sizeof(std::uint16_t)));
  if (world.clocks == nullptr || world.visits == nullptr) return;
  const auto known = known_sites_of(channel);
  for (std::size_t i = 0; i < known.size(); ++i) world.memory.learn_site(known[i], channel.request.site_weight[i]);
  world.hears_accesses = !plan.is_quiet() || plan.record != 0;  // a thread that is never disturbed interrupts no other
  channel.result.free.threads = 1;
  channel.result.free.thread[0].creator = kNoTask;
  become(0);
}

TaskId announce_thread(std::uint64_t pc) {
  FreeSelf& self = t_free_self;
  if (self.slot == nullptr) return kNoTask;
  FreeRun& run = g_free_world.run();
  const TaskId id = __atomic_fetch_add(&run.threads, 1, __ATOMIC_RELAXED);
  if (id >= kMaxFreeThreads) return kNoTask;
  FreeThread& slot = run.thread[id];
  slot.creator = self.id;
  slot.birth = self.children++;
  slot.create_pc = pc;
  if (!g_free_world.concurrent) {
    __atomic_store_n(&g_free_world.concurrent, true, __ATOMIC_RELAXED);
    self.hears = g_free_world.hears_accesses;
  }
  return id;
}

void creation_failed(TaskId id) {
  if (id == kNoTask) return;
  FreeThread& slot = g_free_world.run().thread[id];
  set_state(slot, FreeState::ended);
  --t_free_self.children;
}

void thread_began(TaskId id, std::uint64_t pc) {
  become(id);
  // What its creator did before creating it comes before it.
  Operation start;
  start.kind = OperationKind::task_start;
  start.object = id;
  start.pc = pc;
  concurrent_event(start, NoisePlace::usual, Recorded::yes);
}

void thread_ended() {
  FreeSelf& self = t_free_self;
  if (self.slot == nullptr) return;
  Operation end;
  end.kind = OperationKind::task_end;
  end.object = self.id;
  record_event(end);
  self.hears = false;
  set_state(*self.slot, FreeState::ended);
  self.slot = nullptr;
}

void leave_free_run() {
  t_free_self.slot = nullptr;
  t_free_self.hears = false;
}

void record_event(const Operation& operation) {
  FreeSelf& self = t_free_self;
  if (self.slot == nullptr || g_free_world.plan().record == 0 || !g_free_world.concurrent || self.busy) return;
  self.busy = true;
  write_event(self, operation, Recorded::yes);
  self.busy = false;
}

void concurrent_event(const Operation& operation, NoisePlace place, Recorded recorded) {
  FreeWorld& world = g_free_world;
  FreeSelf& self = t_free_self;
  if (self.slot == nullptr || !world.concurrent || self.busy) return;
  self.busy = true;
  FreeThread& slot = *self.slot;
  const std::uint32_t rarity = world.plan().by_rarity != 0 ? rarity_of(self, operation.pc) : kUsualRarity;
  const std::int64_t weight = site_weight(world, operation.pc) * weight_of(self, operation, place) * rarity;
  // Polling is not progress.
  if (self.polls < kPatience) {
    __atomic_store_n(&slot.events, slot.events + 1, __ATOMIC_RELAXED);
    slot.placed[static_cast<unsigned>(place)] += rarity;
  }
  __atomic_store_n(&slot.site, operation.pc, __ATOMIC_RELAXED);
  if (__atomic_load_n(&world.meeting_at, __ATOMIC_RELAXED) == operation.object) [[unlikely]]
    __atomic_store_n(&world.has_met, 1U, __ATOMIC_RELAXED);
  self.countdown -= weight;
  if (self.countdown <= 0) [[unlikely]]
    make_noise(self, operation);
  if (recorded != Recorded::no && world.plan().record != 0) write_event(self, operation, recorded);
  self.busy = false;
}

void concurrent_access(const Operation& operation, Recorded recorded) {
  concurrent_event(operation, place_of_access(t_free_self, operation), recorded);
}

void access_slowly(std::uint64_t address, std::uint64_t size, OperationKind kind, std::uint64_t pc) {
  FreeSelf& self = t_free_self;
  Recorded recorded = Recorded::yes;
  switch (g_free_world.memory.note(*g_free_world.channel, address, pc, self.tag)) {
    case SharedMemory::Access::own:
      return;
    case SharedMemory::Access::own_so_far:
      if (self.credit == 0) return;
      --self.credit;
      recorded = Recorded::as_own;
      break;
    case SharedMemory::Access::shared:
      break;
  }
  Operation operation;
  operation.kind = kind;
  operation.object = address;
  operation.size = size < 0xffff ? static_cast<std::uint16_t>(size) : std::uint16_t{0xffff};
  operation.pc = pc;
  concurrent_access(operation, recorded);
}

void begin_waiting(const Operation& operation, bool timed) {
  FreeSelf& self = t_free_self;
  if (self.slot == nullptr) return;
  FreeThread& slot = *self.slot;
  slot.kind = operation.kind;
  slot.timed = timed ? 1 : 0;
  slot.object = operation.object;
  slot.pc = operation.pc;
  slot.joins = operation.kind == OperationKind::task_join ? static_cast<TaskId>(operation.object) : kNoTask;
  set_state(slot, FreeState::blocked);
}

void end_waiting() {
  FreeSelf& self = t_free_self;
  if (self.slot != nullptr) set_state(*self.slot, FreeState::runs);
}

void lock_taken(std::uint64_t lock, bool shared, std::uint64_t pc) {
  FreeSelf& self = t_free_self;
  if (self.slot == nullptr) return;
  FreeThread& slot = *self.slot;
  if (slot.held_count < kFreeHeld) {
    slot.held[slot.held_count] = lock | (shared ? 1 : 0);
    slot.held_pc[slot.held_count] = pc;
  }
  __atomic_store_n(&slot.held_count, static_cast<std::uint16_t>(slot.held_count + 1), __ATOMIC_RELEASE);
}

void lock_given_back(std::uint64_t lock) {
  FreeSelf& self = t_free_self;
  if (self.slot == nullptr || self.slot->held_count == 0) return;
  FreeThread& slot = *self.slot;
  const unsigned count = slot.held_count;
  const unsigned told = count < kFreeHeld ? count : kFreeHeld;
  unsigned at = told;
  while (at > 0 && (slot.held[at - 1] & ~std::uint64_t{1}) != lock) --at;
  if (at == 0 && count <= kFreeHeld) return;  // taken before Ravel looked, or by another thread
  for (; at != 0 && at < told; ++at) {
    slot.held[at - 1] = slot.held[at];
    slot.held_pc[at - 1] = slot.held_pc[at];
  }
  if (told == count) slot.held[count - 1] = 0;
  __atomic_store_n(&slot.held_count, static_cast<std::uint16_t>(count - 1), __ATOMIC_RELEASE);
}

}  // namespace ravel
