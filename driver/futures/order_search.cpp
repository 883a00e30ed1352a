// SPDX-License-Identifier: Apache-2.0
#include "driver/futures/order_search.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "base/random.h"

namespace ravel {
namespace {

constexpr std::size_t kMostEvents = 20'000;
constexpr std::int64_t kNobody = -1;
constexpr std::size_t kAnyNumber = ~std::size_t{0};

bool takes_exclusively(OperationKind kind) {
  return kind == OperationKind::mutex_lock || kind == OperationKind::spin_lock ||
         kind == OperationKind::rwlock_write_lock;
}

bool is_unlock(OperationKind kind) { return releases_lock(kind); }

bool is_semaphore(OperationKind kind) {
  return kind == OperationKind::semaphore_wait || kind == OperationKind::semaphore_post;
}

// It releases the mutex that it names; taking it again is a separate operation.
bool waits_for_condition(OperationKind kind) {
  return kind == OperationKind::condition_wait || kind == OperationKind::condition_timed_wait;
}

// Operations on one object that keep their original order.
bool keeps_its_order(OperationKind kind) {
  return operation_role(kind) == OperationRole::syncs && !is_modelled(kind) && kind != OperationKind::program_exit;
}

struct Lock {
  std::int64_t owner = kNobody;
  std::uint32_t depth = 0;
  std::uint32_t readers = 0;
};

class Search {
 public:
  Search(const ObservedExecution& execution, std::span<const ReadChoice> choices, OtherReads others,
         const OrderEffort& effort, std::size_t most_changes)
      : execution_(execution),
        choices_(choices),
        others_(others),
        effort_(effort),
        most_changes_(most_changes),
        position_(execution.by_task.size()),
        needed_(execution.by_task.size()),
        done_(execution.events.size()),
        latest_(execution.variables.size()),
        matters_(execution.variables.size(), true),
        in_parts_(execution.variables.size()) {
    prepare();
  }

  OrderFound run() {
    OrderFound result;
    if (execution_.events.size() > kMostEvents) {
      result.answer = OrderAnswer::too_many;
      return result;
    }
    if (step()) {
      result.answer = OrderAnswer::found;
      result.order = order_;
    } else {
      result.answer = gave_up_ ? OrderAnswer::too_many : OrderAnswer::impossible;
    }
    return result;
  }

 private:
  const ObservedEvent& event(std::size_t i) const { return execution_.events[i]; }

