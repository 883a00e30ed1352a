// SPDX-License-Identifier: Apache-2.0
// Target: one running process of the program, as the driver sees it: start it, let it perform executions, survive
// whatever it does. trace/channel.h is the memory they share; docs/formats/channel.md describes the protocol.
//
// Who calls it: RunningProgram. Thread safety: a Target belongs to the thread that started it: the kernel kills the
// target when that thread ends (so that a dead driver leaves nothing behind).
//
// Invariants:
//  1. Every wait has a limit; no call here blocks longer than the settings' timeout plus kGrace, or four times that
//     while the machine does not let the execution run; a program that is stuck may take kAllAnswers to say where. When
//     the command's deadline comes, waits end at once.
//  2. Output of the target is drained in every wait, so the target never blocks on it.
//  3. After kill() and after destruction no process of the target's group is left.
//  4. Files that the target changed on the disk itself, because it could have no private view, are put back: after an
//     execution what that changed, after the end of the process all.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ravel/strategy.h>

#include "base/status.h"
#include "driver/process/deadline.h"
#include "driver/process/file_descriptor.h"
#include "driver/process/output_capture.h"
#include "driver/process/process.h"
#include "driver/target/file_backup.h"
#include "driver/target/shared_channel.h"
#include "driver/target/standard_input.h"
#include "model/launch.h"

namespace ravel {

struct TargetSettings {
  std::string executable;              // the file to start
  std::vector<std::string> arguments;  // argv; arguments[0] as the user typed it
  std::string directory;               // where to start it; empty: the current directory
  std::string runtime;                 // path of libravel.so
  LaunchOptions launch;
  std::chrono::nanoseconds timeout = std::chrono::seconds(10);  // for start-up, and for each execution
  std::optional<cpu_set_t> processors;                          // to start with; nullopt: the caller's
  const StandardInput* input = nullptr;                         // nullptr: empty input
  std::size_t output_head = OutputCapture::kHeadBytes;          // bytes of output kept from its beginning
  Deadline deadline;                                            // of the command: waits end when it comes
  std::vector<int> ok_exits;                                    // exit codes that are no failure, besides 0
};

// How the program reached its first task creation, or why it did not.
enum class Arrival : std::uint8_t {
  forks,     // it is a fork server there: any number of executions
  single,    // it cannot be forked there: this process performs one execution
  ended,     // the program ended without ever creating a task; wait_status() says how
  replaced,  // the program replaced itself (exec) before creating a task, and then ended
  too_slow,  // no task was created within the timeout; the target has been killed
  cut,       // the deadline came; the target has been killed
};

enum class ExecutionEnd : std::uint8_t {
  ended,        // the execution ended by itself; the channel says how
  timed_out,    // it was killed; the channel may contain a timeout record
  target_lost,  // the target process itself died or hangs; it has been killed
  cut,          // the deadline came; the target has been killed
};

// The descriptors of the channel in the target: far above the numbers a program gets for its own files.
constexpr int kChannelDescriptor = 700;
constexpr int kSocketDescriptor = 701;

// What the target's environment has in addition to ours, as "NAME=value". The runtime removes these variables before
// the program sees them.
std::vector<std::string> target_environment(const std::string& runtime);

class Target {
 public:
  // How long a process that was killed or asked something gets before the next, harder measure. Less would not do on a
  // busy machine.
  static constexpr std::chrono::milliseconds kGrace{2000};
  // All questions to a program that is stuck. One that hardly gets the processor answers fewer of them.
  static constexpr std::chrono::milliseconds kAllAnswers{10'000};

  // Starts the process and returns at once.
  static Result<std::unique_ptr<Target>> start(const TargetSettings& settings);
  ~Target();
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;

  // Once, before the first execution.
  Arrival wait_for_arrival();

  // True while execute() may be called.
  bool can_execute() const { return can_execute_; }
  bool forks() const { return forks_; }
  void set_deadline(const Deadline& deadline) { settings_.deadline = deadline; }

  // One execution. sites_known: how many entries of channel().request.site are valid for it. watch: what else it is to
  // keep. fresh: in a process that is forked for it; otherwise it may be one that performed others before.
  ExecutionEnd execute(const PlannedExecution& planned, std::uint32_t sites_known, const WatchRequest& watch = {},
                       bool fresh = false);

  // The one run of a target on CarrierKind::free: its threads run in parallel, nothing is decided. Fill in the sites
  // and their weights first. `look` is called with the process every kLookEvery during the run; if it returns true, the
  // run is ended at once as if by the time limit: timed_out.
  static constexpr std::chrono::milliseconds kLookEvery{20};
  using Look = std::function<bool(const Channel&, pid_t)>;
  ExecutionEnd run_freely(const NoisePlan& noise, std::uint32_t sites_known, const Look& look);

  // Of the last execution (or of the program, when it ended before its first task).
  int wait_status() const { return wait_status_; }
  bool is_ok_exit(int code) const;
  const OutputCapture& output() const { return output_; }
  Channel& channel() { return *channel_; }
  const LaunchOptions& launch() const { return settings_.launch; }

  void kill();

 private:
  enum class Event : std::uint8_t { message, gone, time_limit, cut };
  using Clock = std::chrono::steady_clock;

  Target(const TargetSettings& settings, SharedChannel channel)
      : settings_(settings), channel_(std::move(channel)), output_(settings.output_head) {}

  Status spawn();
  Event wait_for_message(Clock::time_point deadline);
  Event wait_for_end(Clock::time_point deadline);
  bool order_execution();
  bool has_ended();
  bool ends_soon(Clock::time_point deadline);
  std::chrono::milliseconds earlier_time();
  void drain_output();
  void put_files_back(BackupPhase phase);
  void ask_where_it_is_stuck(pid_t pid);
  bool reap(Clock::time_point deadline);
  void kill_group(pid_t group);
  pid_t running_pid();

  TargetSettings settings_;
  SharedChannel channel_;
  FileDescriptor socket_;
  FileDescriptor output_pipe_;
  Process process_;  // reveals the target's death even if a stray process keeps the socket open
  bool can_execute_ = false;
  bool forks_ = false;
  FileBackup backup_;
  bool needs_nudges_ = false;  // an execution ended only because it was nudged
  int wait_status_ = 0;
  OutputCapture output_;
};

}  // namespace ravel
