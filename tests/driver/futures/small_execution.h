// SPDX-License-Identifier: Apache-2.0
// SmallExecution: an execution made by hand, for tests of what is computed from executions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "driver/futures/observed_execution.h"

namespace ravel {

// Adds operations in execution order; keeps which read saw which write.
class SmallExecution {
 public:
  SmallExecution() {
    seen.places.push_back({"", 0, "", false});
    seen.variables.push_back({});
  }

  std::size_t write(TaskId task, const std::string& variable, std::uint32_t line) {
    return access(task, OperationKind::write, variable, line);
  }
  std::size_t read(TaskId task, const std::string& variable, std::uint32_t line) {
    return access(task, OperationKind::read, variable, line);
  }
  std::size_t sync(TaskId task, OperationKind kind, std::uint64_t object, std::uint32_t line, std::uint64_t value = 0) {
    ObservedEvent event;
    event.operation.kind = kind;
    event.operation.object = object;
    event.operation.value = value;
    return add(task, event, line);
  }
  std::size_t lock(TaskId task, std::uint64_t mutex, std::uint32_t line) {
    return sync(task, OperationKind::mutex_lock, mutex, line);
  }
  std::size_t unlock(TaskId task, std::uint64_t mutex, std::uint32_t line) {
    return sync(task, OperationKind::mutex_unlock, mutex, line);
  }

  ObservedExecution seen;

 private:
  std::size_t access(TaskId task, OperationKind kind, const std::string& variable, std::uint32_t line) {
    const auto [known, is_new] = variables_.try_emplace(variable, static_cast<std::uint32_t>(seen.variables.size()));
    if (is_new) seen.variables.push_back({variable});
    ObservedEvent event;
    event.operation.kind = kind;
    event.operation.object = 0x1000 + 8 * known->second;
    event.operation.size = 4;
    event.variable = known->second;
    event.reads = kind == OperationKind::read;
    event.writes = kind == OperationKind::write;
    if (event.reads) {
      const auto latest = latest_.find(known->second);
      event.source = latest == latest_.end() ? kInitialValue : static_cast<std::int64_t>(latest->second);
    }
    const std::size_t at = add(task, event, line);
    if (event.writes) latest_[known->second] = at;
    return at;
  }

  std::size_t add(TaskId task, ObservedEvent event, std::uint32_t line) {
    if (task >= seen.by_task.size()) seen.by_task.resize(task + 1);
    event.operation.task = task;
    event.number = static_cast<std::uint32_t>(seen.by_task[task].size() + 1);
    event.read_occurrence = event.reads ? 1 : 0;
    event.write_occurrence = event.writes ? 1 : 0;
    event.place = static_cast<std::uint32_t>(seen.places.size());
    const std::string text = "p.cpp:" + std::to_string(line);
    for (std::size_t i = 0; i < seen.places.size(); ++i) {
      if (seen.places[i].text == text) event.place = static_cast<std::uint32_t>(i);
    }
    if (event.place == seen.places.size()) seen.places.push_back({"p.cpp", line, text, false});
    seen.by_task[task].push_back(seen.events.size());
    seen.events.push_back(event);
    return seen.events.size() - 1;
  }

  std::map<std::string, std::uint32_t> variables_;
  std::map<std::uint32_t, std::size_t> latest_;
};

}  // namespace ravel
