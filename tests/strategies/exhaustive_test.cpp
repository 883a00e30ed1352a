// SPDX-License-Identifier: Apache-2.0
// dfs and dpor compared: random programs of a few operations, each explored to the end by both. dfs visits every
// schedule and counts partial orders; dpor must visit exactly one schedule of each.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "strategies/partial_order.h"
#include "strategies/registry.h"
#include "strategies/search_window.h"

namespace ravel {
namespace {

struct Step {
  OperationKind kind;
  std::uint64_t object;
};
using Tasks = std::vector<std::vector<Step>>;

std::string text_of(const Tasks& tasks) {
  std::string text;
  for (const auto& task : tasks) {
    for (const Step& step : task) text += std::string(operation_name(step.kind)) + std::to_string(step.object) + ' ';
    text += "| ";
  }
  return text;
}

// A machine that performs a planned execution: follows the prefix, then asks the chooser, and writes the trace that the
// engine would write for an exhaustive plan. Locks, try-locks, semaphores (which start with one unit) and events of
// race tests block as in the engine; everything else is always enabled.
class Machine {
 public:
  explicit Machine(const Tasks& tasks) : tasks_(tasks), at_(tasks.size()), pending_(tasks.size()) {}

  std::string run(const PlannedExecution& planned, Planner& planner) {
    Chooser& chooser = chooser_for(planned.plan);
    chooser.begin(planned.plan, planned.details);
    for (TaskId task = 0; task < tasks_.size(); ++task) arrive(task, chooser);
    std::vector<TaskId> prefix;
    for (const DecisionRun& run : planned.prefix) prefix.insert(prefix.end(), run.count, run.value);
    std::string names;
    TaskId current = kNoTask;
    ExecutionSummary summary;
    summary.outcome = Outcome::stopped;
    while (true) {
      std::vector<TaskId> enabled;
      for (TaskId task = 0; task < tasks_.size(); ++task) {
        if (can_go(task)) enabled.push_back(task);
        if (can_go(task) == was_enabled_.contains(task)) continue;
        chooser.on_enabled(task, can_go(task));
        if (can_go(task)) {
          was_enabled_.insert(task);
        } else {
          was_enabled_.erase(task);
        }
      }
      if (enabled.empty()) break;
      const bool may_go_on = current != kNoTask && can_go(current);
      TaskId next = enabled.front();
      if (names.size() < prefix.size()) {
        next = prefix[names.size()];
        if (!can_go(next)) {
          summary.outcome = Outcome::diverged;
          summary.divergence.reason = static_cast<std::uint32_t>(DivergenceReason::task_not_enabled);
          break;
        }
      } else if (enabled.size() > 1) {
        next =
            chooser.choose_task({enabled, pending_.data(), current == kNoTask ? 0 : current, may_go_on, names.size()});
        EXPECT_TRUE(can_go(next));
      }
      TraceEvent event;
      event.operation = pending_[next];
      for (const TaskId task : enabled) event.enabled |= std::uint64_t{1} << task;
      if (may_go_on) event.flags |= kTraceMayGoOn;
      if (may_go_on && next != current) event.flags |= kTracePreempts;
      chooser.on_step(pending_[next]);
      perform(next, event);
      trace_.push_back(event);
      names += static_cast<char>('a' + next);
      current = next;
      ++at_[next];
      arrive(next, chooser);
    }
    summary.tasks = static_cast<std::uint32_t>(tasks_.size());
    summary.steps = trace_.size();
    summary.waiting_step = summary.steps;
    std::vector<Operation> waiting;
    for (TaskId task = 0; task < tasks_.size(); ++task) {
      if (at_[task] < tasks_[task].size()) waiting.push_back(pending_[task]);
    }
    ExecutionView view{summary};
    view.trace = trace_;
    view.waiting = waiting;
    planner.learn(planned, view);
    return names;
  }

 private:
  static std::uint64_t address_of(const Step& step) { return 0x1000 + 16 * step.object; }

  void arrive(TaskId task, Chooser& chooser) {
    // Nothing to unlock after a try that failed.
    while (at_[task] < tasks_[task].size() && tasks_[task][at_[task]].kind == OperationKind::mutex_unlock) {
      const auto holder = holder_.find(address_of(tasks_[task][at_[task]]));
      if (holder != holder_.end() && holder->second == task) break;
      ++at_[task];
    }
    if (at_[task] >= tasks_[task].size()) return;
    const Step& step = tasks_[task][at_[task]];
    Operation& operation = pending_[task];
    operation = Operation{};
    operation.kind = step.kind;
    operation.task = task;
    operation.object = address_of(step);
    operation.size = is_memory_access(step.kind) ? 4 : 0;
    operation.pc = 100 * task + at_[task];
    if (step.kind == OperationKind::rwlock_unlock && !writer_.contains(operation.object)) operation.value = 1;
    chooser.on_pending(operation);
  }

