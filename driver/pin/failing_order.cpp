// SPDX-License-Identifier: Apache-2.0
#include "driver/pin/failing_order.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "driver/findings/whole_trace.h"
#include "reports/finding_report.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

// A frame of Ravel's runtime, which every stack begins with.
bool is_runtime_frame(const Frame& frame) {
  const std::string module = fs::path(frame.module).filename().string();
  return module.starts_with("libravel") || module.starts_with("libtsan") || module.starts_with("libclang_rt.tsan");
}

class PlaceReader {
 public:
  explicit PlaceReader(SymbolSource& symbols) : symbols_(symbols), directory_(fs::current_path()) {}

  std::vector<StepPlace> places(const Operation& operation, const StackRecord& stack) {
    std::vector<Frame> frames;
    const auto add = [&](std::uint64_t address) {
      const std::vector<Frame>& here = symbols_.code(address);
      frames.insert(frames.end(), here.begin(), here.end());
    };
    for (std::size_t i = 0; i < std::min<std::size_t>(stack.count, kMaxFrames); ++i) add(stack.frames[i]);
    if (stack.count == 0 && operation.pc != 0) add(operation.pc);
    frames.erase(frames.begin(), std::find_if_not(frames.begin(), frames.end(), is_runtime_frame));
    std::vector<StepPlace> places;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const Frame& frame = frames[i];
      if (is_library_frame(frame) || frame.file.empty() || frame.line == 0) continue;
      StepPlace place;
      place.file = (directory_ / frame.file).lexically_normal();
      place.line = frame.line;
      place.column = frame.column;
      place.function = frame.function;
      place.is_call = i > 0 || !is_memory_access(operation.kind);
      place.hint = i > 0 ? bare_function_name(frames[i - 1].function) : hint_of(operation);
      place.library = i > 0 && places.empty();
      places.push_back(std::move(place));
    }
    return places;
  }

 private:
  std::string hint_of(const Operation& operation) {
    if (operation.kind == OperationKind::heap_free) return "delete";
    if (!is_memory_access(operation.kind)) return {};
    const DataName& name = symbols_.data(operation.object, std::max<std::uint16_t>(operation.size, 1));
    // ".history[1]" is an access to `history`.
    std::string text = name.member.empty() ? name.name : name.member;
    text = text.substr(0, text.find('['));
    const std::size_t dot = text.find_last_of(".:");
    return dot == std::string::npos ? text : text.substr(dot + 1);
  }

  SymbolSource& symbols_;
  fs::path directory_;
};

bool is_same(const Operation& a, const Operation& b) {
  return a.task == b.task && a.kind == b.kind && a.object == b.object && a.pc == b.pc && a.size == b.size;
}

// Consecutive steps of one task that can be ordered.
struct Segment {
  TaskId task = kNoTask;
  std::size_t first = 0;
  std::size_t last = 0;
};

std::vector<Segment> segments_of(const std::vector<OrderedStep>& steps) {
  std::vector<Segment> segments;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!steps[i].is_orderable()) continue;
    if (segments.empty() || segments.back().task != steps[i].task) {
      segments.push_back({steps[i].task, i, i});
    } else {
      segments.back().last = i;
    }
  }
  return segments;
}

// An execution begins at the creation of its first task, which is not a step of it. If the creator has made no step
// that can be ordered, it counts as being there: that is where it can be held back.
std::optional<OrderedStep> creation_at_the_beginning(const ExecutionRecord& record, const FailingOrder& order,
                                                     PlaceReader& reader) {
  if (record.tasks.size() < 2 || record.tasks[1].creator == kNoTask) return std::nullopt;
  const TaskRecord& first = record.tasks[1];
  const auto is_its = [&](const OrderedStep& step) { return step.task == first.creator && step.is_orderable(); };
  if (std::any_of(order.steps.begin(), order.steps.end(), is_its)) return std::nullopt;
  Operation creation;
  creation.kind = OperationKind::task_create;
  creation.task = first.creator;
  creation.object = 1;
  creation.pc = first.create_pc;
  StackRecord stack;
  if (record.creations.size() > 1) {
    const CreationRecord& calls = record.creations[1];
    for (; stack.count < std::min<std::size_t>(calls.count, kMaxCreationFrames); ++stack.count) {
      stack.frames[stack.count] = calls.frames[stack.count].pc;
    }
  }
  return OrderedStep{creation.task, creation.kind, creation.object, creation.pc, reader.places(creation, stack), true};
}

}  // namespace

