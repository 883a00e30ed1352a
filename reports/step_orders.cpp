// SPDX-License-Identifier: Apache-2.0
#include "reports/step_orders.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace ravel {
namespace {

bool acquires(MemoryOrder order) {
  return order == MemoryOrder::acquire || order == MemoryOrder::consume || order == MemoryOrder::acq_rel ||
         order == MemoryOrder::seq_cst;
}

bool releases(MemoryOrder order) {
  return order == MemoryOrder::release || order == MemoryOrder::acq_rel || order == MemoryOrder::seq_cst;
}

bool is_atomic(OperationKind kind) {
  return kind == OperationKind::atomic_load || kind == OperationKind::atomic_store ||
         kind == OperationKind::atomic_rmw || kind == OperationKind::atomic_cas;
}

class OrderFinder {
 public:
  explicit OrderFinder(std::span<const TraceEvent> trace) : trace_(trace) {}

  std::vector<StepOrder> find() {
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      const Operation& operation = trace_[i].operation;
      if (const auto creation = created_.find(operation.task); creation != created_.end()) {
        add(creation->second, i, OrderKind::created);
        created_.erase(creation);
      }
      last_of_[operation.task] = i;
      look_at(i, operation);
    }
    return std::move(orders_);
  }

 private:
  struct Lock {
    std::optional<std::size_t> written;  // the latest release by a task that had it alone
    std::vector<std::size_t> read;       // releases by readers since then
  };

  struct Condition {
    std::map<TaskId, std::optional<std::size_t>> waiting;  // and the notification that was for it
  };

  struct Barrier {
    std::vector<std::size_t> arrived;
    std::size_t left = 0;
  };

  // The latest write to an address.
  struct Store {
    std::size_t index = 0;
    std::vector<std::size_t> releases;  // heads of the release sequences it belongs to
    bool known = true;                  // false: it is not certain that it wrote
  };

  void add(std::size_t first, std::size_t second, OrderKind kind) {
    if (trace_[first].operation.task != trace_[second].operation.task) orders_.push_back({first, second, kind});
  }

  void look_at(std::size_t i, const Operation& operation) {
    if (is_memory_access(operation.kind)) {
      look_at_access(i);
      return;
    }
    switch (operation.kind) {
      case OperationKind::task_create:
        created_[static_cast<TaskId>(operation.object)] = i;
        break;
      case OperationKind::task_join:
        // A join that does not wait may have found the task running.
        if (const auto last = last_of_.find(static_cast<TaskId>(operation.object));
            operation.value != 1 && last != last_of_.end()) {
          add(last->second, i, OrderKind::joined);
        }
        break;
      case OperationKind::condition_wait:
      case OperationKind::condition_timed_wait:
        locks_[operation.value] = {i, {}};  // beginning to wait releases the mutex
        conditions_[operation.object].waiting[operation.task] = std::nullopt;
        break;
      case OperationKind::condition_signal:
      case OperationKind::condition_broadcast:
        notify(i);
        break;
      case OperationKind::condition_wake:
        wake(i);
        break;
      case OperationKind::semaphore_post:
        last_post_[operation.object] = i;
        break;
      case OperationKind::semaphore_wait:
        if (const auto post = last_post_.find(operation.object); post != last_post_.end()) {
          add(post->second, i, OrderKind::semaphore);
        }
        break;
      case OperationKind::barrier_wait:
        look_at_barrier(i);
        break;
      case OperationKind::once_end:
      case OperationKind::guard_release:
        done_[operation.object] = i;
        break;
      case OperationKind::once_begin:
      case OperationKind::guard_acquire:
        if (const auto done = done_.find(operation.object); done != done_.end()) add(done->second, i, OrderKind::once);
        break;
      case OperationKind::heap_free:
        stores_.clear();  // the memory may become something else
        break;
      default:
        look_at_lock(i);
    }
  }

  void look_at_lock(std::size_t i) {
    const Operation& operation = trace_[i].operation;
    const OperationKind kind = operation.kind;
    if (waits_for_lock(kind) || (tries_lock(kind) && is_released_next(trace_, i))) {
      Lock& lock = locks_[operation.object];
      const bool shares = kind == OperationKind::rwlock_read_lock || kind == OperationKind::rwlock_try_read_lock;
      if (!shares && !lock.read.empty()) {
        for (const std::size_t release : lock.read) add(release, i, OrderKind::lock);
      } else if (lock.written) {
        add(*lock.written, i, OrderKind::lock);
      }
    } else if (releases_lock(kind)) {
      Lock& lock = locks_[operation.object];
      if (kind == OperationKind::rwlock_unlock && operation.value == 1) {
        lock.read.push_back(i);
      } else {
        lock = {i, {}};
      }
    }
  }

  // Whom a notification of one was for is certain only when one waits.
  void notify(std::size_t i) {
    const Operation& operation = trace_[i].operation;
    auto& waiting = conditions_[operation.object].waiting;
    const auto unnotified = [](const auto& entry) { return !entry.second.has_value(); };
    const auto candidates = std::count_if(waiting.begin(), waiting.end(), unnotified);
    if (operation.kind == OperationKind::condition_signal && candidates != 1) return;
    for (auto& [task, by] : waiting) {
      if (!by) by = i;
    }
  }

