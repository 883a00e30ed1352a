// SPDX-License-Identifier: Apache-2.0
// A scheduler without threads: tasks are lists of operations, and a chooser is driven through strategy.h exactly as its
// header promises. Mutexes block; everything else is always enabled.
#pragma once

#include <ravel/strategy.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ravel {

// One operation of a simulated task, and what it does to the test's own variables.
struct Instruction {
  OperationKind kind = OperationKind::write;
  std::uint64_t object = 0;
  std::function<void()> effect = {};
  std::function<bool()> repeat = {};  // while true, the task goes back `back` instructions instead of continuing
  std::uint32_t back = 0;
  std::uint64_t pc = 0;  // 0: one of its own
};

Instruction read(std::uint64_t object, std::function<void()> effect = {});
Instruction write(std::uint64_t object, std::function<void()> effect = {});
Instruction lock(std::uint64_t object);
Instruction unlock(std::uint64_t object);
Instruction yield();
Instruction local();              // conflicts with nothing
Instruction create(TaskId task);  // tasks that no create names exist from the start
Instruction at(std::uint64_t pc, Instruction instruction);

using Program = std::vector<std::vector<Instruction>>;

struct Simulation {
  std::vector<Operation> steps;
  std::uint64_t choices = 0;  // steps at which the chooser was asked
  std::uint64_t stays = 0;    // of these, with the current task enabled, how often it continued
  std::uint64_t leaves = 0;   // ... and how often another did
  bool deadlock = false;
  bool cut = false;             // max_steps reached
  bool foreign_choice = false;  // the chooser returned a task that is not enabled

  std::string tasks() const;  // "aabc...": the task of each step
  std::vector<TraceEvent> trace() const;
};

Simulation simulate(Chooser& chooser, const Plan& plan, const Program& program, std::uint64_t max_steps = 100'000,
                    std::span<const std::uint64_t> details = {});

}  // namespace ravel
