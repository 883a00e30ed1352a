// SPDX-License-Identifier: Apache-2.0
#include "analysis/pairs/function_accesses.h"

#include <algorithm>
#include <optional>

namespace ravel {
namespace {

using Event = FlowEvent::Kind;
using Expr = FlowExpr::Kind;

// Lock objects are local variables.
std::string guard_name(const FlowExprPtr& place) {
  return place != nullptr && place->kind == Expr::variable ? std::to_string(place->id) : "";
}

}  // namespace

std::string FunctionAccesses::parameter(int number) { return "#" + std::to_string(number); }

int FunctionAccesses::parameter(const std::string& variable) {
  return variable.starts_with("#") ? std::stoi(variable.substr(1)) : -1;
}

FunctionAccesses::FunctionAccesses(const FlowProgram& program, int function)
    : program_(program), id_(function), function_(program.functions[static_cast<std::size_t>(function)]) {
  find_aliases();
  go_through();
}

void FunctionAccesses::find_aliases() {
  const auto look = [&](const FlowEvent& event) {
    if (event.kind == Event::bind && event.place != nullptr && event.place->kind == Expr::variable) {
      const std::string target = pointed_at(event.value);
      if (!target.empty()) aliases_.emplace(event.place->id, target);
    }
    if (event.kind == Event::guard) {
      std::vector<std::string>& mutexes = guards_[guard_name(event.place)];
      for (const FlowExprPtr& mutex : event.arguments) {
        const std::string name =
            mutex != nullptr && mutex->kind == Expr::address ? pointed_at(mutex) : variable_at(mutex);
        if (!name.empty()) mutexes.push_back(name);
      }
    }
  };
  for (const FlowBlock& block : function_.blocks) {
    for (const FlowEvent& event : block.events) look(event);
  }
}

// Which locks are held at a block on every way to it, and then what is done there.
void FunctionAccesses::go_through() {
  std::vector<std::optional<Locks>> at(function_.blocks.size());
  if (function_.entry < 0) return;
  at[static_cast<std::size_t>(function_.entry)] = Locks{};
  const auto after = [&](std::size_t block) {
    Locks locks = *at[block];
    for (const FlowEvent& event : function_.blocks[block].events) apply(event, locks, false);
    return locks;
  };
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t block = 0; block < function_.blocks.size(); ++block) {
      if (!at[block]) continue;
      const Locks held = after(block);
      for (const FlowBlock::Edge& edge : function_.blocks[block].next) {
        std::optional<Locks>& there = at[static_cast<std::size_t>(edge.to)];
        Locks met = held;
        if (there) std::erase_if(met, [&](const std::string& lock) { return !there->contains(lock); });
        if (there && met == *there) continue;
        there = std::move(met);
        changed = true;
      }
    }
  }
  for (std::size_t block = 0; block < function_.blocks.size(); ++block) {
    Locks locks = at[block].value_or(Locks{});
    for (const FlowEvent& event : function_.blocks[block].events) apply(event, locks, true);
    for (const FlowBlock::Edge& edge : function_.blocks[block].next) {
      for (const FlowEvent& event : edge.events) apply(event, locks, true);
    }
  }
}

void FunctionAccesses::apply(const FlowEvent& event, Locks& locks, bool keep) {
  switch (event.kind) {
    case Event::lock:
      if (const std::string name = variable_at(event.place); !name.empty() && !event.shared) locks.insert(name);
      break;
    case Event::unlock:
      locks.erase(variable_at(event.place));
      break;
    case Event::guard:
    case Event::guard_lock:
      if (event.kind == Event::guard && !event.locks) break;
      for (const std::string& mutex : guards_[guard_name(event.place)]) locks.insert(mutex);
      break;
    case Event::guard_unlock:
      for (const std::string& mutex : guards_[guard_name(event.place)]) locks.erase(mutex);
      break;
    case Event::read:
    case Event::write:
      if (const std::string name = keep && !event.declaration ? variable_at(event.place) : ""; !name.empty()) {
        accesses_.insert({name, event.kind == Event::write, event.atomic, true, locks});
      }
      break;
    case Event::call:
      if (keep) add_call(event, locks);
      break;
    default:
      break;
  }
}

