// SPDX-License-Identifier: Apache-2.0
#include "runtime/noise/noise.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/raw_syscall.h"

namespace ravel {
namespace {

constexpr std::uint64_t kMillion = 1'000'000;
constexpr std::int64_t kNever = std::int64_t{1} << 62;
constexpr unsigned kQuietestMood = 7;
constexpr std::uint64_t kShortestSleepNs = 10'000;
constexpr long kLowestNice = 19;
constexpr std::uint64_t kHaltSliceNs = 100'000;

std::uint64_t now_ns() {
  timespec now{};
  raw_syscall(SYS_clock_gettime, CLOCK_MONOTONIC, reinterpret_cast<long>(&now));
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

void sleep_ns(std::uint64_t duration) {
  timespec time{static_cast<time_t>(duration / 1'000'000'000), static_cast<long>(duration % 1'000'000'000)};
  raw_syscall(SYS_nanosleep, reinterpret_cast<long>(&time), 0);
}

// Short and long ones are equally likely: uniform in the logarithm, as far as bits allow.
std::uint64_t draw_duration(Random& random, std::uint64_t longest) {
  if (longest <= kShortestSleepNs) return longest;
  std::uint64_t limit = kShortestSleepNs;
  unsigned doublings = 0;
  while (limit << (doublings + 1) <= longest) ++doublings;
  limit <<= random.below(doublings + 1);
  return limit + random.below(static_cast<std::uint32_t>(limit < longest - limit ? limit : longest - limit + 1));
}

std::uint64_t events_of_others(const FreeSelf& self) {
  const FreeRun& run = g_free_world.run();
  std::uint32_t count = __atomic_load_n(&run.threads, __ATOMIC_RELAXED);
  if (count > kMaxFreeThreads) count = kMaxFreeThreads;
  std::uint64_t sum = 0;
  for (TaskId id = 0; id < count; ++id) {
    if (id != self.id) sum += __atomic_load_n(&run.thread[id].events, __ATOMIC_RELAXED);
  }
  return sum;
}

// Until the others have stopped making progress: they have ended, or wait, perhaps for this thread.
void halt(FreeSelf& self, std::uint64_t longest) {
  FreeWorld& world = g_free_world;
  std::uint32_t nobody = 0;
  if (!__atomic_compare_exchange_n(&world.halted, &nobody, 1U, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    return sleep_ns(draw_duration(self.random, longest));
  }
  const std::uint64_t begun = now_ns();
  std::uint64_t progress = begun;  // when some was last seen
  std::uint64_t seen = events_of_others(self);
  for (std::uint64_t now = begun; now - progress < longest && now - begun < 10 * longest; now = now_ns()) {
    sleep_ns(kHaltSliceNs);
    const std::uint64_t events = events_of_others(self);
    if (events != seen) progress = now;
    seen = events;
  }
  __atomic_store_n(&world.halted, 0U, __ATOMIC_RELAXED);
}

// Until another thread is about to do something to the same object; both then continue at once.
void wait_for_contender(FreeSelf& self, std::uint64_t object, std::uint64_t longest) {
  FreeWorld& world = g_free_world;
  std::uint64_t nowhere = 0;
  if (!__atomic_compare_exchange_n(&world.meeting_at, &nowhere, object, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    return;
  }
  __atomic_store_n(&world.has_met, 0U, __ATOMIC_RELAXED);
  const std::uint64_t end = now_ns() + draw_duration(self.random, longest);
  while (__atomic_load_n(&world.has_met, __ATOMIC_RELAXED) == 0 && now_ns() < end) raw_syscall(SYS_sched_yield);
  __atomic_store_n(&world.meeting_at, std::uint64_t{0}, __ATOMIC_RELAXED);
}

void change_priority(FreeSelf& self) {
  FreeRun& run = g_free_world.run();
  if (__atomic_load_n(&run.priority_denied, __ATOMIC_RELAXED) != 0) return;
  const long now = kLowestNice + 1 - raw_syscall(SYS_getpriority, PRIO_PROCESS, 0);  // the call counts the other way
  if (self.first_nice == FreeSelf::kNotAsked) {
    // A thread whose priority was lowered and never raised again would lag behind for good: one that may not raise it
    // does not start.
    if (raw_syscall(SYS_setpriority, PRIO_PROCESS, 0, now - 1) < 0) {
      __atomic_store_n(&run.priority_denied, 1U, __ATOMIC_RELAXED);
      return;
    }
    self.first_nice = static_cast<std::int32_t>(now);
  }
  const auto range = static_cast<std::uint32_t>(kLowestNice + 1 - self.first_nice);
  raw_syscall(SYS_setpriority, PRIO_PROCESS, 0, self.first_nice + static_cast<long>(self.random.below(range)));
}

NoiseKind draw_kind(Random& random, const NoisePlan& plan) {
  std::uint32_t all = 0;
  for (const std::uint32_t one : plan.probability) all += one;
  std::uint32_t drawn = random.below(all);
  unsigned kind = 0;
  while (drawn >= plan.probability[kind]) drawn -= plan.probability[kind++];
  return static_cast<NoiseKind>(kind);
}

// Another thread had events while this one waited for no reason.
void note_interruptions(const FreeSelf& self, const Operation& operation, const std::uint64_t* before,
                        std::uint32_t count) {
  FreeRun& run = g_free_world.run();
  for (TaskId id = 0; id < count; ++id) {
    const FreeThread& other = run.thread[id];
    if (id == self.id || __atomic_load_n(&other.events, __ATOMIC_RELAXED) == before[id]) continue;
    const std::uint64_t by = __atomic_load_n(&other.site, __ATOMIC_RELAXED);
    std::uint64_t at = hash_mix(operation.pc, by) % kMaxInterruptions;
    unsigned tries = 0;
    for (; tries < 32; ++tries, at = (at + 1) % kMaxInterruptions) {
      Interruption& entry = run.interruption[at];
      std::uint64_t free = 0;
      if (__atomic_compare_exchange_n(&entry.interrupted, &free, operation.pc, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED)) {
        __atomic_store_n(&entry.by, by, __ATOMIC_RELEASE);
        break;
      }
      if (free == operation.pc && __atomic_load_n(&entry.by, __ATOMIC_ACQUIRE) == by) break;
    }
    if (tries == 32) run.interruptions_full = 1;
  }
}

void perform(FreeSelf& self, const Operation& operation, NoiseKind kind) {
  const NoisePlan& plan = g_free_world.plan();
  const std::uint64_t longest = std::uint64_t{plan.longest_us} * 1000;
  switch (kind) {
    case NoiseKind::sleep:
      return sleep_ns(draw_duration(self.random, longest));
    case NoiseKind::yield:
      for (std::uint32_t times = 1 + self.random.below(4); times > 0; --times) raw_syscall(SYS_sched_yield);
      return;
    case NoiseKind::priority:
      return change_priority(self);
    case NoiseKind::barrier_spin:
      return wait_for_contender(self, operation.object, longest);
    case NoiseKind::halt:
      return halt(self, longest);
  }
}

bool comes_back(FreeSelf& self, std::uint64_t object) {
  for (const std::uint64_t recent : self.recent) {
    if (recent == object) return true;
  }
  self.recent[self.newest++ % 4] = object;
  return false;
}

}  // namespace

NoisePlace place_of_access(FreeSelf& self, const Operation& operation) {
  const bool again = comes_back(self, operation.object);
  if (operation_role(operation.kind) == OperationRole::writes) {
    return again ? NoisePlace::write_again : NoisePlace::first_write;
  }
  return again ? NoisePlace::read_again : NoisePlace::first_read;
}

std::uint32_t rarity_of(const FreeSelf& self, std::uint64_t pc) {
  const std::uint64_t place = (pc * 0x9e3779b97f4a7c15ULL) >> 52;
  std::uint16_t& visits = g_free_world.visits[std::uint64_t{self.id} * FreeWorld::kPlaces + place];
  if (visits < 0xffff) ++visits;
  return visits <= 4 ? kUsualRarity * 16 : visits <= 32 ? kUsualRarity * 4 : visits <= 1024 ? kUsualRarity : 1;
}

std::int64_t weight_of(FreeSelf& self, const Operation& operation, NoisePlace place) {
  const std::int64_t weight = g_free_world.plan().weight[static_cast<unsigned>(place)];
  if (place != NoisePlace::read_again && place != NoisePlace::first_read) {
    self.polls = 0;
    return weight;
  }
  const std::uint64_t polled = operation.pc ^ (operation.object << 1);
  if (polled == self.polled) {
    if (self.polls < 32) ++self.polls;
  } else if (self.polls == 0) {
    self.polled = polled;
  }
  return weight >> self.polls;
}

void draw_countdown(FreeSelf& self, const NoisePlan& plan) {
  std::uint64_t all = 0;
  for (const std::uint32_t one : plan.probability) all += one;
  if (all == 0) {
    self.countdown = kNever;
    return;
  }
  // A mood lasts for four noises on average. So a quiet one lasts for many events: a thread that was left alone for
  // long is left alone for longer.
  if (self.random.below(4) == 0) self.mood = self.random.below(4) != 0 ? 0 : 1 + self.random.below(kQuietestMood);
  // Geometric, without a logarithm: the sum of halvings is near enough. Mean: kMillion / all, times the mood.
  const std::uint64_t mean = ((kMillion << self.mood) + all - 1) / all;
  const double unit = self.random.unit();
  double gap = 0;
  // -ln(1 - u) by its series would need many terms near 1: doubles of 1 - u count the halvings, the rest is linear.
  double rest = 1.0 - unit;
  while (rest < 0.5) {
    rest *= 2;
    gap += 0.6931;
  }
  gap += (1.0 - rest) * 1.3863;
  self.countdown = 1 + static_cast<std::int64_t>(gap * static_cast<double>(mean) * kUsualWeight * kUsualRarity);
}

void make_noise(FreeSelf& self, const Operation& operation) {
  FreeRun& run = g_free_world.run();
  const NoisePlan& plan = g_free_world.plan();
  const NoiseKind kind = draw_kind(self.random, plan);
  constexpr std::uint32_t kWatched = 64;
  std::uint64_t before[kWatched];
  std::uint32_t count = 0;
  if (plan.coverage != 0) {
    count = __atomic_load_n(&run.threads, __ATOMIC_RELAXED);
    if (count > kWatched) count = kWatched;
    for (TaskId id = 0; id < count; ++id) before[id] = __atomic_load_n(&run.thread[id].events, __ATOMIC_RELAXED);
  }
  const FreeState state = self.slot->state;
  set_state(*self.slot, FreeState::disturbed);
  perform(self, operation, kind);
  set_state(*self.slot, state);
  __atomic_fetch_add(&run.noises[static_cast<unsigned>(kind)], 1, __ATOMIC_RELAXED);
  if (plan.coverage != 0) note_interruptions(self, operation, before, count);
  draw_countdown(self, plan);
}

}  // namespace ravel
