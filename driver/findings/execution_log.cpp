// SPDX-License-Identifier: Apache-2.0
#include "driver/findings/execution_log.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "base/random.h"
#include "driver/findings/wait_history.h"

namespace ravel {
namespace {

bool reads_memory(OperationKind kind) {
  switch (kind) {
    case OperationKind::read:
    case OperationKind::read_write:
    case OperationKind::atomic_load:
    case OperationKind::atomic_rmw:
    case OperationKind::atomic_cas:
      return true;
    default:
      return false;
  }
}

bool writes_memory(const TraceEvent& event) {
  switch (event.operation.kind) {
    case OperationKind::write:
    case OperationKind::read_write:
    case OperationKind::atomic_store:
    case OperationKind::atomic_rmw:
      return true;
    case OperationKind::atomic_cas: {
      constexpr std::uint32_t kBoth = kTraceBeforeKnown | kTraceAfterKnown;
      return (event.flags & kBoth) != kBoth || event.before != event.after;
    }
    default:
      return false;
  }
}

// Names heap blocks by who allocated them, where, and which of those it is. Allocations are taken in their order.
class Blocks {
 public:
  explicit Blocks(const std::vector<AllocationRecord>& records) : records_(records) {}

  void advance(std::size_t step) {
    for (; next_ < records_.size() && records_[next_].step <= step; ++next_) {
      const AllocationRecord& record = records_[next_];
      if (record.task == kNoTask) continue;  // its address is the same every time
      std::uint64_t where = record.task;
      for (const std::uint64_t frame : record.frames) {
        if (frame == 0) break;
        where = hash_mix(where, frame);
      }
      const std::uint64_t number = numbers_[where]++;
      // Away from all addresses, and far from each other.
      const std::uint64_t name = (std::uint64_t{1} << 63) | (hash_mix(where, number) << 24 >> 1);
      live_.erase(live_.lower_bound(record.start),
                  live_.lower_bound(record.start + std::max<std::uint64_t>(record.size, 1)));
      live_[record.start] = {record.size, name};
    }
  }

  std::uint64_t named(std::uint64_t address) const {
    auto after = live_.upper_bound(address);
    if (after == live_.begin()) return address;
    const auto& [start, block] = *std::prev(after);
    const std::uint64_t offset = address - start;
    return offset <= block.size ? block.name + offset : address;
  }

 private:
  struct Block {
    std::uint64_t size = 0;
    std::uint64_t name = 0;
  };
  const std::vector<AllocationRecord>& records_;
  std::size_t next_ = 0;
  std::map<std::uint64_t, Block> live_;
  std::unordered_map<std::uint64_t, std::uint64_t> numbers_;
};

std::uint64_t code_of(const Operation& operation, const StackRecord* stack) {
  std::uint64_t code = hash_mix(operation.pc, static_cast<std::uint64_t>(operation.kind));
  if (stack == nullptr) return code;
  for (std::size_t i = 0; i < std::min<std::size_t>(stack->count, kMaxFrames); ++i) {
    code = hash_mix(code, stack->frames[i]);
  }
  return code;
}

}  // namespace

ExecutionLog::ExecutionLog(const ExecutionRecord& record) {
  // Calls are kept of the first events only. Where they do not reach, nothing is compared by them.
  const bool calls =
      record.step_stacks.size() >= record.trace.size() && record.access_stacks.size() >= record.accesses.size();
  Blocks blocks(record.allocations);
  const auto add_named = [&](const TraceEvent& event, const StackRecord* stack, std::size_t place, std::size_t step) {
    blocks.advance(step);
    add(event, stack, place);
    LoggedEvent& logged = events_.back();
    if (!is_memory_access(event.operation.kind) && event.operation.kind != OperationKind::heap_free) return;
    logged.memory = blocks.named(event.operation.object);
    if (event.operation.size != sizeof(std::uint64_t)) return;
    logged.seen = blocks.named(logged.seen);
    logged.left = blocks.named(logged.left);
  };
  std::size_t access = 0;
  for (std::size_t step = 0; step <= record.trace.size(); ++step) {
    for (; access < record.accesses.size() && record.accesses[access].position <= step; ++access) {
      add_named(record.accesses[access], calls ? &record.access_stacks[access] : nullptr, record.trace.size() + access,
                step);
    }
    if (step < record.trace.size()) {
      add_named(record.trace[step], calls ? &record.step_stacks[step] : nullptr, step, step);
    }
  }
  find_sources();
  find_notifications(record);
}

void ExecutionLog::find_notifications(const ExecutionRecord& record) {
  std::vector<std::size_t> event_of(record.trace.size(), kNoEvent);
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (events_[i].place < event_of.size()) event_of[events_[i].place] = i;
  }
  const WaitHistory history(record.trace, record.decisions);
  for (const WaitSpan& span : history.spans()) {
    if (!span.end || span.how != WaitEnd::notified) continue;
    events_[event_of[*span.end]].source = event_of[history.notifications()[span.notification].step];
  }
}

