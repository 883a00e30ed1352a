// SPDX-License-Identifier: Apache-2.0
#include "analysis/pairs/dependent_pairs.h"

#include <algorithm>
#include <utility>

#include "analysis/futures/program_reader.h"
#include "analysis/pairs/function_accesses.h"

namespace ravel {
namespace {

using Accesses = std::set<VariableAccess>;

// What a call adds to its caller's accesses. True: something new.
bool pass_on(const PassedCall& call, const Accesses& of_callee, const std::set<std::string>& locals,
             Accesses& of_caller) {
  bool grew = false;
  for (VariableAccess access : of_callee) {
    if (locals.contains(access.variable)) continue;
    if (const int place = FunctionAccesses::parameter(access.variable); place >= 0) {
      const bool known = static_cast<std::size_t>(place) < call.arguments.size();
      access.variable = known ? call.arguments[static_cast<std::size_t>(place)] : "";
    }
    if (access.variable.empty()) continue;
    access.own = false;
    access.locks.insert(call.locks.begin(), call.locks.end());
    grew = of_caller.insert(std::move(access)).second || grew;
  }
  return grew;
}

// Accesses of each function, those of the functions it calls included.
std::vector<Accesses> all_accesses(const FlowProgram& program, const std::vector<FunctionAccesses>& own) {
  std::vector<Accesses> all;
  all.reserve(own.size());
  for (const FunctionAccesses& function : own) all.push_back(function.accesses());
  bool grew = true;
  while (grew) {
    grew = false;
    for (std::size_t i = 0; i < own.size(); ++i) {
      for (const PassedCall& call : own[i].calls()) {
        for (const int callee : call.callees) {
          if (program.functions[static_cast<std::size_t>(callee)].of_life) continue;
          const Accesses of_callee = all[static_cast<std::size_t>(callee)];
          const std::set<std::string>& locals = own[static_cast<std::size_t>(callee)].locals();
          grew = pass_on(call, of_callee, locals, all[i]) || grew;
        }
      }
    }
  }
  return all;
}

bool have_common_lock(const VariableAccess& a, const VariableAccess& b) {
  return std::any_of(a.locks.begin(), a.locks.end(), [&](const std::string& lock) { return b.locks.contains(lock); });
}

// The pair of two functions; without variables if they are independent. `apart`: what looks the same and is not.
DependentPair pair_of(const Accesses& a, const Accesses& b, const std::set<std::string>& apart) {
  std::set<std::string> strong;
  std::set<std::string> weak;
  DependentPair pair;
  pair.locked = true;
  for (const VariableAccess& first : a) {
    for (const VariableAccess& second : b) {
      if (first.variable != second.variable || apart.contains(first.variable)) continue;
      if (!first.writes && !second.writes) {
        weak.insert(first.variable);
        continue;
      }
      strong.insert(first.variable);
      if (!have_common_lock(first, second) && !(first.atomic && second.atomic)) pair.locked = false;
    }
  }
  pair.strong = !strong.empty();
  const std::set<std::string>& variables = pair.strong ? strong : weak;
  pair.variables.assign(variables.begin(), variables.end());
  return pair;
}

}  // namespace

PairsResult find_pairs(const FlowProgram& program) {
  PairsResult result;
  std::vector<FunctionAccesses> own;
  own.reserve(program.functions.size());
  for (std::size_t i = 0; i < program.functions.size(); ++i) own.emplace_back(program, static_cast<int>(i));
  std::vector<Accesses> all = all_accesses(program, own);
  const std::set<int> initialisers(program.initialisers.begin(), program.initialisers.end());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const FlowFunction& function = program.functions[i];
    const int id = static_cast<int>(i);
    if (!function.defined || function.of_life || id == program.main || initialisers.contains(id)) continue;
    std::erase_if(all[i], [](const VariableAccess& access) {
      return FunctionAccesses::parameter(access.variable) >= 0;  // callers say what it is
    });
    if (!all[i].empty()) {
      result.functions.push_back({function.name, function.lines, std::move(all[i]), own[i].locals()});
    }
  }
  std::sort(result.functions.begin(), result.functions.end(), [](const auto& a, const auto& b) {
    return std::tie(a.name, a.lines.file, a.lines.first) < std::tie(b.name, b.lines.file, b.lines.first);
  });
  for (std::size_t i = 0; i < result.functions.size(); ++i) {
    for (std::size_t j = i; j < result.functions.size(); ++j) {
      const AccessingFunction& first = result.functions[i];
      // Two calls of one function have different local variables.
      DependentPair pair =
          pair_of(first.accesses, result.functions[j].accesses, i == j ? first.locals : std::set<std::string>());
      if (pair.variables.empty()) continue;
      pair.functions[0] = i;
      pair.functions[1] = j;
      result.pairs.push_back(std::move(pair));
    }
  }
  return result;
}

PairsResult find_pairs(const std::vector<ParseInput>& sources) {
  FlowProgram program;
  PairsResult refused;
  refused.errors = read_program(sources, program);
  return refused.errors.empty() ? find_pairs(program) : refused;
}

}  // namespace ravel
