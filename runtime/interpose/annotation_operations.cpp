// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/annotation_operations.h"

#include "runtime/interpose/instrumented_modules.h"
#include "runtime/interpose/memory_operations.h"
#include "runtime/interpose/points.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/interpose/sync_edges.h"
#include "runtime/interpose/unseen_code.h"
#include "runtime/scheduler/scheduler.h"

namespace ravel {
namespace {

struct BarrierTurn {
  const volatile std::uint64_t* state;
  std::uint64_t generation;
};

std::uint32_t needed_of(std::uint64_t state) { return static_cast<std::uint32_t>(state); }
std::uint64_t generation_of(std::uint64_t state) {
  return (state >> 32) / (needed_of(state) == 0 ? 1 : needed_of(state));
}

// In memory of the process, not of the channel: executions begin with what the program said before them.
struct Labels {
  std::uint32_t count = 0;
  LabelRecord label[kMaxLabels];
};
constinit Labels g_labels;

void tell_label(std::uint32_t place) {
  ExecutionResult& result = scheduler().channel().result;
  result.label[place] = g_labels.label[place];
  if (place >= result.labels) result.labels = place + 1;
}

bool calls_are_points() { return scheduler().channel().launch.options.calls != CallPoints::none; }

// The function that begins at `pc` is on the stack already.
[[gnu::noinline]] void begin_call(ShadowStack& shadow, std::uint64_t pc) {
  if (!scheduler().controlled() || shadow.calls == ShadowStack::kCalls) return;
  if (scheduler().channel().launch.options.calls == CallPoints::listed && !is_shared_location(pc)) return;
  const std::uint32_t depth = shadow.depth - 1;
  shadow.call[shadow.calls++] = {depth, pc};
  reach_point(operation_on(OperationKind::call_begin, std::uint64_t{0}, pc, depth));
}

// A function has been left; perhaps it is one whose end is a point. A jump out of several functions (longjmp) tells of
// none of them.
[[gnu::noinline]] void end_call(ShadowStack& shadow) {
  while (shadow.calls > 0 && shadow.call[shadow.calls - 1].depth > shadow.depth) --shadow.calls;
  if (shadow.calls == 0 || shadow.call[shadow.calls - 1].depth != shadow.depth) return;
  const ShadowStack::Call call = shadow.call[--shadow.calls];
  reach_point(operation_on(OperationKind::call_end, std::uint64_t{0}, call.pc, call.depth));
}

bool barrier_is_open(const void* turn, const Task&) {
  const auto* mine = static_cast<const BarrierTurn*>(turn);
  return generation_of(__atomic_load_n(mine->state, __ATOMIC_SEQ_CST)) > mine->generation;
}

}  // namespace

void note_instrumented_module(std::uint64_t pc) {
  add_instrumented_module(pc);
  if (!runtime_active()) return;
  scheduler().channel().launch.instrumented = 1;
  if (under_engine() && scheduler().controlled()) find_unseen_code();
}

void annotation_point(const volatile void* object, std::uint64_t pc) {
  if (!under_engine() || !scheduler().concurrent()) return;
  reach_point(operation_on(OperationKind::annotation, object, pc));
}

void annotated_release(const volatile void* object, std::uint64_t pc) {
  annotation_point(object, pc);
  if (under_engine()) release_edge(address_of(object));
}

void annotated_acquire(const volatile void* object, std::uint64_t pc) {
  annotation_point(object, pc);
  if (under_engine()) acquire_edge(address_of(object));
}

void annotated_lock_taken(const volatile void* lock, bool shared) {
  if (!under_engine()) return;
  acquire_edge(address_of(lock));
  if (!shared) acquire_edge(address_of(lock) + 1);
}

void annotated_lock_given_up(const volatile void* lock, bool shared) {
  if (!under_engine()) return;
  // Added to what is there, not in its place: the program may not have announced that it took the lock.
  release_edge(address_of(lock) + (shared ? 1 : 0));
}

void annotated_lock_gone(const volatile void* lock) {
  if (!under_engine()) return;
  forget_edges(address_of(lock));
  forget_edges(address_of(lock) + 1);
}

void expect_no_locks_held(std::uint64_t pc) {
  if (!under_engine()) return;
  const Task& task = scheduler().current();
  if (task.held.count == 0) return;
  report_on_operation(FindingKind::lock_misuse, "a task holds a lock where the program says it holds none",
                      operation_on(OperationKind::annotation, task.held.address[0], pc));
}

void name_current_task(const char* name) {
  if (!under_engine() || name == nullptr) return;
  const TaskId id = scheduler().current().id;
  if (id >= kMaxTaskRecords) return;
  auto& kept = scheduler().channel().result.task[id].name;
  std::size_t length = 0;
  while (length + 1 < sizeof kept && name[length] != 0) {
    kept[length] = name[length];
    ++length;
  }
  kept[length] = 0;
}

std::uint32_t choose(std::uint32_t options, std::uint64_t pc) {
  if (options <= 1 || !under_engine()) return 0;
  // A choice belongs to the step before it. A body of ravel::explore may begin with one.
  if (scheduler().controlled() && scheduler().channel().result.summary.steps == 0) {
    reach_point(operation_on(OperationKind::annotation, std::uint64_t{0}, pc));
  }
  return scheduler().choose_environment(EnvironmentKind::choose, options);
}

void fail(const char* message, std::uint64_t pc) {
  if (!under_engine()) return;
  report_on_operation(FindingKind::user, message == nullptr ? "the program reported a failure" : message,
                      operation_on(OperationKind::annotation, std::uint64_t{0}, pc));
}

void label_object(const volatile void* object, std::uint64_t size, const char* name) {
  if (!under_engine() || object == nullptr || name == nullptr) return;
  std::uint32_t place = 0;
  while (place < g_labels.count && g_labels.label[place].address != address_of(object)) ++place;
  if (place == kMaxLabels) return;
  LabelRecord& record = g_labels.label[place];
  record.address = address_of(object);
  record.size = size;
  std::size_t length = 0;
  for (; length + 1 < sizeof record.name && name[length] != '\0'; ++length) record.name[length] = name[length];
  record.name[length] = '\0';
  if (place == g_labels.count) ++g_labels.count;
  if (scheduler().controlled()) tell_label(place);
}

void tell_labels() {
  for (std::uint32_t place = 0; place < g_labels.count; ++place) tell_label(place);
}

void named_sync_point(const char* name, std::uint64_t pc) {
  if (!under_engine() || name == nullptr) return;
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char* at = name; *at != '\0'; ++at) hash = (hash ^ static_cast<unsigned char>(*at)) * 0x100000001b3ULL;
  reach_point(operation_on(OperationKind::sync_arrival, hash, pc));
}

