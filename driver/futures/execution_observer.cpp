// SPDX-License-Identifier: Apache-2.0
#include "driver/futures/execution_observer.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "driver/findings/access_standing.h"
#include "driver/futures/order_search.h"
#include "reports/finding_report.h"
#include "reports/local_variables.h"
#include "strategies/observed_order.h"

namespace ravel {
namespace {

bool reads_memory(OperationKind kind) { return is_memory_access(kind) && sees(kind); }

bool writes_memory(const TraceEvent& event) {
  switch (event.operation.kind) {
    case OperationKind::write:
    case OperationKind::read_write:
    case OperationKind::atomic_store:
    case OperationKind::atomic_rmw:
      return true;
    case OperationKind::atomic_cas:
      return (event.flags & kTraceChanged) != 0;
    default:
      return false;
  }
}

bool in_own_stack(const Operation& operation, const std::vector<TaskRecord>& tasks) {
  if (operation.task >= tasks.size()) return false;
  const TaskRecord& record = tasks[operation.task];
  return operation.object >= record.stack_low && operation.object < record.stack_high;
}

// The library's copying of what a new thread runs and of its arguments. Names of templates with local types have no
// scope.
bool starts_thread(const Frame& frame) {
  struct Starter {
    std::string_view header;
    std::string_view name;
  };
  constexpr Starter kStarters[] = {{"/std_thread.h", "thread<"}, {"/thread", "jthread<"}, {"/future", "async<"}};
  return std::any_of(std::begin(kStarters), std::end(kStarters), [&](const Starter& one) {
    return frame.file.ends_with(one.header) &&
           (frame.function.starts_with(one.name) ||
            frame.function.find(fmt::format("::{}", one.name)) != std::string::npos);
  });
}

// What compilers generate for a lambda besides its body: the copying of its captures. Nobody wrote it.
bool copies_lambda(const Frame& frame) {
  const std::string& name = frame.function;
  if (name.starts_with("<lambda") || name.starts_with("~<lambda")) return true;
  std::size_t end = name.rfind("}::");  // `main::{lambda()#1}::`, `main::{unnamed}::`; clang: `main::$_0::`
  if (const std::size_t dollar = name.rfind("$_");
      dollar != std::string::npos && (end == std::string::npos || dollar > end)) {
    end = name.find("::", dollar);
    return end != std::string::npos && !name.substr(end).starts_with("::operator");
  }
  return end != std::string::npos && !name.substr(end).starts_with("}::operator");
}

// The pointer to an object's virtual methods.
bool is_made_by_compiler(const std::string& variable) { return variable.find("._vptr") != std::string::npos; }

// The same place, marked as not being a row.
std::uint32_t hidden_place(std::uint32_t place, ObservedExecution& seen) {
  SourcePlace hidden = seen.places[place];
  hidden.in_library = true;
  const auto known = std::find(seen.places.begin(), seen.places.end(), hidden);
  const auto number = static_cast<std::uint32_t>(known - seen.places.begin());
  if (known == seen.places.end()) seen.places.push_back(std::move(hidden));
  return number;
}

bool is_users(const Frame& frame) { return !is_library_frame(frame) && !copies_lambda(frame); }

// Heap memory is named by where its block was allocated: "heap(bank.cpp:21)+8". Blocks allocated at one place share a
// name.
std::string heap_name(const Operation& access, const std::vector<AllocationRecord>& allocations,
                      SymbolSource& symbols) {
  const auto holds = [&](const AllocationRecord& one) {
    return access.object >= one.start && access.object < one.start + one.size;
  };
  const auto block = std::find_if(allocations.rbegin(), allocations.rend(), holds);
  if (block == allocations.rend()) return {};
  std::vector<Frame> frames;
  for (const std::uint64_t frame : block->frames) {
    if (frame == 0) break;
    const std::vector<Frame>& here = symbols.code(frame, AddressKind::return_address);
    frames.insert(frames.end(), here.begin(), here.end());
  }
  const Frame* const frame = user_frame(frames);
  if (frame == nullptr || is_library_frame(*frame)) return {};
  const std::uint64_t offset = access.object - block->start;
  return fmt::format("heap({}){}", location_text(*frame), offset == 0 ? "" : fmt::format("+{}", offset));
}

}  // namespace

const ExecutionObserver::Whereabouts& ExecutionObserver::whereabouts(const TraceEvent& event,
                                                                     const StackRecord* stack) {
  std::uint64_t calls = 0;
  if (stack != nullptr) {
    for (std::size_t f = 0; f < std::min<std::size_t>(stack->count, kMaxFrames); ++f) {
      calls = calls * 31 + stack->frames[f];
    }
  }
  const auto [entry, is_new] = known_.try_emplace({event.operation.pc, calls});
  if (is_new) entry->second = find(event, stack);
  return entry->second;
}

ExecutionObserver::Whereabouts ExecutionObserver::find(const TraceEvent& event, const StackRecord* stack) {
  std::vector<Frame> frames = symbols_.code(event.operation.pc, AddressKind::return_address);
  const bool in_callee = is_library_frame(frames[0]);
  if (std::none_of(frames.begin(), frames.end(), is_users) && stack != nullptr) {
    for (std::size_t i = 0; i < std::min<std::size_t>(stack->count, kMaxFrames); ++i) {
      const std::vector<Frame>& here = symbols_.code(stack->frames[i], AddressKind::return_address);
      frames.insert(frames.end(), here.begin(), here.end());
    }
  }
  Whereabouts result;
  if (const Frame* const frame = user_frame(frames)) {
    const std::span<const Frame> below(frames.data(), frame);
    const bool hidden = is_library_frame(*frame) || std::any_of(below.begin(), below.end(), is_bookkeeping);
    result.place = SourcePlace{frame->file, frame->line, location_text(*frame), hidden};
    const auto end = std::find_if(frames.begin(), frames.end(), is_users);
    result.hands_over = std::any_of(frames.begin(), end, starts_thread);
    result.in_callee = in_callee;
  }
  return result;
}

bool ExecutionObserver::was_shared(std::uint64_t begin, std::uint64_t end) const {
  auto after = shared_globals_.lower_bound(end);
  return after != shared_globals_.begin() && std::prev(after)->second > begin;
}

// What a creator writes into a thread's own copy of callable and arguments does not count: that copy belongs to the
// thread from the start, so the pointers to what a lambda captures by reference are not variables that two tasks share.
ExecutionObserver::Groups ExecutionObserver::group_memory(const ExecutionRecord& record,
                                                          const std::vector<const Whereabouts*>& where) {
  std::vector<std::size_t> accesses;
  for (std::size_t i = 0; i < record.trace.size(); ++i) {
    if (is_memory_access(record.trace[i].operation.kind)) accesses.push_back(i);
  }
  const auto operation = [&](std::size_t i) -> const Operation& { return record.trace[i].operation; };
  std::stable_sort(accesses.begin(), accesses.end(),
                   [&](std::size_t a, std::size_t b) { return operation(a).object < operation(b).object; });
  Groups groups;
  groups.of_event.resize(record.trace.size());
  groups.first.resize(1);
  for (std::size_t begin = 0; begin < accesses.size();) {
    const std::uint64_t begin_address = operation(accesses[begin]).object;
    std::uint64_t end_address = begin_address + operation(accesses[begin]).size;
    std::size_t end = begin + 1;
    while (end < accesses.size() && operation(accesses[end]).object < end_address) {
      end_address = std::max(end_address, operation(accesses[end]).object + operation(accesses[end]).size);
      ++end;
    }
    TaskId before = kNoTask;
    bool by_several = false;
    bool written = false;
    bool all_own = true;
    for (std::size_t i = begin; i < end; ++i) {
      const Operation& one = operation(accesses[i]);
      const bool writes = writes_memory(record.trace[accesses[i]]);
      if (where[accesses[i]]->hands_over && writes) continue;
      by_several = by_several || (before != kNoTask && one.task != before);
      before = one.task;
      written = written || writes;
      all_own = all_own && in_own_stack(one, record.tasks);
    }
    // Later tasks reuse stacks: a task in its own stack shares nothing.
    const bool shared = by_several && written && !all_own;
    if (shared && symbols_.data(begin_address, end_address - begin_address).known()) {
      std::uint64_t& known_end = shared_globals_[begin_address];
      known_end = std::max(known_end, end_address);
    }
    if (shared || was_shared(begin_address, end_address)) {
      const auto number = static_cast<std::uint32_t>(groups.first.size());
      groups.first.push_back(operation(accesses[begin]));
      for (std::size_t i = begin; i < end; ++i) groups.of_event[accesses[i]] = number;
    }
    begin = end;
  }
  return groups;
}

std::vector<ObservedVariable> ExecutionObserver::name_variables(const ExecutionRecord& record, const Groups& groups) {
  LocalVariables locals(record.tasks, record.creations, symbols_);
  std::vector<ObservedVariable> variables(groups.first.size());
  for (std::size_t i = 1; i < groups.first.size(); ++i) {
    const Operation& access = groups.first[i];
    const DataName& data = symbols_.data(access.object, access.size);
    if (data.known()) {
      variables[i].name = data.text();
      continue;
    }
    const auto tasks = static_cast<TaskId>(record.tasks.size());
    const LocalName local = locals.at(access.object, access.size, tasks, record.summary.steps);
    variables[i].name = local.known() ? local.text() : heap_name(access, record.allocations, symbols_);
    variables[i].is_heap = !local.known();
  }
  return variables;
}

ObservedExecution ExecutionObserver::observe(const ExecutionRecord& record) {
  ObservedExecution seen;
  seen.complete =
      record.summary.trace_full == 0 && record.summary.external == 0 && record.summary.outcome != Outcome::cut;
  std::vector<const Whereabouts*> where(record.trace.size());
  for (std::size_t i = 0; i < record.trace.size(); ++i) {
    where[i] = &whereabouts(record.trace[i], i < record.step_stacks.size() ? &record.step_stacks[i] : nullptr);
  }
  const Groups groups = group_memory(record, where);
  seen.variables = name_variables(record, groups);
  std::map<const Whereabouts*, std::uint32_t> places;
  const auto place_number = [&](const Whereabouts* at) {
    const auto [entry, is_new] = places.try_emplace(at);
    if (is_new) {
      const auto same = std::find(seen.places.begin(), seen.places.end(), at->place);
      entry->second = static_cast<std::uint32_t>(same - seen.places.begin());
      if (same == seen.places.end()) seen.places.push_back(at->place);
    }
    return entry->second;
  };
  seen.by_task.resize(std::max<std::size_t>(record.summary.tasks, 1));
  using Who = std::tuple<TaskId, std::uint32_t, std::uint32_t>;  // task, place, variable
  std::map<Who, std::uint32_t> reads_there;
  std::map<Who, std::uint32_t> writes_there;
  std::vector<std::vector<std::size_t>> writes(groups.first.size());
  std::size_t offer = 0;
  seen.events.reserve(record.trace.size());
  for (std::size_t i = 0; i < record.trace.size(); ++i) {
    const TraceEvent& traced = record.trace[i];
    ObservedEvent event;
    event.operation = traced.operation;
    event.variable = groups.of_event[i];
    if (event.task() >= seen.by_task.size()) seen.by_task.resize(event.task() + 1);
    event.number = static_cast<std::uint32_t>(seen.by_task[event.task()].size() + 1);
    for (; offer < record.offered.size() && record.offered[offer].step <= i + 1; ++offer) {
      if (record.offered[offer].kind == DecisionKind::environment) event.answers.push_back(record.offered[offer].taken);
      if (record.offered[offer].kind == DecisionKind::reads_from) event.stores = record.offered[offer].options;
    }
    event.place = place_number(where[i]);
    if (event.variable != 0 && is_made_by_compiler(seen.variables[event.variable].name)) {
      event.place = hidden_place(event.place, seen);
    }
    event.in_callee = where[i]->in_callee;
    if (event.variable != 0) {
      event.reads = reads_memory(traced.operation.kind);
      event.writes = writes_memory(traced);
      const Who who{event.task(), event.place, event.variable};
      if (event.reads) event.read_occurrence = ++reads_there[who];
      if (event.writes) event.write_occurrence = ++writes_there[who];
      if (event.reads) {
        event.source = kInitialValue;
        const std::vector<std::size_t>& before = writes[event.variable];
        for (std::size_t w = before.size(); w-- > 0;) {
          if (!overlap(seen.events[before[w]].operation, event.operation)) continue;
          event.source = static_cast<std::int64_t>(before[w]);
          break;
        }
        if ((traced.flags & kTraceStoreKnown) != 0) event.source = static_cast<std::int64_t>(traced.store) - 1;
      }
      const bool after = event.writes && !event.reads;
      event.value_known = (traced.flags & (after ? kTraceAfterKnown : kTraceBeforeKnown)) != 0;
      event.value = after ? traced.after : traced.before;
      if (event.writes) writes[event.variable].push_back(i);
    } else if (!is_memory_access(traced.operation.kind)) {
      event.value = traced.before;  // units of a semaphore
    }
    if (!is_modelled(traced.operation.kind) || !event.answers.empty()) seen.exact = false;
    seen.by_task[event.task()].push_back(i);
    seen.events.push_back(std::move(event));
  }
  return seen;
}

}  // namespace ravel