void ExecutionLog::add(const TraceEvent& event, const StackRecord* stack, std::size_t place) {
  LoggedEvent logged;
  logged.operation = event.operation;
  logged.place = place;
  logged.code = code_of(event.operation, stack);
  logged.memory = event.operation.object;
  logged.reads = reads_memory(event.operation.kind);
  logged.writes = writes_memory(event);
  logged.seen_known = (event.flags & kTraceBeforeKnown) != 0;
  logged.left_known = (event.flags & kTraceAfterKnown) != 0;
  logged.seen = event.before;
  logged.left = event.after;
  logged.older_store = (event.flags & kTraceOlderStore) != 0;
  const TaskId task = event.operation.task;
  if (task >= by_task_.size()) by_task_.resize(task + 1);
  own_.push_back(by_task_[task].size());
  by_task_[task].push_back(events_.size());
  events_.push_back(logged);
}

const std::vector<std::size_t>& ExecutionLog::of_task(TaskId task) const {
  static const std::vector<std::size_t> kNone;
  return task < by_task_.size() ? by_task_[task] : kNone;
}

bool ExecutionLog::is_always_before(std::size_t first, std::size_t second) const {
  std::set<TaskId> after{events_[first].task()};  // those that have something after `first` by now
  for (std::size_t i = first + 1; i < second; ++i) {
    const Operation& operation = events_[i].operation;
    const auto other = static_cast<TaskId>(operation.object);
    if (operation.kind == OperationKind::task_create && after.contains(operation.task)) after.insert(other);
    if (operation.kind == OperationKind::task_join && after.contains(other)) after.insert(operation.task);
  }
  return after.contains(events_[second].task());
}

// Follows what is known about each piece of memory: what was last seen or left there, and by which event.
void ExecutionLog::find_sources() {
  struct Look {
    std::size_t at = kNoEvent;
    std::uint64_t value = 0;
  };
  std::unordered_map<std::uint64_t, Look> looks;                       // by memory and size
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> writes;  // by eight bytes of memory
  const auto granules = [](const LoggedEvent& event, auto&& visit) {
    constexpr std::uint64_t kMost = 512;
    const std::uint64_t first = event.memory >> 3;
    const std::uint64_t last = (event.memory + std::max<std::uint64_t>(event.operation.size, 1) - 1) >> 3;
    for (std::uint64_t granule = first; granule <= last && granule - first < kMost; ++granule) visit(granule);
  };
  const auto latest_write = [&](const LoggedEvent& event, auto&& is_right) {
    std::size_t latest = kNoEvent;
    granules(event, [&](std::uint64_t granule) {
      const auto entry = writes.find(granule);
      if (entry == writes.end()) return;
      const auto found = std::find_if(entry->second.rbegin(), entry->second.rend(), [&](std::size_t write) {
        return same_memory(events_[write], event) && is_right(events_[write]);
      });
      if (found != entry->second.rend() && (latest == kNoEvent || *found > latest)) latest = *found;
    });
    return latest;
  };
  // The first write beside that memory after `from`.
  const auto beside = [&](const LoggedEvent& event, std::size_t from, std::size_t until) {
    for (std::size_t i = from + 1; i < until; ++i) {
      if (events_[i].writes && is_beside(events_[i], event)) return i;
    }
    return kNoEvent;
  };
  for (std::size_t i = 0; i < events_.size(); ++i) {
    LoggedEvent& event = events_[i];
    if (!event.reads && !event.writes) continue;
    Look& look = looks[hash_mix(event.memory, event.operation.size)];
    if (event.older_store) {
      event.source =
          latest_write(event, [&](const LoggedEvent& write) { return write.left_known && write.left == event.seen; });
    } else if (event.reads) {
      event.source = latest_write(event, [](const LoggedEvent&) { return true; });
      const bool is_later = look.at == kNoEvent || (event.source != kNoEvent && event.source > look.at);
      if (event.seen_known && !is_later) {
        if (look.value != event.seen) {
          event.hidden = true;
          event.source = beside(event, look.at, i);
        } else if (events_[look.at].reads && !events_[look.at].writes) {
          event.hidden = events_[look.at].hidden;
          event.source = events_[look.at].source;
        }
      }
    }
    if (event.writes) {
      granules(event, [&](std::uint64_t granule) { writes[granule].push_back(i); });
      look = event.left_known ? Look{i, event.left} : Look{};
    } else if (event.seen_known && !event.older_store) {
      look = Look{i, event.seen};
    }
  }
}

}  // namespace ravel