  void wake(std::size_t i) {
    const Operation& operation = trace_[i].operation;
    auto& waiting = conditions_[operation.object].waiting;
    const auto mine = waiting.find(operation.task);
    if (mine == waiting.end()) return;
    if (mine->second) add(*mine->second, i, OrderKind::notified);
    waiting.erase(mine);
  }

  void look_at_barrier(std::size_t i) {
    const Operation& operation = trace_[i].operation;
    Barrier& barrier = barriers_[operation.object];
    if (operation.value != 1) {
      if (barrier.left > 0) barrier = {};
      barrier.arrived.push_back(i);
      return;
    }
    // The last arrival opens it, so that everybody's arrival comes before.
    if (!barrier.arrived.empty()) add(barrier.arrived.back(), i, OrderKind::barrier);
    ++barrier.left;
  }

  void look_at_access(std::size_t i) {
    const TraceEvent& event = trace_[i];
    const Operation& operation = event.operation;
    const bool writes = operation_role(operation.kind) == OperationRole::writes;
    const bool reads = operation.kind != OperationKind::write && operation.kind != OperationKind::atomic_store;
    const auto latest = stores_.find(operation.object);
    if (reads && latest != stores_.end() && saw(event, latest->second)) {
      const Store& store = latest->second;
      const bool synchronises = is_atomic(operation.kind) && acquires(operation.order) && !store.releases.empty();
      // What a task has acquired once comes before everything it does later.
      bool acquired = false;
      for (const std::size_t release : synchronises ? store.releases : std::vector<std::size_t>()) {
        if (!acquired_.emplace(release, operation.task).second) continue;
        acquired = true;
        add(release, i, OrderKind::atomic);
      }
      if (!acquired) add(store.index, i, OrderKind::value);
    }
    if (writes) remember_store(i);
  }

  // Only accesses of the same bytes are compared: of others, it is not certain what was seen.
  bool saw(const TraceEvent& read, const Store& store) const {
    const TraceEvent& write = trace_[store.index];
    if (!store.known || (read.flags & kTraceOlderStore) != 0) return false;
    if (write.operation.size != read.operation.size) return false;
    const bool known = (read.flags & kTraceBeforeKnown) != 0 && (write.flags & kTraceAfterKnown) != 0;
    return !known || write.after == read.before;
  }

  void remember_store(std::size_t i) {
    const TraceEvent& event = trace_[i];
    const Operation& operation = event.operation;
    const auto begin = stores_.lower_bound(operation.object >= 16 ? operation.object - 16 : 0);
    Store store{i, {}, true};
    const bool releases_here = is_atomic(operation.kind) && releases(operation.order);
    const bool exchanges = operation.kind == OperationKind::atomic_rmw || operation.kind == OperationKind::atomic_cas;
    if (const auto before = stores_.find(operation.object); exchanges && before != stores_.end()) {
      store.releases = before->second.releases;                                // a release sequence goes on
      if (releases_here && acquires(operation.order)) store.releases.clear();  // they come before this one
      constexpr std::size_t kMostArrows = 8;
      if (store.releases.size() >= kMostArrows) store.releases.erase(store.releases.begin());
    }
    if (operation.kind == OperationKind::atomic_cas) {
      const bool known = (event.flags & kTraceBeforeKnown) != 0 && (event.flags & kTraceAfterKnown) != 0;
      if (known && event.before == event.after) return;  // it failed, or changed nothing
      store.known = known;
    }
    if (releases_here) store.releases.push_back(i);
    // What overlaps is no longer whole.
    for (auto other = begin; other != stores_.end() && other->first < operation.object + operation.size;) {
      const std::uint64_t end = other->first + trace_[other->second.index].operation.size;
      other = end > operation.object ? stores_.erase(other) : std::next(other);
    }
    stores_[operation.object] = std::move(store);
  }

  std::span<const TraceEvent> trace_;
  std::vector<StepOrder> orders_;
  std::map<TaskId, std::size_t> created_;  // tasks that have not made a step
  std::map<TaskId, std::size_t> last_of_;
  std::map<std::uint64_t, Lock> locks_;
  std::map<std::uint64_t, Condition> conditions_;
  std::map<std::uint64_t, std::size_t> last_post_;
  std::map<std::uint64_t, Barrier> barriers_;
  std::map<std::uint64_t, std::size_t> done_;
  std::map<std::uint64_t, Store> stores_;
  std::set<std::pair<std::size_t, TaskId>> acquired_;  // releases, and who has acquired them
};

}  // namespace

std::vector<StepOrder> step_orders(std::span<const TraceEvent> trace) { return OrderFinder(trace).find(); }

bool is_released_next(std::span<const TraceEvent> trace, std::size_t index) {
  const Operation& mine = trace[index].operation;
  for (std::size_t i = index + 1; i < trace.size(); ++i) {
    const Operation& operation = trace[i].operation;
    if (operation.task == mine.task && operation.object == mine.object) return releases_lock(operation.kind);
  }
  return false;
}

}  // namespace ravel