  void prepare() {
    const std::size_t count = execution_.events.size();
    required_.resize(count);
    choice_of_.assign(count, -1);
    for (std::size_t c = 0; c < choices_.size(); ++c) choice_of_[choices_[c].read] = static_cast<std::int64_t>(c);
    std::map<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>> bytes;  // by variable
    for (const ObservedEvent& one : execution_.events) {
      const std::pair<std::uint64_t, std::uint64_t> its{one.operation.object, one.operation.size};
      if (one.variable != 0 && bytes.try_emplace(one.variable, its).first->second != its)
        in_parts_[one.variable] = true;
    }
    std::map<std::uint64_t, std::size_t> created;  // by task
    std::map<std::uint64_t, std::size_t> ended;
    std::map<std::uint64_t, std::vector<std::size_t>> arrivals;  // by barrier: since it was last left
    std::map<std::uint64_t, bool> leaving;
    std::map<std::uint64_t, std::vector<std::size_t>> before;  // by object: what keeps its order
    for (std::size_t i = 0; i < count; ++i) {
      const Operation& operation = event(i).operation;
      if (event(i).number == 1) {
        const auto creator = created.find(operation.task);
        if (creator != created.end()) required_[i].push_back(creator->second);
      }
      switch (operation.kind) {
        case OperationKind::task_create:
          created[operation.object] = i;
          break;
        case OperationKind::task_end:
          ended[operation.task] = i;
          break;
        case OperationKind::task_join:
          if (const auto end = ended.find(operation.object); end != ended.end()) required_[i].push_back(end->second);
          break;
        case OperationKind::barrier_wait:
          if (operation.value == 1) {
            required_[i] = arrivals[operation.object];
            leaving[operation.object] = true;
          } else {
            if (leaving[operation.object]) arrivals[operation.object].clear();
            leaving[operation.object] = false;
            arrivals[operation.object].push_back(i);
          }
          break;
        case OperationKind::semaphore_wait:
        case OperationKind::semaphore_post:
          // Units before the first operation.
          units_.emplace(operation.object, event(i).value);
          break;
        default:
          break;
      }
      if (keeps_its_order(operation.kind) && others_ < OtherReads::anything) {
        for (const std::size_t other : before[operation.object]) {
          if (event(other).task() != operation.task) required_[i].push_back(other);
        }
        before[operation.object].push_back(i);
      }
    }
    // How far each task has to get: to the reads, the writes, and what those need.
    std::vector<std::size_t> open;
    std::vector<bool> seen(count);
    const auto want = [&](std::size_t i) {
      if (!seen[i]) open.push_back(i);
      seen[i] = true;
    };
    for (const ReadChoice& choice : choices_) {
      want(choice.read);
      if (choice.write >= 0) want(static_cast<std::size_t>(choice.write));
    }
    while (!open.empty()) {
      const std::size_t i = open.back();
      open.pop_back();
      const ObservedEvent& one = event(i);
      needed_[one.task()] = std::max<std::size_t>(needed_[one.task()], one.number);
      if (one.number > 1) want(execution_.by_task[one.task()][one.number - 2]);
      for (const std::size_t other : required_[i]) want(other);
      const bool keeps = one.reads && choice_of_[i] < 0 && others_ == OtherReads::same_write;
      if (keeps && one.source >= 0) want(static_cast<std::size_t>(one.source));
    }
    goals_ = choices_.size();
    if (others_ >= OtherReads::anything && most_changes_ == kAnyNumber) forget_what_does_not_matter();
  }

  // If reads may see anything, accesses to a variable that no choice is about can come at any time.
  void forget_what_does_not_matter() {
    matters_.assign(matters_.size(), false);
    for (const ReadChoice& choice : choices_) matters_[event(choice.read).variable] = true;
    if (effort_.keeps != kNoRead) matters_[event(effort_.keeps).variable] = true;
    if (others_ == OtherReads::anything_at_all) return;
    for (const ObservedEvent& one : execution_.events) {
      if (one.variable != 0 && execution_.places[one.place].in_library) matters_[one.variable] = true;
    }
  }

  // The write that a read would see now.
  std::int64_t visible(const ObservedEvent& read) const {
    const std::vector<std::size_t>& writes = latest_[read.variable];
    for (std::size_t i = writes.size(); i-- > 0;) {
      if (overlap(event(writes[i]).operation, read.operation)) return static_cast<std::int64_t>(writes[i]);
    }
    return kInitialValue;
  }

  bool may_read(std::size_t i) const {
    const ObservedEvent& read = event(i);
    const std::int64_t now = visible(read);
    if (choice_of_[i] >= 0) return now == choices_[static_cast<std::size_t>(choice_of_[i])].write;
    if (now == read.source) return true;
    if (i == effort_.keeps || changes_ >= most_changes_) return false;
    const auto by_another = [&](std::int64_t write) {
      return write >= 0 && event(static_cast<std::size_t>(write)).task() != read.task();
    };
    // What a semaphore or a barrier reads in its own memory is its state: once let through, always let through.
    const bool in_library = execution_.places[read.place].in_library;
    const bool everything = others_ == OtherReads::anything_at_all;
    if (in_library && !everything && by_another(now) != by_another(read.source)) return false;
    switch (others_) {
      case OtherReads::same_write:
        return false;
      case OtherReads::same_value:
        // The initial value has no event that knows it.
        return now >= 0 && read.value_known && event(static_cast<std::size_t>(now)).value_known &&
               event(static_cast<std::size_t>(now)).value == read.value &&
               event(static_cast<std::size_t>(now)).operation.size == read.operation.size;
      case OtherReads::written_stays_written:
        return by_another(now) == by_another(read.source) || (now >= 0) == (read.source >= 0);
      case OtherReads::anything:
      case OtherReads::anything_at_all:
        return true;
    }
    return true;
  }

