// SPDX-License-Identifier: Apache-2.0
#include "tests/litmus/program.h"

#include <set>

namespace ravel::litmus {

Names names_in(const Program& program) {
  std::set<int> registers;
  std::set<int> locations;
  for (const Task& task : program) {
    for (const Operation& operation : task) {
      if (operation.result >= 0) registers.insert(operation.result);
      if (operation.location >= 0) locations.insert(operation.location);
    }
  }
  return {{registers.begin(), registers.end()}, {locations.begin(), locations.end()}};
}

std::string to_text(const Names& names, const Outcome& outcome) {
  std::string text;
  for (int index : names.registers) {
    text += "r" + std::to_string(index) + "=" + std::to_string(outcome.registers[index]) + " ";
  }
  for (int index : names.locations) {
    text += std::string(location_names[index]) + "=" + std::to_string(outcome.locations[index]) + " ";
  }
  if (!text.empty()) text.pop_back();
  return text;
}

namespace {

std::optional<std::string> why_malformed(const Operation& operation) {
  switch (operation.kind) {
    case Kind::load:
      if (operation.order == rel || operation.order == acqrel) return "a load cannot release";
      break;
    case Kind::store:
      if (operation.order == acq || operation.order == acqrel) return "a store cannot acquire";
      break;
    case Kind::compare_exchange:
      if (operation.failure == rel || operation.failure == acqrel) return "a failed compare_exchange cannot release";
      break;
    case Kind::fetch_add:
    case Kind::exchange:
    case Kind::fence:
      break;
  }
  if (operation.kind != Kind::fence && (operation.location < 0 || operation.location >= max_locations)) {
    return "no such location";
  }
  if (operation.result >= max_registers) return "no such register";
  if (operation.result >= 0 && !operation.reads()) return "only an operation that reads has a register";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> why_malformed(const Program& program) {
  std::set<int> set_anywhere;
  for (const Task& task : program) {
    std::set<int> set_here;
    for (const Operation& operation : task) {
      if (auto why = why_malformed(operation)) return why;
      if (operation.only && (!operation.only->is_register || !set_here.contains(operation.only->index))) {
        return "a guard names a register that its task has not set";
      }
      if (operation.result < 0) continue;
      set_here.insert(operation.result);
      if (!set_anywhere.insert(operation.result).second) return "a register is set twice";
    }
  }
  return std::nullopt;
}

}  // namespace ravel::litmus
