// SPDX-License-Identifier: Apache-2.0
#include "tests/strategies/simulator.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ravel {

Instruction read(std::uint64_t object, std::function<void()> effect) {
  return {OperationKind::read, object, std::move(effect)};
}
Instruction write(std::uint64_t object, std::function<void()> effect) {
  return {OperationKind::write, object, std::move(effect)};
}
Instruction lock(std::uint64_t object) { return {OperationKind::mutex_lock, object}; }
Instruction unlock(std::uint64_t object) { return {OperationKind::mutex_unlock, object}; }
Instruction yield() { return {OperationKind::yield}; }
Instruction local() { return {OperationKind::fence}; }
Instruction create(TaskId task) { return {OperationKind::task_create, task}; }
Instruction at(std::uint64_t pc, Instruction instruction) {
  instruction.pc = pc;
  return instruction;
}

std::vector<TraceEvent> Simulation::trace() const {
  std::vector<TraceEvent> events;
  for (const Operation& step : steps) events.push_back(TraceEvent{step});
  return events;
}

std::string Simulation::tasks() const {
  std::string names;
  for (const Operation& step : steps) names += static_cast<char>('a' + step.task);
  return names;
}

namespace {

class Simulator {
 public:
  Simulator(Chooser& chooser, const Program& program)
      : chooser_(chooser), program_(program), at_(program.size()), pending_(program.size()), enabled_(program.size()) {}

  Simulation run(const Plan& plan, std::uint64_t max_steps, std::span<const std::uint64_t> details) {
    chooser_.begin(plan, details);
    std::vector<bool> created_later(program_.size());
    for (const auto& task : program_) {
      for (const Instruction& instruction : task) {
        if (instruction.kind == OperationKind::task_create) created_later[instruction.object] = true;
      }
    }
    for (TaskId task = 0; task < program_.size(); ++task) {
      if (!created_later[task]) arrive(task);
    }
    TaskId current = kNoTask;
    while (!list_.empty()) {
      if (result_.steps.size() >= max_steps) {
        result_.cut = true;
        return result_;
      }
      const TaskId next = decide(current);
      if (result_.foreign_choice) return result_;
      step(next);
      current = next;
    }
    for (TaskId task = 0; task < program_.size(); ++task) {
      result_.deadlock = result_.deadlock || (at_[task] < program_[task].size() && !created_later[task]);
    }
    return result_;
  }

 private:
  TaskId decide(TaskId current) {
    if (list_.size() == 1) return list_.front();
    const bool current_enabled = current != kNoTask && enabled_[current];
    const TaskChoice choice{list_, pending_.data(), current, current_enabled, result_.steps.size()};
    const TaskId next = chooser_.choose_task(choice);
    ++result_.choices;
    result_.foreign_choice = next >= enabled_.size() || !enabled_[next];
    if (current_enabled) ++(next == current ? result_.stays : result_.leaves);
    return next;
  }

  void step(TaskId task) {
    const Instruction& instruction = program_[task][at_[task]];
    const Operation operation = pending_[task];
    chooser_.on_step(operation);
    result_.steps.push_back(operation);
    if (instruction.effect) instruction.effect();
    if (instruction.kind == OperationKind::mutex_lock) {
      holder_[instruction.object] = task;
      look_again(instruction.object, task);
    } else if (instruction.kind == OperationKind::mutex_unlock) {
      holder_.erase(instruction.object);
      look_again(instruction.object, task);
    } else if (instruction.kind == OperationKind::task_create) {
      arrive(static_cast<TaskId>(instruction.object));
    }
    const bool again = instruction.repeat && instruction.repeat();
    at_[task] = again ? at_[task] - instruction.back : at_[task] + 1;
    if (at_[task] < program_[task].size()) {
      arrive(task);
    } else {
      set_enabled(task, false);
    }
  }

  void arrive(TaskId task) {
    const Instruction& instruction = program_[task][at_[task]];
    Operation& operation = pending_[task];
    operation = Operation{};
    operation.kind = instruction.kind;
    operation.object = instruction.object;
    operation.size = is_memory_access(instruction.kind) ? 4 : 0;
    operation.task = task;
    operation.pc = instruction.pc != 0 ? instruction.pc : ((std::uint64_t{task} + 1) << 16) + at_[task];
    chooser_.on_pending(operation);
    if (instruction.kind == OperationKind::yield) chooser_.on_yield(task);
    set_enabled(task, can_go(task));
  }

  bool can_go(TaskId task) const {
    return pending_[task].kind != OperationKind::mutex_lock || !holder_.contains(pending_[task].object);
  }

  // Parked tasks whose lock was taken or released.
  void look_again(std::uint64_t object, TaskId except) {
    for (TaskId task = 0; task < program_.size(); ++task) {
      if (task == except || at_[task] >= program_[task].size() || pending_[task].task != task) continue;
      if (pending_[task].kind == OperationKind::mutex_lock && pending_[task].object == object) {
        set_enabled(task, can_go(task));
      }
    }
  }

  void set_enabled(TaskId task, bool enabled) {
    if (enabled_[task] == enabled) return;
    enabled_[task] = enabled;
    if (enabled) {
      list_.push_back(task);
    } else {
      // The order of the list is arbitrary by contract: make it so.
      std::iter_swap(std::find(list_.begin(), list_.end(), task), list_.end() - 1);
      list_.pop_back();
    }
    chooser_.on_enabled(task, enabled);
  }

  Chooser& chooser_;
  const Program& program_;
  std::vector<std::size_t> at_;
  std::vector<Operation> pending_;
  std::vector<bool> enabled_;
  std::vector<TaskId> list_;
  std::map<std::uint64_t, TaskId> holder_;
  Simulation result_;
};

}  // namespace

Simulation simulate(Chooser& chooser, const Plan& plan, const Program& program, std::uint64_t max_steps,
                    std::span<const std::uint64_t> details) {
  return Simulator(chooser, program).run(plan, max_steps, details);
}

}  // namespace ravel
