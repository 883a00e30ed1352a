// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/happens_before.h"

#include <emmintrin.h>

#include <algorithm>

#include "base/check.h"
#include "runtime/memory/raw_pages.h"

namespace ravel {
namespace {

// Four components at a time, with instructions that every x86-64 has. Usually there are a few, sometimes hundreds.
__m128i load_four(const std::uint32_t* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); }
void store_four(std::uint32_t* to, __m128i four) { _mm_storeu_si128(reinterpret_cast<__m128i*>(to), four); }

void copy_components(std::uint32_t* to, const std::uint32_t* from, std::uint32_t count) {
  std::uint32_t i = 0;
  for (; i + 4 <= count; i += 4) store_four(to + i, load_four(from + i));
  for (; i < count; ++i) {
    to[i] = from[i];
    asm volatile("");  // else this becomes a call of memcpy
  }
}

// Each becomes the larger of the two. Clocks have 24 bits, so comparing them as signed numbers does no harm.
void raise_components(std::uint32_t* mine, const std::uint32_t* others, std::uint32_t count) {
  std::uint32_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const __m128i a = load_four(mine + i);
    const __m128i b = load_four(others + i);
    const __m128i a_is_larger = _mm_cmpgt_epi32(a, b);
    store_four(mine + i, _mm_or_si128(_mm_and_si128(a_is_larger, a), _mm_andnot_si128(a_is_larger, b)));
  }
  for (; i < count; ++i) mine[i] = std::max(mine[i], others[i]);
}

}  // namespace

void HappensBefore::prepare() {
  if (prepared()) return;
  clocks_ = static_cast<std::uint32_t*>(reserve_pages(sizeof(std::uint32_t) * kNarrowRow * kNarrowRow));
  wide_ = static_cast<std::uint32_t*>(reserve_pages(sizeof(std::uint32_t) * kWideRow * kMaxTasks));
  states_ = static_cast<TaskState*>(reserve_pages(sizeof(TaskState) * kMaxTasks));
  RAVEL_CHECK(clocks_ != nullptr && wide_ != nullptr && states_ != nullptr && frozen_.prepare(kMostFrozen),
              "no address space left for clocks");
  objects_.prepare();
  clock_of(0)[1] = 1;
  states_[0].learned = true;
}

void HappensBefore::task_created(TaskId child, TaskId creator) {
  RAVEL_CHECK(child == tasks_, "tasks are created in the order of their ids");
  ++tasks_;
  if (length() > row_) widen();
  const ReleaseClock past = snapshot(creator);
  join(child, past);
  drop(past);
  clock_of(child)[child + 1] = 1;
  states_[child].learned = true;
}

void HappensBefore::widen() {
  for (TaskId task = 0; task < tasks_ - 1; ++task) {
    std::copy(clock_of(task), clock_of(task) + kNarrowRow, wide_ + task * kWideRow);
  }
  clocks_ = wide_;
  row_ = kWideRow;
}

void HappensBefore::task_joined(TaskId task, TaskId joiner) { learn(joiner, clock_of(task), length()); }

bool HappensBefore::knows_all(TaskId task) const {
  const std::uint32_t* mine = clock_of(task);
  for (TaskId other = 0; other < tasks_; ++other) {
    if (mine[other + 1] < clock_of(other)[other + 1]) return false;
  }
  return true;
}

[[gnu::flatten]] void HappensBefore::acquire(TaskId task, std::uint64_t key) {
  if (const auto* entry = objects_.find(key)) join(task, entry->value);
}

[[gnu::flatten]] void HappensBefore::release(TaskId task, std::uint64_t key) {
  auto& entry = objects_.find_or_add(key);
  const ReleaseClock old = entry.value;
  // What was released there by the task itself, or by a task it knows of, is part of its own past.
  if (old.task != kNoTask && old.clock <= clock_of(task)[old.task + 1]) {
    drop(old);
    publish(task, entry.value);
    return;
  }
  const ReleaseClock mine = snapshot(task);
  // A fresh entry is all zeros: no base, and T0's clock 0 on top, which says nothing.
  entry.value = merge(old, mine);
  drop(old);
  drop(mine);
}

[[gnu::flatten]] void HappensBefore::release_store(TaskId task, std::uint64_t key) {
  auto& entry = objects_.find_or_add(key);
  drop(entry.value);
  publish(task, entry.value);
}