  bool can_go(TaskId task) const {
    if (at_[task] >= tasks_[task].size()) return false;
    const Operation& operation = pending_[task];
    switch (operation.kind) {
      case OperationKind::mutex_lock:
        return !holder_.contains(operation.object);
      case OperationKind::semaphore_wait:
        return units(operation.object) > 0;
      case OperationKind::sync_wait:
        return notified_.contains(operation.object);
      case OperationKind::rwlock_read_lock:
        return !writer_.contains(operation.object) && !queue_.contains(operation.object);
      case OperationKind::rwlock_write_lock:
        return !writer_.contains(operation.object) && readers(operation.object) == 0;
      default:
        return true;
    }
  }

  int units(std::uint64_t object) const {
    const auto found = units_.find(object);
    return found == units_.end() ? 1 : found->second;
  }
  int readers(std::uint64_t object) const {
    const auto found = readers_.find(object);
    return found == readers_.end() ? 0 : found->second;
  }

  void perform(TaskId task, TraceEvent& event) {
    const std::uint64_t object = pending_[task].object;
    event.before = static_cast<std::uint64_t>(units(object));
    if (pending_[task].kind == OperationKind::sync_wait || pending_[task].kind == OperationKind::sync_notify) {
      event.before = notified_.contains(object) ? 1 : 0;
    }
    switch (pending_[task].kind) {
      case OperationKind::mutex_try_lock:
        if (holder_.contains(object)) return;
        [[fallthrough]];
      case OperationKind::mutex_lock:
        holder_[object] = task;
        break;
      case OperationKind::mutex_unlock:
        holder_.erase(object);
        break;
      case OperationKind::semaphore_wait:
        units_[object] = units(object) - 1;
        break;
      case OperationKind::semaphore_post:
        units_[object] = units(object) + 1;
        break;
      case OperationKind::sync_notify:
        notified_.insert(object);
        break;
      case OperationKind::rwlock_read_lock:
        ++readers_[object];
        break;
      case OperationKind::rwlock_queue_writer:
        queue_.insert(object);
        break;
      case OperationKind::rwlock_write_lock:
        if (const auto place = queue_.find(object); place != queue_.end()) queue_.erase(place);
        writer_[object] = task;
        break;
      case OperationKind::rwlock_unlock:
        if (pending_[task].value == 1) {
          --readers_[object];
        } else {
          writer_.erase(object);
        }
        break;
      default:
        return;
    }
    event.flags |= kTraceChanged;
  }

