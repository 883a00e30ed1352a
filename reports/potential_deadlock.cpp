// SPDX-License-Identifier: Apache-2.0
#include "reports/potential_deadlock.h"

#include <algorithm>
#include <memory>

namespace ravel {
namespace {

// The finding that the deadlock would have been.
ParticipantRecord part_of(const LockEdge& edge, TaskId holder) {
  ParticipantRecord part;
  part.operation.kind = edge.wanted_kind;
  part.operation.object = edge.wanted;
  part.operation.task = edge.task;
  part.operation.pc = edge.wanted_pc[0];
  part.blocked = 1;
  part.holder = holder;
  part.held[0] = edge.held;
  std::copy(std::begin(edge.held_pc), std::end(edge.held_pc), part.held_pc[0]);
  for (std::size_t i = 0; i + 1 < std::size(part.held) && i < kMaxGates && edge.gate[i] != 0; ++i) {
    part.held[i + 1] = edge.gate[i] & ~std::uint64_t{1};
  }
  for (const std::uint64_t pc : edge.wanted_pc) {
    if (pc == 0) break;
    part.stack.frames[part.stack.count++] = pc;
  }
  return part;
}

}  // namespace

PotentialDeadlock resolve_cycle(std::span<const LockEdge> cycle, std::span<const TaskRecord> tasks,
                                SymbolSource& symbols) {
  const auto record = std::make_unique<FindingRecord>();
  record->kind = FindingKind::deadlock;
  for (std::size_t i = 0; i < cycle.size() && i < kMaxParticipants; ++i) {
    record->participant[record->participants++] = part_of(cycle[i], cycle[(i + 1) % cycle.size()].task);
  }
  ResolvedFinding resolved = resolve_finding(*record, tasks, symbols);
  PotentialDeadlock words;
  words.chains = std::move(resolved.stacks);
  words.tasks = std::move(resolved.tasks);
  words.objects = std::move(resolved.objects);
  words.signature = std::move(resolved.signature);
  return words;
}

}  // namespace ravel
