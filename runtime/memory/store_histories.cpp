// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/store_histories.h"

#include <algorithm>

#include "base/check.h"
#include "runtime/memory/raw_pages.h"

namespace ravel {
namespace {

bool acquires(MemoryOrder order) {
  return order == MemoryOrder::consume || order == MemoryOrder::acquire || order == MemoryOrder::acq_rel ||
         order == MemoryOrder::seq_cst;
}

bool releases(MemoryOrder order) {
  return order == MemoryOrder::release || order == MemoryOrder::acq_rel || order == MemoryOrder::seq_cst;
}

// Bit sets that answer "perhaps" or "no".
template <std::size_t kWords>
bool perhaps(const std::uint64_t (&words)[kWords], std::uint64_t number) {
  const std::uint64_t bit = (number * 0x9e3779b97f4a7c15ULL) >> 32;
  return ((words[bit / 64 % kWords] >> (bit % 64)) & 1) != 0;
}

template <std::size_t kWords>
void remember(std::uint64_t (&words)[kWords], std::uint64_t number) {
  const std::uint64_t bit = (number * 0x9e3779b97f4a7c15ULL) >> 32;
  words[bit / 64 % kWords] |= std::uint64_t{1} << (bit % 64);
}

// Memory of ours starts as zeros, which is "T0 at clock 0": it says no more than no clock at all.
bool carries_order(const ReleaseClock& clock) { return clock.base != 0 || (clock.task != kNoTask && clock.clock != 0); }

}  // namespace

void StoreHistories::prepare(HappensBefore& order, HiddenOrder& hidden, std::uint32_t limit) {
  if (prepared()) return;
  order_ = &order;
  hidden_ = &hidden;
  limit_ = std::max(limit, 1U);
  fence_pasts_ = static_cast<ReleaseClock*>(reserve_pages(kFences * sizeof(ReleaseClock)));
  RAVEL_CHECK(stores_.prepare(kMostStores) && touches_.prepare(kMostTouches) && pool_.prepare(kMostLocations) &&
                  tasks_.prepare(kMaxTasks) && fence_pasts_ != nullptr,
              "no address space left for the histories of atomics");
}

// -- the bound --------------------------------------------------------------------------------------------------------

StoreHistories::View StoreHistories::view_of(TaskId task, MemoryOrder order) const {
  return View{task, order == MemoryOrder::seq_cst, order_->fence_number(task)};
}

// Has an operation touched it that happens before what the task does now?
bool StoreHistories::known(const Store& store, TaskId task) const {
  if (order_->before(store.writer, task)) return true;
  for (Index i = store.touched; i != 0; i = touches_[i].next) {
    if (order_->before(touches_[i].epoch, task)) return true;
  }
  return false;
}

bool StoreHistories::bounds(Epoch epoch, const View& view) const {
  if (order_->before(epoch, view.task)) return true;
  if (hidden_->used() && hidden_->knows(epoch)) return true;
  if (view.sequential && fences_ != 0 && order_->before(epoch, all_fences_)) return true;  // (2)
  return view.fence != 0 && order_->before(epoch, past_of_fence(view.fence));              // (4)
}

bool StoreHistories::bounds(const Store& store, const View& view) const {
  // (1) and (3). The fence number is 1 + how many were performed before it, so the comparison is the right one.
  if (store.sequential != 0 && (view.sequential || store.sequential <= view.fence)) return true;
  if (bounds(store.writer, view)) return true;
  for (Index i = store.touched; i != 0; i = touches_[i].next) {
    if (bounds(touches_[i].epoch, view)) return true;
  }
  return false;
}

// What happens before the seq_cst fences performed before fence `number`. For a fence too old to be remembered: that of
// the oldest one that is, which is more.
const ReleaseClock& StoreHistories::past_of_fence(std::uint32_t number) const {
  if (fences_ >= kFences && number <= fences_ - kFences) number = fences_ - kFences + 1;
  return fence_pasts_[number % kFences];
}

// Could the access be performed at this store? `stored`, `seen`: the bound of its storing and of its only reading form
// has not been passed yet.
bool StoreHistories::possible(const Store& store, bool stored, bool seen) const {
  switch (access_.kind) {
    case AtomicAccess::Kind::load:
      return seen;
    case AtomicAccess::Kind::store:
    case AtomicAccess::Kind::read_modify_write:
      return stored && !store.taken;
    case AtomicAccess::Kind::compare_exchange:
      // Finding what is expected makes it a read-modify-write: it never fails by reading an equal value.
      return store.value == access_.expected ? stored && !store.taken : seen;
  }
  return false;
}

std::uint32_t StoreHistories::count_possibilities(const Location& location) {
  if (limit_ == 1 || access_.newest_only || order_->exhausted()) return 1;
  const View storing = view_of(access_.task, access_.order);
  if (hidden_->used()) hidden_->look(access_.task);
  const bool two_orders = access_.kind == AtomicAccess::Kind::compare_exchange &&
                          (access_.failure_order == MemoryOrder::seq_cst) != storing.sequential;
  View seeing = storing;
  if (two_orders) seeing.sequential = !storing.sequential;
  bool stored = true;
  bool seen = true;
  std::uint32_t count = 0;
  for (Index i = location.newest; i != 0; i = stores_[i].older) {
    const Store& store = stores_[i];
    if (possible(store, stored, seen)) ++count;
    if (stored && bounds(store, storing)) stored = false;
    if (two_orders) {
      if (seen && bounds(store, seeing)) seen = false;
    } else {
      seen = stored;
    }
    if (!stored && !seen) return count;
  }
  if (location.dropped) cut_ = true;
  return count;
}

// -- one access -------------------------------------------------------------------------------------------------------

std::uint32_t StoreHistories::begin(const AtomicAccess& access, const AtomicValue& in_memory) {
  access_ = access;
  at_ = &location_at(access.address);
  history_restarted_ = at_->newest == 0 || at_->size != access.size || stores_[at_->newest].value != in_memory;
  was_changed_ = history_restarted_ && at_->newest != 0 && at_->size == access.size;
  if (history_restarted_) {
    restart_history(*at_, access.size, in_memory);
    return 1;
  }
  const std::uint32_t count = count_possibilities(*at_);
  const bool may_only_look =
      access.kind == AtomicAccess::Kind::load || access.kind == AtomicAccess::Kind::compare_exchange;
  if (count > 1 && may_only_look) {
    if (stores_[at_->newest].passed >= kMostPassed) return 1;
    const auto location = static_cast<Index>(pool_.number_of(at_));
    const Stale& stale = state_of(access.task).stale[location % kStaleSlots];
    if (stale.location == location && stale.times >= kPatience) return 1;
  }
  return count;
}

AtomicValue StoreHistories::choose(std::uint32_t n) {
  chosen_ = at_->newest;
  if (n == 0) return stores_[chosen_].value;
  // The n-th of those that count_possibilities counted. A compare-exchange with two different bounds passes them at
  // different stores, so they are looked at again.
  const View storing = view_of(access_.task, access_.order);
  if (hidden_->used()) hidden_->look(access_.task);
  View seeing = storing;
  if (access_.kind == AtomicAccess::Kind::compare_exchange) {
    seeing.sequential = access_.failure_order == MemoryOrder::seq_cst;
  }
  bool stored = true;
  bool seen = true;
  while (true) {
    const Store& store = stores_[chosen_];
    if (possible(store, stored, seen) && n-- == 0) return store.value;
    stored = stored && !bounds(store, storing);
    seen = seen && !bounds(store, seeing);
    chosen_ = store.older;
    RAVEL_CHECK(chosen_ != 0, "a store was chosen that is not there");
  }
}

void StoreHistories::acquire_for_load() {
  const bool failed = access_.kind == AtomicAccess::Kind::compare_exchange;
  acquire(stores_[chosen_], failed ? access_.failure_order : access_.order);
}

void StoreHistories::acquire_for_read_modify_write() { acquire(stores_[chosen_], access_.order); }

void StoreHistories::finish_load() {
  const MemoryOrder order =
      access_.kind == AtomicAccess::Kind::compare_exchange ? access_.failure_order : access_.order;
  Store& store = stores_[chosen_];
  note_read(store);
  if (order == MemoryOrder::seq_cst && store.sequential == 0) store.sequential = fences_ + 1;
  if (limit_ == 1) return;
  const auto location = static_cast<Index>(pool_.number_of(at_));
  Stale& stale = state_of(access_.task).stale[location % kStaleSlots];
  if (chosen_ != at_->newest) {
    ++stores_[at_->newest].passed;
    const bool again = stale.location == location && stale.store == chosen_;
    stale = Stale{location, chosen_, again ? stale.times + 1 : 1};
  } else if (stale.times != 0 && stale.location == location) {
    stale.times = 0;
  }
}

bool StoreHistories::finish_store(const AtomicValue& value) {
  const Index index = add_store(value);
  Store& store = stores_[index];
  store.pc = access_.pc;
  store.step = access_.step;
  store.writer = order_->now(access_.task);  // before the release ticks: the store is part of what is released
  if (access_.order == MemoryOrder::seq_cst) store.sequential = fences_ + 1;
  store.clock = release_clock(access_.order);
  place(*at_, index, chosen_);
  return at_->newest == index;
}

bool StoreHistories::finish_read_modify_write(const AtomicValue& value) {
  const Index index = add_store(value);
  Store& store = stores_[index];
  Store& read = stores_[chosen_];
  read.taken = true;
  store.pc = access_.pc;
  store.step = access_.step;
  store.writer = order_->now(access_.task);
  if (access_.order == MemoryOrder::seq_cst) store.sequential = fences_ + 1;
  store.clock = release_clock(access_.order);
  // It continues the release sequence of what it read. An acquire has made that part of its own past.
  if (!releases(access_.order) || !acquires(access_.order)) replace(store.clock, both(read.clock, store.clock));
  place(*at_, index, chosen_);
  return at_->newest == index;
}

void StoreHistories::fence(TaskId task, MemoryOrder order) {
  TaskState& state = state_of(task);
  if (acquires(order) && carries_order(state.seen)) {
    order_->join(task, state.seen);
    replace(state.seen, ReleaseClock{});
  }
  if (!releases(order)) return;
  if (order == MemoryOrder::seq_cst) {
    ++fences_;
    // The number is part of what the fence releases.
    order_->set_fence_number(task, fences_);
    order_->keep(all_fences_);
    replace(fence_pasts_[fences_ % kFences], all_fences_);
  }
  // The clock ticks: what the task does from now on does not happen before the fence.
  replace(state.released, order_->snapshot(task));
  if (order == MemoryOrder::seq_cst) replace(all_fences_, both(all_fences_, state.released));
}

void StoreHistories::acquire(const Store& store, MemoryOrder order) {
  const ReleaseClock& clock = store.clock;
  if (!carries_order(clock)) return;
  if (acquires(order)) {
    order_->join(access_.task, clock);
    return;
  }
  if (clock.task != kNoTask && order_->before(Epoch(clock.task, clock.clock), access_.task)) return;
  ReleaseClock& seen = state_of(access_.task).seen;
  replace(seen, both(clock, seen));
}

// A task that knows of this read knows of every touch that the reader knew of: then it need not be remembered.
void StoreHistories::note_read(Store& store) {
  if (limit_ == 1 || known(store, access_.task)) return;
  Index index = free_touches_;
  if (index != 0) {
    free_touches_ = touches_[index].next;
  } else {
    index = ++touch_count_;
    RAVEL_CHECK(touches_.make_room(index), "no room left for the readers of atomics");
  }
  touches_[index] = Touch{order_->now(access_.task), store.touched};
  store.touched = index;
}

// What a store of the current access carries; the caller owns it.
ReleaseClock StoreHistories::release_clock(MemoryOrder order) {
  if (releases(order)) return order_->snapshot(access_.task);
  const ReleaseClock& fenced = state_of(access_.task).released;
  order_->keep(fenced);
  return fenced;
}

// The past of both; the caller owns it. No copy when one is part of the other.
ReleaseClock StoreHistories::both(const ReleaseClock& a, const ReleaseClock& b) {
  const bool a_is_enough =
      !carries_order(b) || (b.task != kNoTask && carries_order(a) && order_->before(Epoch(b.task, b.clock), a));
  if (!a_is_enough) return order_->merge(a, b);
  order_->keep(a);
  return a;
}

void StoreHistories::replace(ReleaseClock& old, const ReleaseClock& fresh) {
  const ReleaseClock gone = old;
  old = fresh;
  order_->drop(gone);
}

// -- locations --------------------------------------------------------------------------------------------------------

StoreHistories::Location& StoreHistories::location_at(std::uint64_t address) {
  const std::uint64_t granule = address >> kGranuleBits;
  auto& entry = granules_.find_or_add(granule + 1);
  for (Index i = entry.value; i != 0; i = pool_[i].next_in_granule) {
    if (pool_[i].address == address) return pool_[i];
  }
  const Index index = ++location_count_;
  RAVEL_CHECK(pool_.make_room(index), "no room left for atomics");
  Location& location = pool_[index];
  location.address = address;
  location.next_in_granule = entry.value;
  entry.value = index;
  remember(pages_, address >> kPageBits);
  remember(lines_, address >> kLineBits);
  return location;
}

void StoreHistories::restart_history(Location& location, std::uint8_t size, const AtomicValue& value) {
  clear(location);
  location.size = size;
  const Index index = add_store(value);
  location.newest = index;
  location.oldest = index;
  location.count = 1;
  ++live_locations_;
}

void StoreHistories::clear(Location& location) {
  if (location.newest == 0) return;
  for (Index i = location.newest; i != 0;) {
    const Index older = stores_[i].older;
    free_store(i);
    i = older;
  }
  location.newest = 0;
  location.oldest = 0;
  location.count = 0;
  location.dropped = false;
  --live_locations_;
}

StoreHistories::Index StoreHistories::add_store(const AtomicValue& value) {
  Index index = free_stores_;
  if (index != 0) {
    free_stores_ = stores_[index].older;
    stores_[index] = Store{};
  } else {
    index = ++store_count_;
    RAVEL_CHECK(stores_.make_room(index), "no room left for the stores of atomics");
  }
  stores_[index].value = value;
  stores_[index].clock = ReleaseClock{};
  return index;
}

void StoreHistories::place(Location& location, Index index, Index behind) {
  Store& store = stores_[index];
  store.older = behind;
  store.newer = stores_[behind].newer;
  stores_[behind].newer = index;
  if (store.newer != 0) {
    stores_[store.newer].older = index;
  } else {
    location.newest = index;
  }
  if (++location.count > limit_) drop_oldest(location);
}

void StoreHistories::drop_oldest(Location& location) {
  const Index oldest = location.oldest;
  location.oldest = stores_[oldest].newer;
  stores_[location.oldest].older = 0;
  --location.count;
  location.dropped = true;
  free_store(oldest);
}

void StoreHistories::free_store(Index index) {
  Store& store = stores_[index];
  order_->drop(store.clock);
  while (store.touched != 0) {
    const Index touch = store.touched;
    store.touched = touches_[touch].next;
    touches_[touch].next = free_touches_;
    free_touches_ = touch;
  }
  store.older = free_stores_;
  free_stores_ = index;
}

void StoreHistories::publish(TaskId task, std::uint64_t address, std::uint8_t size, const AtomicValue& value) {
  Location& location = location_at(address);
  restart_history(location, size, value);
  stores_[location.newest].clock = order_->snapshot(task);
}

void StoreHistories::forget(std::uint64_t address, std::uint64_t size) {
  if (live_locations_ == 0) return;
  const std::uint64_t end = address + size;
  std::uint64_t at = address;
  while (at < end) {
    const std::uint64_t page_end = std::min(end, ((at >> kPageBits) + 1) << kPageBits);
    if (!perhaps(pages_, at >> kPageBits)) {
      at = page_end;
      continue;
    }
    while (at < page_end) {
      const std::uint64_t line_end = std::min(page_end, ((at >> kLineBits) + 1) << kLineBits);
      if (perhaps(lines_, at >> kLineBits)) {
        for (std::uint64_t granule = at >> kGranuleBits; granule << kGranuleBits < line_end; ++granule) {
          forget_granule(granule, address, end);
        }
      }
      at = line_end;
    }
  }
}

void StoreHistories::forget_granule(std::uint64_t granule, std::uint64_t address, std::uint64_t end) {
  const auto* entry = granules_.find(granule + 1);
  if (entry == nullptr) return;
  for (Index i = entry->value; i != 0; i = pool_[i].next_in_granule) {
    Location& location = pool_[i];
    if (location.address >= address && location.address < end) clear(location);
  }
}

}  // namespace ravel
