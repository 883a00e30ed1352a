// SPDX-License-Identifier: Apache-2.0
#include "tests/litmus/view_machine.h"

#include <algorithm>
#include <array>
#include <vector>

namespace ravel::litmus {
namespace {

// For each location, the newest message known: an index into Machine::messages.
using View = std::array<int, max_locations>;

struct Message {
  int value = 0;
  View view{};            // what a reader that acquires learns
  bool attached = false;  // written by a read-modify-write: nothing may come between it and the message before
};

struct TaskState {
  std::size_t next = 0;
  View current{};   // what it may not read or write behind
  View acquired{};  // what an acquire fence would make current
  View released{};  // what was current at its last release fence
};

struct Machine {
  std::vector<Message> messages;
  std::array<std::vector<int>, max_locations> order;  // modification order, as indices into `messages`
  std::vector<TaskState> tasks;
  View seq_cst{};  // what the seq_cst fences so far have passed on
  Outcome outcome{};

  int place(int location, int message) const {
    const auto& all = order[location];
    return static_cast<int>(std::find(all.begin(), all.end(), message) - all.begin());
  }
  void join(View& into, const View& from) const {
    for (int location = 0; location < max_locations; ++location) {
      if (place(location, from[location]) > place(location, into[location])) into[location] = from[location];
    }
  }
  void see(TaskState& task, int location, int message) const {
    View seen = task.current;
    seen[location] = message;
    join(task.current, seen);
    join(task.acquired, seen);
  }
};

class Search {
 public:
  explicit Search(const Program& program) : program_(program) {}

  Outcomes run() {
    Machine start;
    for (int location = 0; location < max_locations; ++location) {
      start.messages.emplace_back();
      start.order[location] = {location};
    }
    View initial{};
    for (int location = 0; location < max_locations; ++location) initial[location] = location;
    for (Message& message : start.messages) message.view = initial;
    start.seq_cst = initial;
    start.tasks.assign(program_.size(), {.current = initial, .acquired = initial, .released = initial});
    start.outcome.registers.fill(not_reached);
    go(start);
    return std::move(outcomes_);
  }

 private:
  void go(const Machine& machine) {
    bool at_end = true;
    for (std::size_t task = 0; task < program_.size(); ++task) {
      if (machine.tasks[task].next == program_[task].size()) continue;
      at_end = false;
      const Operation& operation = program_[task][machine.tasks[task].next];
      Machine after = machine;
      ++after.tasks[task].next;
      if (operation.only && !machine.outcome.satisfies(*operation.only)) {
        go(after);
      } else if (operation.kind == Kind::fence) {
        perform_fence(after, after.tasks[task], operation.order);
        go(after);
      } else if (operation.kind == Kind::store) {
        place_store(after, task, operation);
      } else {
        choose_message(after, task, operation);
      }
    }
    if (!at_end) return;
    Outcome outcome = machine.outcome;
    for (int location = 0; location < max_locations; ++location) {
      outcome.locations[location] = machine.messages[machine.order[location].back()].value;
    }
    outcomes_.insert(outcome);
  }

  static void perform_fence(Machine& machine, TaskState& task, Order order) {
    if (acquires(order)) machine.join(task.current, task.acquired);
    if (order == sc) {
      machine.join(machine.seq_cst, task.current);
      machine.join(task.current, machine.seq_cst);
      machine.join(task.acquired, task.current);
    }
    if (releases(order)) task.released = task.current;
  }

  // Puts a message at this place; `carried` is the view of the message that a read-modify-write read.
  static void write(Machine& machine, std::size_t task_index, const Operation& operation, Order order, int value,
                    int place, const View* carried) {
    TaskState& task = machine.tasks[task_index];
    const int message = static_cast<int>(machine.messages.size());
    auto& all = machine.order[operation.location];
    all.insert(all.begin() + place, message);
    machine.messages.push_back({.value = value, .view = task.released, .attached = carried != nullptr});
    machine.see(task, operation.location, message);
    View& view = machine.messages[message].view;
    if (releases(order)) view = task.current;
    if (carried != nullptr) machine.join(view, *carried);
    view[operation.location] = message;
  }

  void place_store(const Machine& machine, std::size_t task, const Operation& operation) {
    const auto& all = machine.order[operation.location];
    const int behind = machine.place(operation.location, machine.tasks[task].current[operation.location]);
    for (int place = behind + 1; place <= static_cast<int>(all.size()); ++place) {
      if (place < static_cast<int>(all.size()) && machine.messages[all[place]].attached) continue;
      Machine after = machine;
      write(after, task, operation, operation.order, operation.value, place, nullptr);
      go(after);
    }
  }

  void choose_message(const Machine& machine, std::size_t task, const Operation& operation) {
    const auto& all = machine.order[operation.location];
    const int oldest = machine.place(operation.location, machine.tasks[task].current[operation.location]);
    for (int place = oldest; place < static_cast<int>(all.size()); ++place) {
      const Message read = machine.messages[all[place]];
      const bool fails = operation.kind == Kind::compare_exchange && read.value != operation.expected;
      const bool writes = operation.kind != Kind::load && !fails;
      // Two read-modify-writes cannot follow the same message.
      if (writes && place + 1 < static_cast<int>(all.size()) && machine.messages[all[place + 1]].attached) continue;
      const Order order = fails ? operation.failure : operation.order;
      Machine after = machine;
      TaskState& state = after.tasks[task];
      after.see(state, operation.location, all[place]);
      after.join(state.acquired, read.view);
      if (acquires(order)) after.join(state.current, read.view);
      if (operation.result >= 0) after.outcome.registers[operation.result] = read.value;
      if (writes) {
        const int value = operation.kind == Kind::fetch_add ? read.value + operation.value : operation.value;
        write(after, task, operation, order, value, place + 1, &read.view);
      }
      go(after);
    }
  }

  const Program& program_;
  Outcomes outcomes_;
};

}  // namespace

Outcomes perform_with_views(const Program& program) { return Search(program).run(); }

}  // namespace ravel::litmus