  const Tasks& tasks_;
  std::vector<std::size_t> at_;
  std::vector<Operation> pending_;
  std::vector<TraceEvent> trace_;
  std::set<TaskId> was_enabled_;
  std::set<std::uint64_t> notified_;
  std::map<std::uint64_t, TaskId> holder_, writer_;
  std::map<std::uint64_t, int> units_, readers_;
  std::multiset<std::uint64_t> queue_;  // writers of writer-preferring locks, by lock
};

struct Search {
  SearchProgress progress;
  bool complete = false;
  std::set<std::string> schedules;
};

Search explore(const char* strategy, const Tasks& tasks, std::uint64_t limit = 200'000) {
  Search search;
  const auto planner = make_planner(strategy, 1);
  std::uint64_t execution = 0;
  for (; execution < limit && !planner->finished(); ++execution) {
    EXPECT_TRUE(planner->ready());
    search.schedules.insert(Machine(tasks).run(planner->next(execution), *planner));
  }
  search.complete = planner->complete();
  planner->progress(search.progress);
  EXPECT_EQ(search.schedules.size(), execution) << "a schedule came twice";
  return search;
}

constexpr Step kWrite{OperationKind::write, 1};
constexpr Step kRead{OperationKind::read, 1};

TEST(Dfs, VisitsEveryScheduleOnce) {
  const Search search = explore("dfs", {{kWrite, kWrite, kWrite}, {kWrite, kWrite, kWrite}});
  EXPECT_TRUE(search.complete);
  EXPECT_EQ(search.progress.explored, 20U) << "6! / (3! * 3!)";
  EXPECT_EQ(search.progress.classes, 20U);
  EXPECT_DOUBLE_EQ(search.progress.estimate, 20);
}

TEST(Dfs, FewPreemptionsFirst) {
  const Tasks tasks = {{kWrite, kWrite, kWrite}, {kWrite, kWrite, kWrite}};
  const auto planner = make_planner("dfs", 1);
  int last = 0;
  for (std::uint64_t execution = 0; !planner->finished(); ++execution) {
    const std::string names = Machine(tasks).run(planner->next(execution), *planner);
    int preemptions = 0;
    for (std::size_t i = 1; i < names.size(); ++i) {
      const bool had_ended = names.find(names[i - 1], i) == std::string::npos;
      if (names[i] != names[i - 1] && !had_ended) ++preemptions;
    }
    EXPECT_GE(preemptions, last) << names;
    last = preemptions;
  }
  EXPECT_EQ(last, 4) << "abababab... has no more";
}

TEST(Dpor, OneScheduleOfEachOrder) {
  EXPECT_EQ(explore("dpor", {{kWrite}, {kWrite}, {kWrite}}).progress.explored, 6U);
  EXPECT_EQ(explore("dpor", {{kRead}, {kWrite}, {kRead}}).progress.explored, 4U);
  EXPECT_EQ(explore("dpor", {{kRead}, {kRead}, {kRead}}).progress.explored, 1U);
}

// The program of the paper's figure for which source sets alone lead to redundant executions.
TEST(Dpor, NoExecutionIsInVain) {
  const Step x_write{OperationKind::write, 1};
  const Step x_read{OperationKind::read, 1};
  const Step y_write{OperationKind::write, 2};
  const Step y_read{OperationKind::read, 2};
  const Step z_write{OperationKind::write, 3};
  const Step z_read{OperationKind::read, 3};
  const Tasks tasks = {{x_write}, {y_write, x_read}, {z_write, y_read}, {z_read, x_read}};
  const Search every = explore("dfs", tasks);
  const Search search = explore("dpor", tasks);
  EXPECT_TRUE(search.complete);
  EXPECT_EQ(search.progress.explored, every.progress.classes);
  EXPECT_EQ(search.progress.redundant, 0U);
}

// -- a search that is limited to two calls --

constexpr Step kCall{OperationKind::call_begin, 0};
constexpr Step kReturn{OperationKind::call_end, 0};

struct WindowSearch {
  std::vector<std::string> schedules;
  SearchProgress progress;
  bool complete = false;
};

WindowSearch explore_window(const Tasks& tasks, const std::vector<TaskId>& way) {
  SearchWindow window;
  for (const TaskId task : way) window.prefix.push_back({DecisionKind::task, {}, 0, task, 1});
  window.steps = way.size();
  window.call[0].task = 0;
  window.call[1].task = 1;
  const auto planner = make_window_planner(1, window);
  WindowSearch search;
  for (std::uint64_t execution = 0; !planner->finished() && execution < 1000; ++execution) {
    search.schedules.push_back(Machine(tasks).run(planner->next(execution), *planner));
  }
  planner->progress(search.progress);
  search.complete = planner->complete();
  return search;
}

// Everybody writes the same all the time. Of the orders of all tasks together only those of the two calls are explored.
TEST(SearchWindow, ExploresTheOrdersOfTwoCallsAndNothingElse) {
  const Tasks tasks = {{kWrite, kCall, kWrite, kWrite, kReturn, kWrite, kWrite},
                       {kWrite, kCall, kWrite, kReturn, kWrite, kWrite},
                       {kWrite, kWrite, kWrite}};
  const WindowSearch search = explore_window(tasks, {0, 1});
  EXPECT_TRUE(search.complete);
  EXPECT_EQ(search.progress.classes, 3U) << "3! / (2! * 1!)";
  EXPECT_EQ(search.schedules.size(), 3U);
  for (const std::string& schedule : search.schedules) {
    EXPECT_TRUE(schedule.starts_with("ab")) << schedule;
    // Two steps of the way there, then both calls with their beginnings: three steps of a, two of b, none of c.
    EXPECT_EQ(schedule.substr(0, 7).find('c'), std::string::npos) << schedule;
  }
}

// b waits for a lock that c holds: c is let go on, as far as it has to.
TEST(SearchWindow, OthersRunWhenNeitherOfTheTwoCan) {
  const Step lock{OperationKind::mutex_lock, 2};
  const Step unlock{OperationKind::mutex_unlock, 2};
  const Tasks tasks = {{kCall, lock, kWrite, unlock, kReturn}, {kCall, lock, kWrite, unlock, kReturn}, {lock, unlock}};
  const WindowSearch search = explore_window(tasks, {2});
  EXPECT_TRUE(search.complete);
  EXPECT_EQ(search.progress.classes, 2U);
}

TEST(SearchWindow, AWayThatDoesNotLeadThereIsNotComplete) {
  const Step lock{OperationKind::mutex_lock, 2};
  const Tasks tasks = {{lock, kCall, kReturn}, {lock, kCall, kReturn}};
  const WindowSearch search = explore_window(tasks, {0, 1});
  EXPECT_FALSE(search.complete);
  EXPECT_EQ(search.schedules.size(), 1U);
}

// A lock that prefers writers, read twice at a time by one task. If a writer queues between the two reads, no task can
// continue.
TEST(Dpor, AReaderBeforeAWholeQueueOfWriters) {
  const Step read{OperationKind::rwlock_read_lock, 40};
  const Step queue{OperationKind::rwlock_queue_writer, 40};
  const Step write{OperationKind::rwlock_write_lock, 40};
  const Step unlock{OperationKind::rwlock_unlock, 40};
  const Tasks tasks = {{queue, write, unlock}, {queue, write, unlock}, {read, read, unlock, unlock}};
  const Search search = explore("dpor", tasks);
  EXPECT_TRUE(search.complete);
  // Both writers before the reader, both after, one on each side: 2 each. One before and the other between: 2. None
  // before, stuck in between: 1.
  EXPECT_EQ(search.progress.explored, 9U);
  EXPECT_EQ(explore("dfs", tasks).progress.classes, 9U);
  EXPECT_EQ(search.progress.redundant, 0U);
  // Here the second read has to be moved before both of a queue at once: before either alone it is impossible.
  const Tasks stuck = {{queue, write, unlock, queue, write, unlock},
                       {read, kWrite, read, unlock, unlock},
                       {kWrite, queue, write, unlock}};
  EXPECT_EQ(explore("dpor", stuck).progress.explored, explore("dfs", stuck).progress.classes);
}

// An event of a race test stays notified. Only schedules in the order that it forces are left.
TEST(Dpor, AWaitComesAfterItsNotify) {
  const Step wait{OperationKind::sync_wait, 50};
  const Step notify{OperationKind::sync_notify, 50};
  const auto orders = [](const Tasks& tasks) {
    const Search search = explore("dpor", tasks);
    EXPECT_EQ(search.progress.redundant, 0U) << text_of(tasks);
    EXPECT_EQ(search.progress.explored, explore("dfs", tasks).progress.classes) << text_of(tasks);
    return search.progress.explored;
  };
  EXPECT_EQ(orders({{kWrite, notify}, {wait, kWrite}}), 1U);
  EXPECT_EQ(orders({{notify}, {wait}, {wait}, {wait}}), 1U) << "waits do not notice each other";
  EXPECT_EQ(orders({{notify}, {notify}, {wait}}), 3U) << "behind either alone, and behind both";
  EXPECT_EQ(orders({{wait}, {wait, kWrite}}), 1U) << "nobody continues";
}

enum class Blocking : std::uint8_t { none, every, preferring, events };

// A read-write lock that prefers writers, taken to read or to write, sometimes to read once more inside.
void push_section_of_preferring_lock(Random& random, const Step& access, std::vector<Step>& task) {
  const bool writes = random.below(2) == 0;
  const bool again = !writes && random.below(3) == 0;
  if (writes) task.push_back({OperationKind::rwlock_queue_writer, 40});
  task.push_back({writes ? OperationKind::rwlock_write_lock : OperationKind::rwlock_read_lock, 40});
  if (random.below(3) == 0) task.push_back(access);
  if (again) task.push_back({OperationKind::rwlock_read_lock, 40});
  if (again) task.push_back({OperationKind::rwlock_unlock, 40});
  task.push_back({OperationKind::rwlock_unlock, 40});
}

Tasks random_tasks(Random& random, Blocking blocking) {
  Tasks tasks(2 + random.below(2));
  for (auto& task : tasks) {
    const std::uint32_t length = 1 + random.below(3);
    for (std::uint32_t i = 0; i < length; ++i) {
      const std::uint64_t object = 1 + random.below(2);
      const Step access{random.below(2) == 0 ? OperationKind::read : OperationKind::write, 1 + random.below(2)};
      if (blocking == Blocking::preferring && random.below(3) != 0) {
        push_section_of_preferring_lock(random, access, task);
        continue;
      }
      if (blocking == Blocking::events && random.below(2) == 0) {
        task.push_back({random.below(2) == 0 ? OperationKind::sync_wait : OperationKind::sync_notify, 50 + object});
        continue;
      }
      switch (blocking == Blocking::every ? random.below(6) : 0) {
        default:
          task.push_back(access);
          break;
        case 1:
          task.push_back({OperationKind::mutex_lock, 10 + object});
          if (random.below(2) == 0) task.push_back(access);
          task.push_back({OperationKind::mutex_unlock, 10 + object});
          break;
        case 2:
          task.push_back({OperationKind::mutex_lock, 10 + object});
          task.push_back({OperationKind::mutex_lock, 13 - object});
          task.push_back({OperationKind::mutex_unlock, 13 - object});
          task.push_back({OperationKind::mutex_unlock, 10 + object});
          break;
        case 3:
          task.push_back({random.below(2) == 0 ? OperationKind::semaphore_wait : OperationKind::semaphore_post, 20});
          break;
        case 4:
          task.push_back({OperationKind::mutex_try_lock, 10 + object});
          task.push_back({OperationKind::mutex_unlock, 10 + object});
          break;
        case 5:
          task.push_back(
              {random.below(3) == 0 ? OperationKind::rwlock_write_lock : OperationKind::rwlock_read_lock, 30});
          if (random.below(2) == 0) task.push_back(access);
          task.push_back({OperationKind::rwlock_unlock, 30});
          break;
      }
    }
  }
  return tasks;
}

void compare(std::uint64_t seed, Blocking blocking, int programs) {
  Random random(seed);
  std::uint64_t classes = 0;
  std::uint64_t schedules = 0;
  for (int i = 0; i < programs; ++i) {
    const Tasks tasks = random_tasks(random, blocking);
    const Search every = explore("dfs", tasks, 5'000);
    if (!every.complete) continue;
    const Search search = explore("dpor", tasks);
    ASSERT_TRUE(search.complete) << text_of(tasks);
    ASSERT_EQ(search.progress.explored, every.progress.classes) << text_of(tasks);
    ASSERT_EQ(search.progress.redundant, 0U) << text_of(tasks);
    classes += search.progress.explored;
    schedules += every.progress.explored;
  }
  EXPECT_GT(schedules, 3 * classes) << "the programs are too small to tell";
}

TEST(Dpor, AsManyAsThereAreOrders) { compare(1, Blocking::none, 200); }
TEST(Dpor, AsManyAsThereAreOrdersWithBlocking) { compare(2, Blocking::every, 150); }
TEST(Dpor, AsManyAsThereAreOrdersWithQueuesOfWriters) { compare(3, Blocking::preferring, 60); }
TEST(Dpor, AsManyAsThereAreOrdersWithEventsOfRaceTests) { compare(4, Blocking::events, 150); }

TEST(Dpor, EstimatesWhatRemains) {
  const Tasks tasks = {{kWrite, kWrite}, {kWrite, kWrite}, {kWrite, kWrite}};  // 6! / 2!^3 = 90
  const auto planner = make_planner("dpor", 1);
  SearchProgress progress;
  for (std::uint64_t execution = 0; execution < 45; ++execution) {
    Machine(tasks).run(planner->next(execution), *planner);
  }
  ASSERT_TRUE(planner->progress(progress));
  EXPECT_EQ(progress.explored, 45U);
  EXPECT_GT(progress.estimate, 50);
  EXPECT_LT(progress.estimate, 300);
}

// New scheduling points: what was explored before does not count.
TEST(Exhaustive, BeginsAgainWithNewPoints) {
  for (const char* strategy : {"dfs", "dpor"}) {
    const Tasks tasks = {{kWrite}, {kWrite}};
    const auto planner = make_planner(strategy, 1);
    Machine(tasks).run(planner->next(0), *planner);
    ExecutionSummary summary;
    summary.outcome = Outcome::ended;
    ExecutionView view{summary};
    view.new_sites = 1;
    planner->learn(planner->next(1), view);
    SearchProgress progress;
    planner->progress(progress);
    EXPECT_EQ(progress.explored, 0U);
    std::uint64_t execution = 2;
    for (; !planner->finished(); ++execution) Machine(tasks).run(planner->next(execution), *planner);
    planner->progress(progress);
    EXPECT_EQ(progress.explored, 2U) << strategy;
    EXPECT_TRUE(planner->complete());
  }
}

TEST(Exhaustive, AnExecutionThatWasCutIsNotComplete) {
  for (const char* strategy : {"dfs", "dpor"}) {
    const auto planner = make_planner(strategy, 1);
    ExecutionSummary summary;
    summary.outcome = Outcome::cut;
    planner->learn(planner->next(0), ExecutionView{summary});
    EXPECT_TRUE(planner->finished());
    EXPECT_FALSE(planner->complete());
  }
}

}  // namespace
}  // namespace ravel
