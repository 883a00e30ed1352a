// SPDX-License-Identifier: Apache-2.0
#include "driver/campaign/coverage.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/random.h"
#include "reports/finding_report.h"
#include "strategies/observed_order.h"

namespace ravel {
namespace {

// The part an operation plays in the order of operations on its object.
enum class Part : std::uint8_t {
  none,
  reads,
  writes,
  both,
  takes,  // a lock or a unit of a semaphore: it reads who gave it back, and which of two comes first is open
  gives,  // gives it back: always after the operation that took it
};

Part part_of(OperationKind kind) {
  switch (kind) {
    case OperationKind::read:
    case OperationKind::atomic_load:
      return Part::reads;
    case OperationKind::write:
    case OperationKind::atomic_store:
    case OperationKind::heap_free:
    case OperationKind::condition_signal:
    case OperationKind::condition_broadcast:
      return Part::writes;
    case OperationKind::read_write:
    case OperationKind::atomic_rmw:
    case OperationKind::atomic_cas:
      return Part::both;
    case OperationKind::condition_wait:
    case OperationKind::condition_timed_wait:
      return Part::takes;
    case OperationKind::semaphore_post:
      return Part::gives;
    default:
      if (acquires(kind)) return Part::takes;
      return releases_lock(kind) ? Part::gives : Part::none;
  }
}

}  // namespace

std::uint32_t Coverage::learn(const ExecutionView& view) {
  ++traced_;
  std::uint32_t news = 0;
  objects_.clear();
  tasks_.assign(std::max<std::size_t>(view.summary.tasks, 1), TaskState{});
  TaskId before = kNoTask;
  Object* latest = nullptr;  // a pointer into objects_ stays valid
  std::uint64_t latest_address = 0;
  for (const TraceEvent& event : view.trace) {
    const Operation& operation = event.operation;
    if (operation.task >= tasks_.size()) continue;
    if (!recent_places_.again(operation.pc)) places_.insert(operation.pc);
    if (operation.task != before && before != kNoTask) {
      // Every task that has begun and not ended is somewhere, but this step interrupted only the one that ran last.
      TaskState& left = tasks_[before];
      if (left.interrupted_by == 0) left.interrupted_by = operation.pc;
    }
    TaskState& task = tasks_[operation.task];
    if (task.began && task.interrupted_by != 0) {
      const std::uint64_t key = hash_mix(operation.pc, task.interrupted_by);
      if (!recent_interruptions_.again(key) && interruptions_.emplace(key, interruption_.size()).second) {
        interruption_.push_back({operation.pc, task.interrupted_by});
        ++news;
      }
    }
    task.began = true;
    task.interrupted_by = 0;
    before = operation.task;

    const Part part = part_of(operation.kind);
    if (part == Part::none) continue;
    if (latest == nullptr || operation.object != latest_address) latest = &objects_[operation.object];
    latest_address = operation.object;
    Object& object = *latest;
    if (part == Part::gives) {
      object.written_at = operation.pc;
      continue;
    }
    const bool writes = part != Part::reads;
    if (object.touched_by != kNoTask && object.touched_by != operation.task && (writes || object.touch_writes)) {
      const auto [low, high] = std::minmax(object.touched_at, operation.pc);
      const std::uint8_t order = low == high ? 3 : object.touched_at < operation.pc ? 1 : 2;
      std::uint8_t& seen = conflicts_[hash_mix(low, high)];
      if ((seen & order) == 0) {
        seen |= order;
        orders_ += low == high ? 2 : 1;
        ++news;
      }
    }
    if (part != Part::writes) {
      const std::uint64_t key = hash_mix(operation.pc, object.written_at);
      if (!recent_reads_.again(key) && reads_from_.insert(key).second) ++news;
    }
    if (part == Part::writes || part == Part::both) object.written_at = operation.pc;
    object.touched_at = operation.pc;
    object.touched_by = operation.task;
    object.touch_writes = writes;
  }
  return news;
}

bool Coverage::name_functions(SymbolSource& symbols, Clock::time_point end) {
  std::unordered_map<std::uint64_t, std::string> names;
  const auto function_at = [&](std::uint64_t pc) -> const std::string& {
    auto [entry, is_new] = names.try_emplace(pc);
    if (is_new) {
      const Frame* const frame = user_frame(symbols.code(pc));
      if (frame != nullptr) entry->second = frame->function;
    }
    return entry->second;
  };
  std::set<std::string> seen;
  for (const std::uint64_t pc : places_) {
    if (Clock::now() >= end) return false;
    if (const std::string& name = function_at(pc); !name.empty()) seen.insert(name);
  }
  std::set<std::string> interrupted;
  std::set<std::pair<std::string, std::string>> pairs;
  for (const Interruption& one : interruption_) {  // these are among the places
    const std::string& at = function_at(one.at);
    const std::string& by = function_at(one.by);
    if (at.empty() || by.empty()) continue;
    interrupted.insert(at);
    pairs.emplace(at, by);
  }
  functions_ = {interrupted.size(), seen.size(), pairs.size()};
  return true;
}

void Coverage::fill(CoverageResult& result) const {
  result.traced_executions = traced_;
  result.reads_from_pairs = reads_from_.size();
  result.conflict_orders = orders_;
  result.conflict_orders_possible = 2 * conflicts_.size();
  result.functions = functions_.seen;
  result.interrupted_functions = functions_.interrupted;
  result.function_pairs = functions_.pairs;
}

}  // namespace ravel
