// SPDX-License-Identifier: Apache-2.0
// TraceScript: a trace written as text, one line for each step: the task, the operation by its name, the object, and of
// a wait the lock. A plain access that is not a step begins with "-". Answers of the environment follow their step.
//
//   TraceScript script(R"(
//     1 lock m
//     1 wait c m
//     2 notify-one c
//     ! notify-target 1
//     - 2 write x
//   )");
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "model/decision.h"
#include "model/trace_event.h"

namespace ravel {

class TraceScript {
 public:
  explicit TraceScript(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string first;
      if (!(words >> first)) continue;
      if (first == "!") {
        add_answer(words);
      } else if (first == "-") {
        TraceEvent event = event_of(words);
        event.position = static_cast<std::uint32_t>(trace.size());
        accesses.push_back(event);
      } else {
        std::istringstream again(line);
        trace.push_back(event_of(again));
        decisions.push_back({DecisionKind::task, {}, 0, trace.back().operation.task, 1});
      }
    }
  }

  // What the task waits for in the end, with the object of its latest step.
  std::vector<Operation> stuck(std::initializer_list<TaskId> tasks) const {
    std::vector<Operation> waiting;
    for (const TaskId task : tasks) {
      Operation operation;
      for (const TraceEvent& event : trace) {
        if (event.operation.task == task) operation = event.operation;
      }
      operation.kind = OperationKind::condition_wake;
      waiting.push_back(operation);
    }
    return waiting;
  }

  std::vector<TraceEvent> trace;
  std::vector<TraceEvent> accesses;
  std::vector<DecisionRun> decisions;

 private:
  std::uint64_t address_of(const std::string& name) {
    return addresses_.emplace(name, 0x1000 + 0x40 * addresses_.size()).first->second;
  }

  static OperationKind kind_of(const std::string& name) {
    for (unsigned kind = 0; kind < kOperationKinds; ++kind) {
      if (operation_name(static_cast<OperationKind>(kind)) == name) return static_cast<OperationKind>(kind);
    }
    ADD_FAILURE() << "no operation is called " << name;
    return OperationKind::read;
  }

  TraceEvent event_of(std::istringstream& words) {
    TraceEvent event;
    std::string kind;
    std::string object;
    std::string lock;
    words >> event.operation.task >> kind >> object >> lock;
    event.operation.kind = kind_of(kind);
    if (!object.empty()) event.operation.object = address_of(object);
    if (lock == "ends") {
      event.operation.value = kFutexWaitEnds;
    } else if (!lock.empty()) {
      event.operation.value = address_of(lock);
    }
    if (event.operation.kind == OperationKind::futex_wake) event.operation.value = 1;
    if (is_memory_access(event.operation.kind)) event.operation.size = 4;
    event.operation.pc = 0x400000 + 16 * trace.size();
    return event;
  }

  void add_answer(std::istringstream& words) {
    std::string kind;
    DecisionRun run;
    words >> kind >> run.value;
    run.kind = DecisionKind::environment;
    for (unsigned i = 0; i < kEnvironmentKinds; ++i) {
      if (environment_name(static_cast<EnvironmentKind>(i)) == kind) run.detail = static_cast<EnvironmentKind>(i);
    }
    decisions.push_back(run);
  }

  std::map<std::string, std::uint64_t> addresses_;
};

}  // namespace ravel
