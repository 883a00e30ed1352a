// SPDX-License-Identifier: Apache-2.0
// A SymbolSource that answers from a table, and short ways to write FindingRecords by hand.
#pragma once

#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reports/symboliser.h"

namespace ravel {

inline Frame frame(std::string function, std::string file, std::uint32_t line, std::uint32_t column = 0,
                   bool inlined = false) {
  Frame result;
  result.function = std::move(function);
  result.file = std::move(file);
  result.line = line;
  result.column = column;
  result.module = "./bank";
  result.inlined = inlined;
  return result;
}

// Code of which only the symbol table speaks.
inline Frame bare_frame(std::string function, std::string module, std::uint64_t offset = 0x1234) {
  Frame result;
  result.function = std::move(function);
  result.module = std::move(module);
  result.offset = offset;
  return result;
}

class TableSymbols : public SymbolSource {
 public:
  using SymbolSource::code;
  const std::vector<Frame>& code(std::uint64_t address, AddressKind) override {
    const auto found = frames_.find(address);
    return found == frames_.end() ? unknown_ : found->second;
  }
  using SymbolSource::data;
  const DataName& data(std::uint64_t address, std::uint64_t) override {
    for (const Global& global : globals_) {
      if (const DataName& name = in(global, address); name.known()) return name;
    }
    return nothing_;
  }
  const DataName& thread_local_data(std::uint64_t distance, std::uint64_t) override {
    const auto found = thread_locals_.find(distance);
    return found == thread_locals_.end() ? nothing_ : found->second;
  }
  const DataName& local_data(const StackFrame& frame, std::uint64_t address, std::uint64_t) override {
    const auto found = locals_.find(frame.pc);
    return found == locals_.end() ? nothing_ : in(found->second, address);
  }
  bool is_signal_return(std::uint64_t address) override { return address == signal_return_; }

  // Returns the address that stands for these frames.
  std::uint64_t add(std::vector<Frame> frames) {
    frames_[next_] = std::move(frames);
    return next_++;
  }
  std::uint64_t add_global(std::string name, std::uint64_t size) {
    DataName details;
    details.name = std::move(name);
    return add_global(std::move(details), size);
  }
  // With what debug information tells about it.
  std::uint64_t add_global(DataName details, std::uint64_t size) {
    globals_.push_back({std::move(details), next_data_, size});
    next_data_ += 0x100;
    return globals_.back().start;
  }
  void add_thread_local(std::string name, std::uint64_t distance) { thread_locals_[distance].name = std::move(name); }
  // The one local variable of the call at `pc`.
  void add_local(std::uint64_t pc, DataName details, std::uint64_t start, std::uint64_t size) {
    locals_[pc] = {std::move(details), start, size};
  }
  std::uint64_t add_signal_return() { return signal_return_ = next_++; }

 private:
  struct Global {
    DataName details;
    std::uint64_t start = 0;
    std::uint64_t size = 0;
  };

  const DataName& in(const Global& variable, std::uint64_t address) {
    if (address < variable.start || address >= variable.start + variable.size) return nothing_;
    DataName& answer = answers_[address];
    answer = variable.details;
    answer.offset = address - variable.start;
    answer.rest = answer.member.empty() ? answer.offset : 0;
    answer.size = variable.size;
    return answer;
  }

  std::map<std::uint64_t, std::vector<Frame>> frames_;
  std::vector<Global> globals_;
  std::map<std::uint64_t, Global> locals_;  // by return address
  std::map<std::uint64_t, DataName> answers_;
  std::map<std::uint64_t, DataName> thread_locals_;
  std::vector<Frame> unknown_ = std::vector<Frame>(1, bare_frame("??", "", 0));
  DataName nothing_;
  std::uint64_t next_ = 0x401000;
  std::uint64_t next_data_ = 0x500000;
  std::uint64_t signal_return_ = 0;
};

inline void set_message(FindingRecord& record, const std::string& text) {
  std::snprintf(record.message, sizeof record.message, "%s", text.c_str());
}

// Appends one task's part and returns it.
inline ParticipantRecord& add_part(FindingRecord& record, TaskId task, const std::vector<std::uint64_t>& stack) {
  ParticipantRecord& part = record.participant[record.participants++];
  part.operation.task = task;
  for (const std::uint64_t address : stack) part.stack.frames[part.stack.count++] = address;
  record.participants_total = record.participants;
  if (record.task == kNoTask) record.task = task;
  return part;
}

inline void doing(ParticipantRecord& part, OperationKind kind, std::uint64_t object, std::uint16_t size = 0) {
  part.operation.kind = kind;
  part.operation.object = object;
  part.operation.size = size;
}

}  // namespace ravel