  // A choice can no longer be met once its write has been overwritten.
  bool spoils(std::size_t i) const {
    const ObservedEvent& write = event(i);
    for (const ReadChoice& choice : choices_) {
      if (done_[choice.read] || choice.read == i) continue;
      const ObservedEvent& read = event(choice.read);
      if (read.variable != write.variable || !overlap(read.operation, write.operation)) continue;
      if (choice.write == kInitialValue) return true;
      if (static_cast<std::size_t>(choice.write) != i && done_[static_cast<std::size_t>(choice.write)]) return true;
    }
    return false;
  }

  bool can_step(std::size_t i) {
    const ObservedEvent& one = event(i);
    const Operation& operation = one.operation;
    for (const std::size_t other : required_[i]) {
      if (!done_[other]) return false;
    }
    if (operation.kind == OperationKind::program_exit) return false;
    if (takes_exclusively(operation.kind)) {
      const Lock& lock = locks_[operation.object];
      return (lock.owner == kNobody && lock.readers == 0) || lock.owner == static_cast<std::int64_t>(one.task());
    }
    if (operation.kind == OperationKind::rwlock_read_lock) return locks_[operation.object].owner == kNobody;
    if (operation.kind == OperationKind::semaphore_wait) return units_[operation.object] > 0;
    if (one.variable == 0 || !matters_[one.variable]) return true;
    if (one.reads && !may_read(i)) return false;
    return !one.writes || !spoils(i);
  }

  // It does not matter when it happens, or it only lets others continue: no need to try anything else first.
  bool is_free(std::size_t i) const {
    const ObservedEvent& one = event(i);
    const OperationKind kind = one.operation.kind;
    if (is_memory_access(kind)) return one.variable == 0 || !matters_[one.variable];
    return operation_role(kind) == OperationRole::local || is_unlock(kind) || kind == OperationKind::task_create ||
           kind == OperationKind::task_end || kind == OperationKind::task_join || kind == OperationKind::semaphore_post;
  }

  void perform(std::size_t i) {
    const ObservedEvent& one = event(i);
    const Operation& operation = one.operation;
    if (most_changes_ != kAnyNumber && one.variable != 0 && one.reads && choice_of_[i] < 0 &&
        visible(one) != one.source) {
      ++changes_;
      changed_.push_back(i);
    }
    done_[i] = true;
    move(one.task(), 1);
    order_.push_back(i);
    if (choice_of_[i] >= 0) --goals_;
    if (takes_exclusively(operation.kind)) {
      Lock& lock = locks_[operation.object];
      lock.owner = one.task();
      ++lock.depth;
    } else if (operation.kind == OperationKind::rwlock_read_lock) {
      ++locks_[operation.object].readers;
    } else if (is_unlock(operation.kind)) {
      Lock& lock = locks_[operation.object];
      if (lock.owner == static_cast<std::int64_t>(one.task())) {
        if (--lock.depth == 0) lock.owner = kNobody;
      } else if (lock.readers > 0) {
        --lock.readers;
      }
    } else if (operation.kind == OperationKind::semaphore_wait) {
      --units_[operation.object];
    } else if (operation.kind == OperationKind::semaphore_post) {
      ++units_[operation.object];
    }
    if (waits_for_condition(operation.kind)) locks_[operation.value] = Lock{};
    if (one.variable != 0 && one.writes && matters_[one.variable]) {
      const std::uint64_t before = hash_of_latest(one.variable);
      latest_[one.variable].push_back(i);
      hash_ += hash_of_latest(one.variable) - before;
    }
  }

