// SPDX-License-Identifier: Apache-2.0
#include "scheduler_script.h"

#include <set>

namespace ravel::test {
namespace {

struct Gate {
  std::uint64_t value = 0;  // of a variable; 1: the gate is open
  TaskId holder = kNoTask;
};

Gate& gate_named(const std::string& name) {
  static std::map<std::string, Gate> gates;
  const auto [place, is_new] = gates.try_emplace(name);
  if (is_new) name_object(name, &place->second, sizeof(Gate));
  return place->second;
}

std::set<std::uint64_t>& lost_notifications() {
  static std::set<std::uint64_t> keys;
  return keys;
}

bool is_open(const void* gate, const Task&) { return static_cast<const Gate*>(gate)->value != 0; }
bool is_free(const void* gate, const Task&) { return static_cast<const Gate*>(gate)->holder == kNoTask; }
TaskId holder_of(const void* gate) { return static_cast<const Gate*>(gate)->holder; }
bool never(const void*, const Task&) { return false; }

std::uint64_t key_of(const Gate& gate) { return reinterpret_cast<std::uint64_t>(&gate); }

Operation operation_on(const Gate& gate, OperationKind kind, std::uint16_t size = 0) {
  Operation operation;
  operation.kind = kind;
  operation.size = size;
  operation.object = key_of(gate);
  operation.pc = here();
  return operation;
}

Operation operation_of(OperationKind kind) {
  Operation operation;
  operation.kind = kind;
  operation.pc = here();
  return operation;
}

Turn wait(const Operation& operation, const Wait& wait) {
  Task& task = scheduler().current();
  task.primitive.wait_key = wait.key;
  const Turn turn = scheduler().reach(operation, wait);
  task.primitive.wait_key = 0;
  return turn;
}

std::string answer(Turn turn) { return turn == Turn::go ? "" : turn == Turn::timed_out ? "timeout" : "cancelled"; }

std::uint64_t deadline_in(const Words& words) {
  return words.size() > 2 ? scheduler().now() + to_time(words[2]) : kNever;
}

// A step that changes the gate.
std::string change(const Words& words, void (*effect)(Gate&), OperationKind kind = OperationKind::condition_signal) {
  Gate& gate = gate_named(words.at(1));
  scheduler().reach(operation_on(gate, kind));
  effect(gate);
  scheduler().changed(key_of(gate));
  return "";
}

std::string await(const Words& words) {
  Gate& gate = gate_named(words.at(1));
  return answer(wait(operation_on(gate, OperationKind::condition_wait),
                     Wait{key_of(gate), &is_open, &gate, deadline_in(words), true, nullptr}));
}

std::string take(const Words& words) {
  Gate& gate = gate_named(words.at(1));
  const Turn turn = wait(operation_on(gate, OperationKind::mutex_lock),
                         Wait{key_of(gate), &is_free, &gate, deadline_in(words), false, &holder_of});
  if (turn == Turn::go) gate.holder = scheduler().current().id;
  scheduler().changed(key_of(gate));
  return answer(turn);
}

std::string read(const Words& words) {
  Gate& gate = gate_named(words.at(1));
  do {
    scheduler().reach(operation_on(gate, OperationKind::atomic_load, 8));
  } while (words[0] == "spin" && gate.value == 0);
  return std::to_string(gate.value);
}

std::string write(const Words& words) {
  Gate& gate = gate_named(words.at(1));
  scheduler().reach(operation_on(gate, OperationKind::atomic_store, 8));
  gate.value = to_number(words.at(2));
  scheduler().memory_written(key_of(gate), 8);
  return "";
}

std::string set_both(const Words& words) {
  scheduler().begin_section(here());
  write({"write", words.at(1), "1"});
  write({"write", words.at(2), "1"});
  scheduler().end_section();
  return "";
}

std::string pick(const Words& words) {
  scheduler().reach(operation_on(gate_named(words.at(1)), OperationKind::atomic_load, 8));
  return std::to_string(scheduler().choose_store(to_number(words.at(2))));
}

std::string decide(const Words& words) {
  scheduler().reach(operation_of(OperationKind::annotation));
  return std::to_string(scheduler().choose_environment(EnvironmentKind::choose, to_number(words.at(1))));
}

std::string sleep(const Words& words) {
  Wait wait;
  wait.ready = &never;
  wait.deadline = scheduler().now() + to_time(words.at(1));
  wait.brief = words[0] == "nap";
  scheduler().reach(operation_of(OperationKind::sleep), wait);
  return "";
}

std::string cancel(const Words& words) {
  scheduler().reach(operation_of(OperationKind::task_cancel));
  Task& task = task_named(words.at(1));
  task.primitive.cancel_pending = true;
  scheduler().changed(task.primitive.wait_key);
  return "";
}

FindingKind finding_of(const std::string& name) {
  for (unsigned kind = 0; kind < kFindingKinds; ++kind) {
    if (name == finding_name(static_cast<FindingKind>(kind))) return static_cast<FindingKind>(kind);
  }
  misspelt(name);
}

std::string report(const Words& words) {
  const Operation about = operation_of(OperationKind::annotation);
  return scheduler().report(finding_of(words.at(1)), words.at(2).c_str(), about) == nullptr ? "refused" : "";
}

Task* create(void* (*body)(void*), void* argument) {
  Operation operation;
  operation.kind = OperationKind::task_create;
  int error = 0;
  return scheduler().create(operation, body, argument, nullptr, &error);
}

std::string nothing() { return ""; }

}  // namespace

const Vocabulary& scheduler_vocabulary() {
  static const Vocabulary vocabulary = [] {
    Vocabulary made;
    made.create = &create;
    made.hooks = [](Channel&) {
      SchedulerHooks hooks;
      hooks.notify_was_lost = [](std::uint64_t key) { return lost_notifications().contains(key); };
      return hooks;
    };
    made.verbs = {
        {"await", &await},
        {"open", [](const Words& words) { return change(words, [](Gate& gate) { gate.value = 1; }); }},
        {"close", [](const Words& words) { return change(words, [](Gate& gate) { gate.value = 0; }); }},
        {"lose",
         [](const Words& words) {
           return change(words, [](Gate& gate) { lost_notifications().insert(key_of(gate)); });
         }},
        {"take", &take},
        {"give",
         [](const Words& words) {
           return change(
               words, [](Gate& gate) { gate.holder = kNoTask; }, OperationKind::mutex_unlock);
         }},
        {"read", &read},
        {"spin", &read},
        {"write", &write},
        {"set_both", &set_both},
        {"pick", &pick},
        {"decide", &decide},
        {"look", [](const Words& words) { return scheduler().looked(to_number(words.at(1))), nothing(); }},
        {"point", [](const Words&) { return scheduler().reach(operation_of(OperationKind::annotation)), nothing(); }},
        {"yield", [](const Words&) { return scheduler().yield(here()), nothing(); }},
        {"sleep", &sleep},
        {"nap", &sleep},
        {"skip",
         [](const Words& words) { return scheduler().skip_time(scheduler().now() + to_time(words.at(1))), nothing(); }},
        {"pass",
         [](const Words& words) { return scheduler().pass_time(scheduler().now() + to_time(words.at(1))), nothing(); }},
        {"clock", [](const Words&) { return time_text(scheduler().read_clock()); }},
        {"cancel", &cancel},
        {"create", [](const Words& words) { return create_task(words.at(1), &create), nothing(); }},
        {"report", &report},
        {"stop",
         [](const Words&) -> std::string {
           leave_command();
           scheduler().stop();
         }},
    };
    return made;
  }();
  return vocabulary;
}

}  // namespace ravel::test
