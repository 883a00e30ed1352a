// SPDX-License-Identifier: Apache-2.0
#include "tests/trace/sample_schedules.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "trace/schedule_hash.h"

namespace ravel {
namespace {

void add_step(Schedule& schedule, TaskId task, OperationKind kind, CodeLocation where) {
  if (!schedule.decisions.empty() && schedule.decisions.back().kind == DecisionKind::task &&
      schedule.decisions.back().value == task) {
    ++schedule.decisions.back().count;
  } else {
    schedule.decisions.push_back({.value = task});
  }
  schedule.operations.push_back({task, kind, where});
  ++schedule.steps;
}

std::string random_word(Random& random) {
  std::string word;
  const std::uint32_t length = random.below(12);
  for (std::uint32_t i = 0; i < length; ++i) word += static_cast<char>(random.below(256));
  return word;
}

}  // namespace

Schedule example_schedule() {
  Schedule schedule;
  schedule.ravel_version = "0.1.0";
  schedule.program = {"./bank", "--accounts", "two of them"};
  schedule.directory = "/home/user/bank";
  schedule.campaign_strategy = "auto";
  schedule.execution = 17;
  schedule.plan.strategy = StrategyKind::pct;
  schedule.plan.seed = 42;
  schedule.plan.set_parameter("depth", 3);
  schedule.plan.set_parameter("length", 120);
  schedule.plan.environment_power = 10;
  schedule.finding = FindingKind::deadlock;
  schedule.finding_id = "5d1f0c22";
  schedule.finding_message = "T1 and T2 wait for each other";
  schedule.modules = {{"/home/user/bank/bank", "9f2c77d01b"}, {"/lib/x86_64-linux-gnu/libc.so.6", ""}};
  schedule.sites = {{0, 0x11f3}, {0, 0x11f7}, {0, 0x1213}, {0, 0x1201}};
  const CodeLocation create{0, 0x1300};
  const CodeLocation start{1, 0x8f000};
  const CodeLocation first_lock{0, 0x1180};
  const CodeLocation balance{0, 0x11f3};
  const CodeLocation total{0, 0x1213};
  add_step(schedule, 0, OperationKind::task_create, create);
  add_step(schedule, 0, OperationKind::task_create, create);
  add_step(schedule, 1, OperationKind::task_start, start);
  add_step(schedule, 1, OperationKind::mutex_lock, first_lock);
  add_step(schedule, 1, OperationKind::read, balance);
  schedule.decisions.push_back(
      {.kind = DecisionKind::environment, .detail = EnvironmentKind::spurious_wakeup, .value = 1});
  add_step(schedule, 2, OperationKind::task_start, start);
  add_step(schedule, 2, OperationKind::mutex_lock, first_lock);
  add_step(schedule, 2, OperationKind::read, balance);
  add_step(schedule, 2, OperationKind::write, total);
  schedule.operation_hash = hash_operations(schedule.operations, schedule.modules);
  return schedule;
}

Schedule random_schedule(std::uint64_t seed) {
  Random random(seed);
  Schedule schedule;
  schedule.ravel_version = random_word(random);
  schedule.program.push_back("./" + random_word(random));
  for (std::uint32_t i = random.below(4); i > 0; --i) schedule.program.push_back(random_word(random));
  schedule.directory = random_word(random);
  if (seed % 4 == 0) schedule.ok_exits = {6, 255};
  if (seed % 3 == 0) schedule.race_test = "list_add =" + std::to_string(seed);
  schedule.campaign_strategy = random_word(random);
  schedule.campaign_seed = random.next();
  schedule.execution = random.next();
  schedule.launch.carrier = random.below(2) == 0 ? CarrierKind::fiber : CarrierKind::thread;
  schedule.launch.points = static_cast<PointLevel>(random.below(3));
  schedule.launch.identities = static_cast<std::uint32_t>(random.next());
  schedule.launch.max_steps = random.next();
  schedule.launch.random_seed = random.next();
  schedule.launch.memory_model = random.below(2) == 0 ? MemoryModel::sc : MemoryModel::c11;
  schedule.launch.races = static_cast<std::uint8_t>(random.below(2));
  schedule.launch.heap = static_cast<std::uint8_t>(random.below(2));
  schedule.launch.uninitialised = static_cast<std::uint8_t>(random.below(2));
  schedule.launch.history = static_cast<std::uint32_t>(random.next());
  schedule.launch.quarantine_kb = static_cast<std::uint32_t>(random.next());
  schedule.launch.single = static_cast<std::uint8_t>(random.below(2));
  schedule.launch.files = static_cast<FileView>(random.below(3));
  if (random.below(2) == 0) {
    schedule.launch.explored_call = static_cast<std::uint32_t>(1 + random.below(100));
    schedule.launch.explored_case = random.below(2) * random.next();
    schedule.launch.explored_failed = random.below(2) * random.next();
  }
  schedule.plan.stale_power = random.below(2) == 0 ? kQuietEnvironment : static_cast<std::uint8_t>(random.below(64));
  schedule.plan.strategy = static_cast<StrategyKind>(random.below(kStrategyKinds));
  schedule.plan.seed = random.next();
  for (const StrategyParameter& parameter : strategy_parameters(schedule.plan.strategy)) {
    const bool power = parameter.form == ParameterForm::power;
    schedule.plan.set_parameter(parameter.name, power ? random.below(64) : random.next() >> random.below(64));
  }
  schedule.plan.spin_power = static_cast<std::uint8_t>(random.below(64));
  schedule.plan.environment_power =
      random.below(2) == 0 ? kQuietEnvironment : static_cast<std::uint8_t>(random.below(64));
  if (random.below(4) != 0) {
    schedule.finding = static_cast<FindingKind>(random.below(kFindingKinds));
    schedule.finding_id = random_word(random);
    schedule.finding_message = random_word(random);
  }
  for (std::uint32_t i = random.below(5); i > 0; --i) {
    schedule.modules.push_back({random_word(random), random.below(2) == 0 ? "" : "a1b2c3"});
  }
  const auto random_location = [&] {
    const std::uint32_t module = random.below(static_cast<std::uint32_t>(schedule.modules.size()) + 1);
    return CodeLocation{module == schedule.modules.size() ? kUnknownModule : module, random.next() >> random.below(64)};
  };
  for (std::uint32_t i = random.below(100); i > 0; --i) schedule.sites.push_back(random_location());

  std::vector<std::pair<OperationKind, CodeLocation>> places;
  for (std::uint32_t i = 1 + random.below(40); i > 0; --i) {
    places.emplace_back(static_cast<OperationKind>(random.below(kOperationKinds)), random_location());
  }
  const std::uint32_t tasks = 1 + random.below(random.below(2) == 0 ? 6 : 200);
  const std::uint32_t steps = random.below(random.below(8) == 0 ? 20'000 : 300);
  for (std::uint32_t i = 0; i < steps; ++i) {
    if (random.below(10) == 0) {
      schedule.decisions.push_back({.kind = DecisionKind::environment,
                                    .detail = static_cast<EnvironmentKind>(random.below(kEnvironmentKinds)),
                                    .value = random.below(5)});
    }
    if (random.below(10) == 0)
      schedule.decisions.push_back({.kind = DecisionKind::reads_from, .value = random.below(5)});
    const auto& [kind, where] = places[random.below(static_cast<std::uint32_t>(places.size()))];
    const TaskId task = random.below(tasks);
    for (std::uint32_t n = 1 + (random.below(3) == 0 ? random.below(30) : 0); n > 0; --n) {
      add_step(schedule, task, kind, where);
    }
  }
  // The last operation may have killed the program before it was traced.
  if (!schedule.operations.empty() && random.below(4) == 0) schedule.operations.pop_back();
  schedule.operation_hash = hash_operations(schedule.operations, schedule.modules);
  return schedule;
}

Schedule long_schedule(std::uint32_t tasks, std::uint32_t steps, std::uint64_t seed) {
  Random random(seed);
  Schedule schedule = example_schedule();
  schedule.decisions.clear();
  schedule.operations.clear();
  schedule.steps = 0;
  // A loop of 8 operations, one of which is skipped now and then.
  std::vector<std::uint32_t> at(tasks);
  for (std::uint32_t i = 0; i < steps; ++i) {
    const TaskId task = random.below(tasks);
    std::uint32_t& position = at[task];
    add_step(schedule, task, position % 8 < 4 ? OperationKind::read : OperationKind::mutex_lock,
             {0, 0x2000 + position % 8 * 12});
    position += random.below(8) == 0 ? 2 : 1;
  }
  schedule.operation_hash = hash_operations(schedule.operations, schedule.modules);
  return schedule;
}

void expect_equal(const Schedule& expected, const Schedule& actual) {
  EXPECT_EQ(expected.ravel_version, actual.ravel_version);
  EXPECT_EQ(expected.program, actual.program);
  EXPECT_EQ(expected.directory, actual.directory);
  EXPECT_EQ(expected.race_test, actual.race_test);
  EXPECT_EQ(expected.ok_exits, actual.ok_exits);
  EXPECT_EQ(expected.campaign_strategy, actual.campaign_strategy);
  EXPECT_EQ(expected.campaign_seed, actual.campaign_seed);
  EXPECT_EQ(expected.execution, actual.execution);
  EXPECT_EQ(expected.launch.carrier, actual.launch.carrier);
  EXPECT_EQ(expected.launch.points, actual.launch.points);
  EXPECT_EQ(expected.launch.identities, actual.launch.identities);
  EXPECT_EQ(expected.launch.max_steps, actual.launch.max_steps);
  EXPECT_EQ(expected.launch.random_seed, actual.launch.random_seed);
  EXPECT_EQ(expected.launch.memory_model, actual.launch.memory_model);
  EXPECT_EQ(expected.launch.races, actual.launch.races);
  EXPECT_EQ(expected.launch.heap, actual.launch.heap);
  EXPECT_EQ(expected.launch.uninitialised, actual.launch.uninitialised);
  EXPECT_EQ(expected.launch.history, actual.launch.history);
  EXPECT_EQ(expected.launch.quarantine_kb, actual.launch.quarantine_kb);
  EXPECT_EQ(expected.launch.single, actual.launch.single);
  EXPECT_EQ(expected.launch.files, actual.launch.files);
  EXPECT_EQ(expected.launch.explored_call, actual.launch.explored_call);
  EXPECT_EQ(expected.launch.explored_case, actual.launch.explored_case);
  EXPECT_EQ(expected.launch.explored_failed, actual.launch.explored_failed);
  EXPECT_TRUE(expected.plan == actual.plan);
  EXPECT_EQ(expected.finding, actual.finding);
  EXPECT_EQ(expected.finding_message, actual.finding_message);
  EXPECT_EQ(expected.finding_id, actual.finding_id);
  EXPECT_EQ(expected.steps, actual.steps);
  EXPECT_EQ(expected.operation_hash, actual.operation_hash);
  ASSERT_EQ(expected.modules.size(), actual.modules.size());
  for (std::size_t i = 0; i < expected.modules.size(); ++i) {
    EXPECT_EQ(expected.modules[i].path, actual.modules[i].path);
    EXPECT_EQ(expected.modules[i].build_id, actual.modules[i].build_id);
  }
  EXPECT_TRUE(expected.sites == actual.sites);
  EXPECT_TRUE(expected.decisions == actual.decisions);
  EXPECT_TRUE(expected.operations == actual.operations);
}

}  // namespace ravel