  void take_back() {
    const std::size_t i = order_.back();
    const ObservedEvent& one = event(i);
    const Operation& operation = one.operation;
    order_.pop_back();
    if (!changed_.empty() && changed_.back() == i) {
      changed_.pop_back();
      --changes_;
    }
    done_[i] = false;
    move(one.task(), -1);
    if (choice_of_[i] >= 0) ++goals_;
    if (takes_exclusively(operation.kind)) {
      Lock& lock = locks_[operation.object];
      if (--lock.depth == 0) lock.owner = kNobody;
    } else if (operation.kind == OperationKind::rwlock_read_lock) {
      --locks_[operation.object].readers;
    } else if (is_unlock(operation.kind)) {
      Lock& lock = locks_[operation.object];
      if (operation.kind == OperationKind::rwlock_unlock && operation.value == 1) {
        ++lock.readers;
      } else {
        lock.owner = one.task();
        ++lock.depth;
      }
    } else if (operation.kind == OperationKind::semaphore_wait) {
      ++units_[operation.object];
    } else if (operation.kind == OperationKind::semaphore_post) {
      --units_[operation.object];
    }
    if (waits_for_condition(operation.kind)) locks_[operation.value] = Lock{one.task(), 1, 0};
    if (one.variable != 0 && one.writes && matters_[one.variable]) {
      const std::uint64_t before = hash_of_latest(one.variable);
      latest_[one.variable].pop_back();
      hash_ += hash_of_latest(one.variable) - before;
    }
  }

  std::size_t next_of(TaskId task) const {
    const std::vector<std::size_t>& mine = execution_.by_task[task];
    return position_[task] < mine.size() ? mine[position_[task]] : execution_.events.size();
  }

  // The state is how far each task has got and what is visible of each variable: locks, semaphores and what is done
  // follow from the first. Its hash is a sum, so that each step updates it cheaply.
  static std::uint64_t hash_of_position(TaskId task, std::size_t position) {
    return hash_mix(hash_mix(1, task), position);
  }
  std::uint64_t hash_of_latest(std::uint32_t variable) const {
    const std::vector<std::size_t>& writes = latest_[variable];
    if (writes.empty()) return 0;
    std::uint64_t hash = hash_mix(2, variable);
    // If accesses overlap only partly, earlier writes stay visible.
    for (std::size_t i = in_parts_[variable] ? 0 : writes.size() - 1; i < writes.size(); ++i) {
      hash = hash_mix(hash, writes[i]);
    }
    return hash;
  }
  void move(TaskId task, int by) {
    hash_ -= hash_of_position(task, position_[task]);
    position_[task] += static_cast<std::size_t>(by);
    hash_ += hash_of_position(task, position_[task]);
  }

  // True when the goal was reached; order_ is then the way there.
  bool step() {
    const std::size_t begun = order_.size();
    const auto go_back = [&] {
      while (order_.size() > begun) take_back();
      return false;
    };
    for (bool moved = true; moved && goals_ != 0;) {
      moved = false;
      for (TaskId task = 0; task < position_.size() && goals_ != 0; ++task) {
        while (position_[task] < needed_[task]) {
          const std::size_t i = next_of(task);
          if (!is_free(i) || !can_step(i)) break;
          perform(i);
          moved = true;
        }
      }
    }
    if (goals_ == 0) return true;
    if (!known_.insert(hash_mix(hash_, changes_)).second) return go_back();
    constexpr std::size_t kLookAtTime = 64;  // states between two looks
    if (known_.size() > effort_.states || (known_.size() % kLookAtTime == 1 && effort_.deadline.has_come())) {
      gave_up_ = true;
      return go_back();
    }
    // First the tasks that have to continue, in the order of the execution; then those that hold something up.
    std::vector<std::size_t> candidates;
    for (TaskId task = 0; task < position_.size(); ++task) {
      const std::size_t i = next_of(task);
      if (i < execution_.events.size() && can_step(i)) candidates.push_back(i);
    }
    std::sort(candidates.begin(), candidates.end(), [&](std::size_t a, std::size_t b) {
      const bool late_a = position_[event(a).task()] >= needed_[event(a).task()];
      const bool late_b = position_[event(b).task()] >= needed_[event(b).task()];
      return late_a != late_b ? late_b : a < b;
    });
    for (const std::size_t i : candidates) {
      perform(i);
      if (step()) return true;
      take_back();
      if (gave_up_) break;
    }
    return go_back();
  }

