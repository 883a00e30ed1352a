// SPDX-License-Identifier: Apache-2.0
#include "reports/local_variables.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/finding_report.h"

namespace ravel {

std::string LocalName::whole() const {
  return owner == 0 ? data->name : fmt::format("{} of {}", data->name, task_text(owner));
}

std::string LocalName::text() const {
  return owner == 0 ? data->text() : fmt::format("{} of {}", data->text(), task_text(owner));
}

std::string LocalName::place(const std::string& details) const {
  std::string function = data->function;
  if (!function.empty() && function.find('(') == std::string::npos) function += "()";
  std::string text = fmt::format("the local variable {}", data->name);
  if (!function.empty()) text += fmt::format(" of {}", function);
  if (owner != 0) text += fmt::format(" in {}", task_text(owner));
  if (!data->type.empty()) text += fmt::format(" ({})", data->type);
  text += details;
  if (data->line != 0) text += fmt::format(", declared at {}:{}", data->file, data->line);
  return text;
}

LocalVariables::LocalVariables(std::span<const TaskRecord> tasks, std::span<const CreationRecord> creations,
                               SymbolSource& symbols)
    : tasks_(tasks), creations_(creations), symbols_(symbols) {}

TaskId LocalVariables::stack_owner(std::uint64_t address) const {
  for (std::size_t id = 0; id < tasks_.size(); ++id) {
    if (tasks_[id].stack_low <= address && address < tasks_[id].stack_high) return static_cast<TaskId>(id);
  }
  return kNoTask;
}

std::span<const CreationFrame> LocalVariables::frames_of(TaskId task) const {
  if (task >= creations_.size()) return {};
  const CreationRecord& record = creations_[task];
  return {record.frames, std::min<std::size_t>(record.count, kMaxCreationFrames)};
}

LocalName LocalVariables::at(std::uint64_t address, std::uint64_t size, TaskId created, std::uint64_t step) {
  const TaskId owner = stack_owner(address);
  if (owner == kNoTask) return {};
  const auto known = static_cast<TaskId>(std::min(tasks_.size(), creations_.size()));
  // The latest first: the frames of earlier ones may have returned since.
  for (TaskId task = std::min(created, known); task-- > 0;) {
    if (tasks_[task].creator != owner) continue;
    const std::span<const CreationFrame> frames = frames_of(task);
    for (std::size_t i = 0; i + 1 < frames.size(); ++i) {
      const StackFrame frame{frames[i].pc, frames[i].stack_pointer, frames[i].frame_pointer,
                             frames[i + 1].stack_pointer};
      if (address < frame.stack_pointer || address >= frame.end) continue;
      if (frames[i].gone != 0 && frames[i].gone <= step) break;
      const DataName& name = symbols_.local_data(frame, address, size);
      if (!name.known()) break;
      const std::uint64_t start = address - name.offset;
      if (starts_.try_emplace({owner, name.name}, start).first->second != start) return {};
      return {&name, owner};
    }
  }
  return {};
}

TaskId LocalVariables::created_by(std::uint64_t step) const {
  std::size_t count = 0;
  while (count < creations_.size() && creations_[count].step <= step) ++count;
  return static_cast<TaskId>(count);
}

std::vector<std::uint64_t> LocalVariables::calls_of_creation(TaskId task) const {
  std::vector<std::uint64_t> calls;
  for (const CreationFrame& frame : frames_of(task)) calls.push_back(frame.pc);
  return calls;
}

}  // namespace ravel
