// SPDX-License-Identifier: Apache-2.0
// Script: tasks as small scripts, run by the real scheduler in the order that the test says. No choice is left to the
// system: no sleeps, no luck, and no OS thread runs but the test's own. A test is one text:
//
//   play(R"(
//     A: lock m, unlock m        what each task does; a name in lower case is a routine, for others to call
//     B: lock m
//     --
//     A lock m = 0    | A        what then happens: who makes a step, what it comes to, who could make the next one
//     A unlock m = 0  | A B      ("|" and what follows may be left out)
//     B lock m = 0    | A B
//   )");
//
// The rows below the line are both the schedule and the expectation. Rows do not begin with T0, which creates the tasks
// and waits for their end. Each task is brought to its first operation before the first row, unless a row "A starts"
// says when. The script ends behind the last row; a row "..." lets it run to its end untold.
//
//   A wait c m ...               the call goes on in a later step: "A ...", and at last "A ... wait c m = 0"
//   A(spurious) wait c m ...     what the environment does in this step: spurious, timeout, short, weak, 2nd (waiter)
//   at 5ms                       virtual time has passed
//   deadlock: A lock m held by B a finding; "lock-misuse by A: ..." when it has a message
//   A cannot run                 the row is not possible; the script ends
//
// Lines above the rows that are no task declare something: "plan spin=1", "launch heap", and what the vocabulary knows.
// Commands of every vocabulary: `set x 1` and `while x 0 COMMAND` for variables nobody watches, `repeat 3 COMMAND`, and
// `call ROUTINE`.
//
// Each script runs in a forked child, as each execution does: it may end the process, and leaves nothing behind.
#pragma once

#include <cstdint>
#include <map>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/scheduler/scheduler.h"

namespace ravel::test {

using Words = std::vector<std::string>;

// What the operations of a layer are called in scripts. Everything is called in the process that runs the script.
struct Vocabulary {
  // A command, by the current task, cut into words. Returns what stands behind "=" in the row; "" for nothing.
  using Verb = std::string (*)(const Words& command);
  std::map<std::string, Verb> verbs;

  // A new task, by the current one.
  using Create = Task* (*)(void* (*body)(void*), void* argument);
  Create create = nullptr;

  // Before the scheduler starts; the channel has its launch options. May be null.
  SchedulerHooks (*hooks)(Channel&) = nullptr;

  // A line that declares something, cut into words. False: not understood. May be null.
  bool (*declare)(const Words& line) = nullptr;
};

// For vocabularies.
// ---------------------------------------------------------------------------

// What findings call the memory at this address.
void name_object(std::string_view name, const volatile void* address, std::size_t size);

// The call site of the command that runs: another one for each command of the script.
std::uint64_t here();

// A task that waits for this command ("create B") to be created.
Task& create_task(const std::string& name, Vocabulary::Create create);
Task& task_named(const std::string& name);

// Performs the commands of a routine on the current task.
void perform_routine(const std::string& name);

// The command that runs does not come back (exit, throw): shows it without an answer.
void leave_command();

std::uint32_t to_number(const std::string& text);
// "5ms" in nanoseconds, and back.
std::uint64_t to_time(const std::string& text);
std::string time_text(std::uint64_t nanoseconds);

[[noreturn]] void misspelt(std::string_view text);
// ---------------------------------------------------------------------------

// One run of a script, made and compared with its rows by the constructor.
class Script {
 public:
  Script(const Vocabulary& vocabulary, std::string_view text, std::vector<DecisionRun> prefix = {},
         std::source_location where = std::source_location::current());
  ~Script();
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;

  // What the execution has left behind.
  const ExecutionResult& result() const { return channel_->result; }
  std::vector<DecisionRun> decisions() const;

 private:
  Channel* channel_ = nullptr;
};

}  // namespace ravel::test
