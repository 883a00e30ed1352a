// SPDX-License-Identifier: Apache-2.0
#include "reports/access_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

namespace ravel {
namespace {

bool is_atomic(OperationKind kind) {
  return kind == OperationKind::atomic_load || kind == OperationKind::atomic_store ||
         kind == OperationKind::atomic_rmw || kind == OperationKind::atomic_cas;
}

bool frees(const ResolvedStack& stack) {
  if (stack.kind == OperationKind::heap_free) return true;
  const std::string_view function = stack.through;
  return function == "free" || function == "realloc" || function.starts_with("operator delete");
}

std::string task_of(const ResolvedStack& stack) { return task_text(stack.task, stack.task_name); }

std::string of_object(const ResolvedStack& stack) {
  return stack.object.empty() ? std::string() : fmt::format(" of {}", stack.object);
}

std::string place_of_access(const ResolvedStack& stack) {
  const Frame* const frame = user_frame(stack.frames);
  return frame == nullptr ? std::string() : fmt::format(" at {}", location_text(*frame));
}

std::string held_names(const ResolvedStack& stack) {
  std::string text;
  for (std::size_t i = 0; i < stack.held.size(); ++i) {
    if (i > 0) text += i + 1 == stack.held.size() ? " and " : ", ";
    text += stack.held[i].object;
  }
  return text.empty() ? "no lock" : text;
}

const HeldLock* common_lock(const ResolvedStack& a, const ResolvedStack& b) {
  for (const HeldLock& lock : a.held) {
    if (std::any_of(b.held.begin(), b.held.end(), [&](const HeldLock& other) { return other.object == lock.object; })) {
      return &lock;
    }
  }
  return nullptr;
}

// A join is an option only where one of the two tasks created the other.
std::string join_remedy(const ResolvedFinding& finding, const ResolvedStack& a, const ResolvedStack& b) {
  for (const auto& [parent, child] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
    for (const ResolvedTask& task : finding.tasks) {
      if (task.task == child->task && task.creator == parent->task && task.creator != kNoTask) {
        return fmt::format("; or a join of {} before {}'s {}, or that {} before {} is created", task_text(child->task),
                           task_text(parent->task), access_noun(*parent), access_noun(*parent), task_text(child->task));
      }
    }
  }
  return {};
}

}  // namespace

std::string bytes_text(std::uint64_t count) { return fmt::format("{} byte{}", count, count == 1 ? "" : "s"); }

std::string accessed_text(const ResolvedStack& stack) {
  if (stack.size == 0) return stack.object.empty() ? "memory" : stack.object;
  return bytes_text(stack.size) + of_object(stack);
}

std::string access_verb(const ResolvedStack& stack, Tense tense) {
  const bool now = tense == Tense::present;
  if (frees(stack)) return now ? "frees" : "freed";
  switch (stack.kind) {
    case OperationKind::read:
      return now ? "reads" : "read";
    case OperationKind::write:
      return now ? "writes" : "wrote";
    case OperationKind::read_write:
      return now ? "reads and writes" : "read and wrote";
    case OperationKind::atomic_load:
      return now ? "atomically reads" : "atomically read";
    case OperationKind::atomic_store:
      return now ? "atomically writes" : "atomically wrote";
    case OperationKind::atomic_rmw:
      return now ? "atomically changes" : "atomically changed";
    case OperationKind::atomic_cas:
      return now ? "atomically compares and exchanges" : "atomically compared and exchanged";
    default:
      return now ? "uses" : "used";
  }
}

std::string access_noun(const ResolvedStack& stack) {
  if (frees(stack)) return "free";
  switch (operation_role(stack.kind)) {
    case OperationRole::reads:
      return "read";
    case OperationRole::writes:
      return stack.kind == OperationKind::write || stack.kind == OperationKind::atomic_store ? "write" : "change";
    default:
      return "use";
  }
}

std::string race_message(const ResolvedFinding& finding) {
  const ResolvedStack& a = finding.stacks[0];
  const ResolvedStack& b = finding.stacks[1];
  const std::string first = fmt::format("{} {}", task_of(a), access_verb(a, Tense::present));
  const std::string second = fmt::format("{} {}", task_of(b), access_verb(b, Tense::present));
  const bool same_object = a.object == b.object;
  const bool both_write = a.kind == OperationKind::write && b.kind == a.kind && !frees(a) && !frees(b);
  if (same_object && a.size == b.size && both_write) {
    return fmt::format("{} and {} both write {}", task_of(a), task_of(b), accessed_text(a));
  }
  if (same_object && a.size == b.size) {
    return fmt::format("{} and {} {}", first, second, accessed_text(a));
  }
  if (same_object && a.size != 0 && b.size != 0) {
    return fmt::format("{} {} and {} {}", first, a.size, second, accessed_text(b));
  }
  return fmt::format("{} {} and {} {}", first, accessed_text(a), second, accessed_text(b));
}

std::string heap_message(const ResolvedFinding& finding) {
  const ResolvedStack& stack = finding.stacks[0];
  const bool frees_block = finding.kind == FindingKind::double_free || finding.kind == FindingKind::bad_free;
  std::string text = task_of(stack);
  const std::string object = stack.object.empty() ? finding.memory.name : stack.object;
  if (frees_block) {
    text += fmt::format(" frees {}", object.empty() ? "memory" : object);
  } else {
    ResolvedStack named = stack;
    named.object = object;
    text += fmt::format(" {} {}", access_verb(stack, Tense::present), accessed_text(named));
  }
  if (finding.kind == FindingKind::uninitialised_read) return text + ", which was never written";
  if (finding.kind == FindingKind::bad_free) return text;
  if (!finding.memory.heap || finding.memory.heap->freed_by == kNoTask) return text + ", which was already freed";
  const TaskId by = finding.memory.heap->freed_by;
  return text + fmt::format(", which {} already freed", by == stack.task ? "it" : task_text(by));
}

std::string race_remedy(const ResolvedFinding& finding) {
  const ResolvedStack& a = finding.stacks[0];
  const ResolvedStack& b = finding.stacks[1];
  for (const auto& [atomic, plain] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
    if (is_atomic(atomic->kind) && !is_atomic(plain->kind) && !frees(*plain)) {
      return fmt::format(
          "an atomic {}{} as well: the {} of {} is atomic, the {} of {} is not; or a lock, a release store "
          "with an acquire load, or a join between the two",
          access_noun(*plain), place_of_access(*plain), access_noun(*atomic), task_of(*atomic), access_noun(*plain),
          task_of(*plain));
    }
  }
  // When the locks of an access were not kept, nothing can be said about them.
  const bool locks_known = !a.partial && !b.partial;
  if (locks_known && (!a.held.empty() || !b.held.empty())) {
    if (const HeldLock* const lock = common_lock(a, b)) {
      return fmt::format("{} held for writing: both tasks hold it, so at least one of them holds it only for reading",
                         lock->object);
    }
    if (a.held.empty() || b.held.empty()) {
      const ResolvedStack& with = a.held.empty() ? b : a;
      const ResolvedStack& without = a.held.empty() ? a : b;
      return fmt::format("{}, which {} holds, taken around the {}{} too: {} holds no lock there",
                         with.held.back().object, task_of(with), access_noun(without), place_of_access(without),
                         task_of(without));
    }
    return fmt::format("the same lock around both: {} holds {}, {} holds {}, and no lock is held by both", task_of(a),
                       held_names(a), task_of(b), held_names(b));
  }
  return "a mutex held around both; or a release store after one of them and an acquire load that reads it before the "
         "other" +
         join_remedy(finding, a, b);
}

std::string value_text(std::uint64_t value, std::uint64_t size, ValueKind kind) {
  if (size == 0 || size > 8) return {};
  const unsigned unused = static_cast<unsigned>(64 - size * 8);
  value = value << unused >> unused;
  switch (kind) {
    case ValueKind::boolean:
      return value == 0 ? "false" : value == 1 ? "true" : std::to_string(value);
    case ValueKind::pointer:
      return value == 0 ? "null" : "";
    case ValueKind::floating:
      if (size == 8) return fmt::format("{}", std::bit_cast<double>(value));
      if (size == 4) return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(value)));
      return {};
    case ValueKind::signed_integer:
      return std::to_string(static_cast<std::int64_t>(value << unused) >> unused);
    case ValueKind::unsigned_integer:
      return std::to_string(value);
    case ValueKind::unknown:
      // A number this large may be an address.
      return value > 0xffffffffU ? "" : std::to_string(value);
  }
  return {};
}

}  // namespace ravel