void FunctionAccesses::add_call(const FlowEvent& event, const Locks& locks) {
  PassedCall call;
  call.locks = locks;
  call.callees = event.callees;
  if (event.weak) {
    for (const int callee : event.callees) {
      const std::vector<int>& others = program_.functions[static_cast<std::size_t>(callee)].overriders;
      call.callees.insert(call.callees.end(), others.begin(), others.end());
    }
  }
  if (event.value != nullptr && (event.value->kind == Expr::function || event.value->kind == Expr::closure)) {
    call.callees.push_back(event.value->id);
  }
  for (const FlowExprPtr& argument : event.arguments) call.arguments.push_back(pointed_at(argument));
  if (!call.callees.empty()) calls_.push_back(std::move(call));
}

int FunctionAccesses::parameter_place(int variable) const {
  const auto found = std::find(function_.parameters.begin(), function_.parameters.end(), variable);
  return found == function_.parameters.end() ? -1 : static_cast<int>(found - function_.parameters.begin());
}

// Empty: nobody else can see it, or nothing is known about it.
std::string FunctionAccesses::named(int id) {
  const FlowVariable& variable = program_.variables[static_cast<std::size_t>(id)];
  if (variable.per_thread) return "";
  if (const auto alias = aliases_.find(id); alias != aliases_.end()) return alias->second;
  if (variable.is_static) {
    return variable.changes || variable.escapes || variable.is_reference ? variable.name : "";
  }
  const int place = parameter_place(id);
  if (variable.is_reference) return place < 0 ? "" : parameter(place);
  if (variable.owner != id_) {
    const auto copied = [&](const FlowCapture& capture) { return capture.variable == id && !capture.by_reference; };
    if (std::any_of(function_.captures.begin(), function_.captures.end(), copied)) return "";
  } else if (!variable.escapes) {
    return "";
  }
  if (variable.owner < 0) return variable.name;
  const std::string name = program_.functions[static_cast<std::size_t>(variable.owner)].name + "::" + variable.name;
  if (variable.owner == id_) locals_.insert(name);
  return name;
}

// A part of a local object that nobody else knows.
bool FunctionAccesses::is_private(const FlowExprPtr& place) {
  const FlowExpr* at = place.get();
  while (at != nullptr && (at->kind == Expr::field || at->kind == Expr::element)) at = at->base.get();
  if (at == nullptr) return true;
  if (at->kind == Expr::pointee) return at->base != nullptr && at->base->kind == Expr::allocation;
  return at->kind == Expr::variable && named(at->id).empty() &&
         !program_.variables[static_cast<std::size_t>(at->id)].is_reference;
}

std::string FunctionAccesses::variable_at(const FlowExprPtr& place) {
  if (place == nullptr) return "";
  switch (place->kind) {
    case Expr::variable:
      return named(place->id);
    case Expr::field:
      return is_private(place) ? "" : place->text;
    case Expr::element:
      return variable_at(place->base);
    case Expr::pointee:
      return pointed_at(place->base);
    default:
      return "";
  }
}

std::string FunctionAccesses::pointed_at(const FlowExprPtr& value) {
  if (value == nullptr) return "";
  if (value->kind == Expr::address) return variable_at(value->base);
  if (value->kind != Expr::load || value->base == nullptr) return "";
  if (value->base->kind == Expr::variable) {
    const int place = parameter_place(value->base->id);
    if (place >= 0) return parameter(place);
  }
  const std::string pointer = variable_at(value->base);
  return pointer.empty() || parameter(pointer) >= 0 ? "" : "*" + pointer;
}

}  // namespace ravel