void atomic_section(bool begins, std::uint64_t pc) {
  if (!under_engine() || !scheduler().controlled()) return;
  if (begins) {
    scheduler().begin_section(pc);
  } else {
    scheduler().end_section();
  }
}

void enter_function(std::uint64_t from, std::uint64_t pc) {
  if (!under_engine()) return;
  ShadowStack& shadow = scheduler().current().shadow;
  shadow.push(from);
  if (has_unseen_code()) [[unlikely]]
    entered_from(from);
  if (calls_are_points()) [[unlikely]]
    begin_call(shadow, pc);
}

void leave_function() {
  if (!under_engine()) return;
  ShadowStack& shadow = scheduler().current().shadow;
  const std::uint64_t pc = shadow.pop();
  if (has_unseen_code()) [[unlikely]]
    returns_to(pc);
  if (shadow.calls != 0) [[unlikely]]
    end_call(shadow);
}

std::uint32_t shadow_stack_depth() { return under_engine() ? scheduler().current().shadow.depth : 0; }

std::uint32_t copy_shadow_stack(std::uint64_t* frames, std::uint32_t capacity) {
  if (!under_engine()) return 0;
  const ShadowStack& shadow = scheduler().current().shadow;
  std::uint32_t depth = shadow.depth < ShadowStack::kDepth ? shadow.depth : ShadowStack::kDepth;
  std::uint32_t count = 0;
  while (depth > 0 && count < capacity) frames[count++] = shadow.frames[--depth];
  return count;
}

void test_barrier_wait(volatile std::uint64_t* state, std::uint64_t pc) {
  constexpr std::uint64_t kArrival = std::uint64_t{1} << 32;
  if (!under_engine()) {
    const BarrierTurn turn{state, generation_of(__atomic_fetch_add(state, kArrival, __ATOMIC_SEQ_CST))};
    while (generation_of(__atomic_load_n(state, __ATOMIC_SEQ_CST)) <= turn.generation) real().sched_yield();
    return;
  }
  const Operation operation = operation_on(OperationKind::barrier_wait, state, pc);
  reach_point(operation);
  release_edge(address_of(state));
  const BarrierTurn turn{state, generation_of(__atomic_fetch_add(state, kArrival, __ATOMIC_SEQ_CST))};
  scheduler().changed(address_of(state));
  Wait wait;
  wait.key = address_of(state);
  wait.ready = &barrier_is_open;
  wait.object = &turn;
  reach_point(operation, wait);
  acquire_edge(address_of(state));
}

}  // namespace ravel