void HappensBefore::forget(std::uint64_t key) {
  auto* entry = objects_.find(key);
  if (entry == nullptr) return;
  drop(entry->value);
  entry->value = ReleaseClock{};
}

[[gnu::flatten]] void HappensBefore::publish(TaskId task, ReleaseClock& into) {
  TaskState& state = states_[task];
  std::uint32_t* mine = clock_of(task);
  if (state.learned || state.published == 0) {
    // A copy that nothing else refers to any more is overwritten.
    if (state.published == 0 || frozen(state.published).references != 1 || frozen(state.published).length != length()) {
      drop(state.published);
      state.published = allocate(length());
    }
    Frozen& copy = frozen(state.published);
    copy_components(copy.component(), mine, copy.length);
    state.learned = false;
  }
  keep(state.published);
  into.base = state.published;
  into.task = task;
  into.clock = mine[task + 1];
  tick(task);
}

void HappensBefore::join(TaskId task, const ReleaseClock& clock) {
  // A task that knows the end of an epoch knows all that the epoch's task knew then.
  if (clock.task != kNoTask && clock.clock <= clock_of(task)[clock.task + 1]) return;
  if (clock.base != 0) learn(task, frozen(clock.base).component(), frozen(clock.base).length);
  if (clock.task != kNoTask) raise(task, clock.task, clock.clock);
}

ReleaseClock HappensBefore::merge(const ReleaseClock& a, const ReleaseClock& b) {
  const bool a_empty = a.base == 0 && (a.task == kNoTask || a.clock == 0);
  if (a_empty || (a.task != kNoTask && before(Epoch(a.task, a.clock), b))) {
    keep(b);
    return b;
  }
  const ClockId id = allocate(length());
  std::uint32_t* out = frozen(id).component();
  std::fill(out, out + length(), 0);
  for (const ReleaseClock* part : {&a, &b}) {
    if (part->base != 0) {
      const Frozen& clock = frozen(part->base);
      raise_components(out, clock.component(), clock.length);
    }
    if (part->task != kNoTask) out[part->task + 1] = std::max(out[part->task + 1], part->clock);
  }
  return ReleaseClock{id, kNoTask, 0};
}

bool HappensBefore::before(Epoch epoch, const ReleaseClock& clock) const {
  if (clock.task == epoch.task() && epoch.clock() <= clock.clock) return true;
  if (clock.base == 0) return false;
  const Frozen& base = frozen(clock.base);
  return epoch.task() + 1 < base.length && epoch.clock() <= base.component()[epoch.task() + 1];
}

void HappensBefore::set_fence_number(TaskId task, std::uint32_t number) {
  clock_of(task)[0] = number;
  states_[task].learned = true;
}

ClockId HappensBefore::allocate(std::uint32_t length) {
  std::uint32_t size_class = 0;
  while ((8U << size_class) < length) ++size_class;
  ClockId id = free_[size_class];
  if (id != 0) {
    free_[size_class] = frozen(id).next_free;
  } else {
    id = static_cast<ClockId>(used_bytes_ / 16);
    used_bytes_ += sizeof(Frozen) + 4 * (std::size_t{8} << size_class);
    RAVEL_CHECK(frozen_.make_room((used_bytes_ - 1) / 16), "no room left for clocks");
  }
  Frozen& clock = frozen(id);
  clock.references = 1;
  clock.length = length;
  clock.size_class = size_class;
  return id;
}

void HappensBefore::drop(ClockId id) {
  if (id == 0) return;
  Frozen& clock = frozen(id);
  if (--clock.references != 0) return;
  clock.next_free = free_[clock.size_class];
  free_[clock.size_class] = id;
}

void HappensBefore::learn(TaskId task, const std::uint32_t* components, std::uint32_t count) {
  raise_components(clock_of(task), components, count);
  states_[task].learned = true;
}

void HappensBefore::raise(TaskId task, TaskId of, std::uint32_t clock) {
  std::uint32_t& mine = clock_of(task)[of + 1];
  if (clock <= mine) return;
  mine = clock;
  states_[task].learned = true;
}

void HappensBefore::tick(TaskId task) {
  std::uint32_t& own = clock_of(task)[task + 1];
  if (own >= Epoch::kLastClock) {
    exhausted_ = true;
    return;
  }
  ++own;
}

}  // namespace ravel
