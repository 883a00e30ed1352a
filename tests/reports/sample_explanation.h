// SPDX-License-Identifier: Apache-2.0
// A hand-made explanation of a lost update in the imaginary bank: what the reports of whole executions show.
#pragma once

#include "reports/campaign_result.h"

namespace ravel {

inline Frame bank_frame(const char* function, std::uint32_t line, const char* file = "/work/bank/src/bank.cpp") {
  Frame frame;
  frame.function = function;
  frame.file = file;
  frame.line = line;
  frame.module = "bank";
  return frame;
}

inline ExplainedStep bank_step(std::uint64_t number, TaskId task, OperationKind kind, const char* object,
                               std::uint32_t line) {
  ExplainedStep step;
  step.number = number;
  step.task = task;
  step.kind = kind;
  step.object = object;
  step.weight = Weight::related;
  step.stack = {bank_frame("deposit(int)", line), bank_frame("worker()", 40)};
  step.source = "balance += amount;";
  return step;
}

// T1 reads, T2 writes in between, T1 writes back; both wait for `mutex` and have it at other times.
inline Explanation sample_explanation() {
  Explanation result;
  result.kind = FindingKind::assertion;
  result.summary = {"(1) T1 read `balance` (0) at bank.cpp:12, (2) T2 changed it to 50 at bank.cpp:13."};
  result.tasks = {{0, "", "main", kNoTask}, {1, "", "worker()", 0}, {2, "auditor", "worker()", 0}};
  std::vector<ExplainedStep>& steps = result.steps;
  steps.push_back(bank_step(1, 0, OperationKind::task_create, "T2", 60));
  steps.back().weight = Weight::shared;
  steps.push_back(bank_step(2, 1, OperationKind::mutex_lock, "mutex", 11));
  steps.push_back(bank_step(3, 1, OperationKind::read, "balance", 12));
  steps.back().before = steps.back().after = "0";
  steps.back().held = {"mutex"};
  steps.back().mark = 1;
  steps.back().weight = Weight::cause;
  steps.push_back(bank_step(4, 1, OperationKind::mutex_unlock, "mutex", 14));
  steps.back().held = {"mutex"};
  steps.back().leaves = SwitchReason::preempted;
  steps.push_back(bank_step(5, 2, OperationKind::mutex_lock, "mutex", 11));
  steps.push_back(bank_step(6, 2, OperationKind::write, "balance", 13));
  steps.back().before = "0";
  steps.back().after = "50";
  steps.back().held = {"mutex"};
  steps.back().mark = 2;
  steps.back().weight = Weight::cause;
  steps.back().leaves = SwitchReason::blocked;
  steps.back().leaves_for = "other_mutex";
  steps.back().holder = 1;
  steps.push_back(bank_step(7, 1, OperationKind::write, "balance", 13));
  steps.back().before = "50";
  steps.back().after = "100";
  steps.back().mark = 3;
  steps.back().weight = Weight::cause;
  result.orders = {{1, 5, OrderKind::created}, {4, 5, OrderKind::lock}, {3, 7, OrderKind::value}};
  result.passing = {bank_step(2, 2, OperationKind::write, "balance", 13),
                    bank_step(4, 1, OperationKind::read, "balance", 12)};
  result.passing[0].mark = 2;
  result.passing[1].mark = 1;
  result.failing_task = 1;
  result.failure = "assertion `balance == 150`";
  result.place = "bank.cpp:70";
  result.all_steps = 7;
  ExplainedCause& cause = result.cause.emplace();
  cause.first = {steps[2], "read 4 bytes"};
  cause.second = {steps[5], "write 4 bytes"};
  cause.passes_otherwise = true;
  return result;
}

}  // namespace ravel