  const ObservedExecution& execution_;
  std::span<const ReadChoice> choices_;
  OtherReads others_;
  OrderEffort effort_;
  std::size_t most_changes_;  // reads that may see a different write than in the execution, besides those chosen
  std::size_t changes_ = 0;
  std::vector<std::vector<std::size_t>> required_;
  std::vector<std::int64_t> choice_of_;  // by event
  std::vector<std::size_t> position_;
  std::vector<std::size_t> needed_;
  std::vector<bool> done_;
  std::vector<std::vector<std::size_t>> latest_;  // by variable: writes, the latest last
  std::vector<bool> matters_;                     // by variable
  std::vector<bool> in_parts_;                    // by variable: its accesses are not all to the same bytes
  std::uint64_t hash_ = 0;
  std::map<std::uint64_t, Lock> locks_;
  std::map<std::uint64_t, std::uint64_t> units_;
  std::vector<std::size_t> order_;
  std::vector<std::size_t> changed_;  // of them, reads that see a different write
  std::size_t goals_ = 0;
  std::unordered_set<std::uint64_t> known_;
  bool gave_up_ = false;
};

}  // namespace

bool is_modelled(OperationKind kind) {
  if (is_memory_access(kind) || operation_role(kind) == OperationRole::local) return true;
  switch (kind) {
    case OperationKind::task_create:
    case OperationKind::task_end:
    case OperationKind::task_join:
    case OperationKind::task_detach:
    case OperationKind::barrier_wait:
    case OperationKind::program_exit:
    case OperationKind::heap_free:
    case OperationKind::rwlock_read_lock:
    case OperationKind::mutex_destroy:
      return true;
    default:
      return takes_exclusively(kind) || is_unlock(kind) || is_semaphore(kind);
  }
}

OrderFound find_order(const ObservedExecution& execution, std::span<const ReadChoice> choices, OtherReads others,
                      const OrderEffort& effort) {
  OrderFound any = Search(execution, choices, others, effort, kAnyNumber).run();
  const bool may_change = others == OtherReads::written_stays_written || others >= OtherReads::anything;
  if (any.answer == OrderAnswer::impossible || !may_change) return any;
  // The fewer reads see something new, the likelier the program takes that path.
  for (const std::size_t most : {1, 2, 3, 4, 6, 8, 12}) {
    OrderFound few = Search(execution, choices, others, effort, most).run();
    if (few.answer == OrderAnswer::found) return few;
  }
  return any;
}

std::vector<std::int64_t> sources_in(const ObservedExecution& execution, std::span<const std::size_t> order) {
  std::vector<std::int64_t> sources(execution.events.size(), kReadsNothing);
  std::vector<std::vector<std::size_t>> writes(execution.variables.size());
  for (const std::size_t i : order) {
    const ObservedEvent& event = execution.events[i];
    if (event.variable == 0) continue;
    if (event.reads) {
      const std::vector<std::size_t>& before = writes[event.variable];
      sources[i] = kInitialValue;
      for (std::size_t w = before.size(); w-- > 0 && sources[i] == kInitialValue;) {
        if (overlap(execution.events[before[w]].operation, event.operation)) {
          sources[i] = static_cast<std::int64_t>(before[w]);
        }
      }
    }
    if (event.writes) writes[event.variable].push_back(i);
  }
  return sources;
}

}  // namespace ravel
