// SPDX-License-Identifier: Apache-2.0
// Script: a scheduler under test with tasks whose operations are written in the test. No OS threads, no sleeps, no
// seeds: the test says who makes the next step.
//
//   Script run({"A: lock m, unlock m", "B: lock m"});
//   run.step("A");                                   // A arrives at its first operation ...
//   EXPECT_EQ(run.enabled(), tasks("A", "B"));
//
// The test itself is T0, always enabled and left out of what enabled() says. step(X) lets X perform its pending
// operation and run to its next scheduling point.
#pragma once

#include <ucontext.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "runtime/scheduler/scheduler.h"

namespace ravel::test {

template <typename... Names>
std::set<std::string> tasks(Names... names) {
  return {names...};
}

// A mutex, a flag and a counter to script with.
struct ScriptObject {
  TaskId owner = kNoTask;
  std::uint64_t value = 0;
};

class Script {
 public:
  // "NAME: op object[=value], ..." with op one of lock, trylock, timedlock, unlock, read, write, spin, yield, sleep,
  // pick (an atomic load with =value stores to choose from).
  explicit Script(std::vector<std::string> lines);
  ~Script();

  void step(const std::string& name);
  std::set<std::string> enabled() const;
  bool ended(const std::string& name) const;
  ScriptObject& object(const std::string& name) { return *objects_[name]; }
  const Channel& channel() const { return *channel_; }

  // What each finished operation answered, e.g. "A lock m -> go".
  const std::vector<std::string>& log() const { return log_; }

  // What the strategy answers from now on when asked for a store.
  static void answer_stores(std::uint32_t store);

  // Runs the list of names as a strict replay from now on (before the first step).
  static void replay(const std::vector<DecisionRun>& decisions);

 private:
  struct Line {
    Script* script;
    std::string name;
    std::vector<std::pair<std::string, std::string>> operations;
  };
  static void* body(void* argument);
  void perform(const std::string& task, const std::string& verb, const std::string& argument);

  Channel* channel_ = nullptr;
  std::vector<std::unique_ptr<Line>> lines_;
  std::map<std::string, std::unique_ptr<ScriptObject>> objects_;
  std::map<std::string, TaskId> ids_;
  std::vector<std::string> log_;
};

}  // namespace ravel::test