std::string bare_function_name(const std::string& function) {
  // Parameters begin at the last "(" at the outermost level, except those of "operator()" and "(anonymous namespace)".
  std::string name;
  int depth = 0;
  for (std::size_t i = 0; i < function.size(); ++i) {
    const char c = function[i];
    if (c == '<') ++depth;
    if (depth == 0 && c == '(' && function.compare(i, 21, "(anonymous namespace)") != 0) break;
    if (depth == 0) name += c;
    if (c == '>') --depth;
  }
  const std::size_t colons = name.rfind("::");
  if (colons != std::string::npos) name = name.substr(colons + 2);
  // Return types of templates: "void f".
  const std::size_t space = name.rfind(' ');
  if (space != std::string::npos && !name.starts_with("operator")) name = name.substr(space + 1);
  return name;
}

FailingOrder order_of(const ShrunkFinding& shrunk, SymbolSource& symbols) {
  const ExecutionRecord& record = shrunk.record;
  FailingOrder order;
  PlaceReader reader(symbols);
  const WholeTrace whole(record);  // only with accesses that others could notice
  std::size_t noticed = 0;
  const auto add = [&](const TraceEvent& event, const StackRecord& stack) {
    const Operation& operation = event.operation;
    const bool matters = noticed < whole.events().size() && is_same(whole.events()[noticed].operation, operation);
    if (matters) ++noticed;
    order.steps.push_back(
        {operation.task, operation.kind, operation.object, operation.pc, reader.places(operation, stack), matters});
  };
  static const StackRecord kNoStack{};
  std::size_t access = 0;
  for (std::size_t step = 0; step <= record.trace.size(); ++step) {
    for (; access < record.accesses.size() && record.accesses[access].position <= step; ++access) {
      add(record.accesses[access], access < record.access_stacks.size() ? record.access_stacks[access] : kNoStack);
    }
    if (step == record.trace.size()) break;
    add(record.trace[step], step < record.step_stacks.size() ? record.step_stacks[step] : kNoStack);
  }
  if (auto begin = creation_at_the_beginning(record, order, reader)) order.steps.insert(order.steps.begin(), *begin);
  std::set<TaskId> seen;
  std::set<TaskId> ended;
  for (const OrderedStep& step : order.steps) {
    seen.insert(step.task);
    if (step.kind == OperationKind::task_end) ended.insert(step.task);
  }
  for (const TaskId task : seen) {
    if (!ended.contains(task)) order.unfinished.push_back(task);
  }
  return order;
}

std::vector<Precedence> precedences_of(const FailingOrder& order) {
  const std::vector<OrderedStep>& steps = order.steps;
  const std::vector<Segment> segments = segments_of(steps);
  std::vector<Precedence> result;
  std::set<TaskId> begun;
  for (std::size_t i = 0; i + 1 < segments.size(); ++i) {
    begun.insert(segments[i].task);
    const OrderedStep& first = steps[segments[i].last];
    const OrderedStep& second = steps[segments[i + 1].first];
    const bool created =
        first.kind == OperationKind::task_create && first.object == second.task && !begun.contains(second.task);
    const bool joined = second.kind == OperationKind::task_join && second.object == first.task;
    if (!created && !joined) result.push_back({segments[i].last, segments[i + 1].first, false});
  }
  if (segments.empty()) return result;
  const Segment& end = segments.back();
  for (const TaskId task : order.unfinished) {
    if (task == end.task) continue;
    const auto last =
        std::find_if(segments.rbegin(), segments.rend(), [&](const Segment& s) { return s.task == task; });
    if (last != segments.rend()) result.push_back({end.last, last->last, true});
  }
  return result;
}

}  // namespace ravel
