// SPDX-License-Identifier: Apache-2.0
// Process: a process that the driver started, and the one way to start it. A ProcessOrder says what to start and how.
//
// Who calls it: Target, the debugger, the compiler wrappers, builds that are watched. Whatever is simply run to its end
// goes through run_process.h. Thread safety: one thread owns a Process; any number of threads may start processes at
// the same time.
//
// Invariants:
//  1. Of the driver's descriptors, a process gets only those of its order: the driver marks all others close-on-exec.
//     What the user's shell left open is inherited.
//  2. Destroying a Process leaves nothing running: it is killed, with its group if it has one, and waited for.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "driver/process/file_descriptor.h"

namespace ravel {

enum class AddressLayout : std::uint8_t {
  random,
  fixed,             // the same in every run; an error where the system does not allow it
  fixed_if_allowed,  // fixed, or random where the system does not allow it
};

struct ProcessOrder {
  struct Descriptor {
    int ours = -1;
    int theirs = -1;
  };

  ProcessOrder() = default;
  explicit ProcessOrder(std::vector<std::string> arguments) : words(std::move(arguments)) {}

  std::vector<std::string> words;        // argv
  std::string file;                      // the program; empty: words[0], looked up in PATH
  std::vector<std::string> environment;  // "NAME=value", replacing the driver's entry of that name
  std::string directory;                 // where it starts; empty: the current directory
  std::vector<Descriptor> descriptors;   // the driver's descriptors that it gets, and their numbers there
  std::optional<cpu_set_t> processors;   // nullopt: those of the calling thread
  AddressLayout addresses = AddressLayout::random;
  bool own_group = false;         // it can be killed with everything it started; Ctrl-C does not reach it
  bool dies_with_thread = false;  // the kernel kills it when the thread that started it ends, however that happens
  bool core_files = true;
  bool default_signals = false;  // SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGPIPE end it, whatever they do to the driver

  // For the message when it cannot be started.
  std::string name;  // "the compiler g++"; empty: the program
  std::string advice = "check that it is installed, and the limits of this shell (ulimit -a)";
};

class Process {
 public:
  Process() = default;  // none
  static Result<Process> start(const ProcessOrder& order);
  ~Process() { kill(); }
  Process(Process&& other) noexcept { *this = std::move(other); }
  Process& operator=(Process&& other) noexcept;

  pid_t pid() const { return pid_; }             // -1: none, or it has been waited for
  int ended_fd() const { return ended_.get(); }  // readable once it has ended (a pidfd)

  // Has it ended? Does not block. If so, kills what it left behind in its group.
  bool has_ended();
  // Waits for its end, however long that takes. Returns wait_status().
  int wait();
  void kill();

  // As waitpid reports it, once it has ended.
  int wait_status() const { return wait_status_; }

 private:
  void take_end();

  pid_t pid_ = -1;
  FileDescriptor ended_;
  bool own_group_ = false;
  int wait_status_ = 0;
};

// Replaces this process with the ordered one (exec). Returns only when that fails.
Status become_process(const ProcessOrder& order);

// Why there is no process: the error that start() and become_process() return.
Status cannot_start(const ProcessOrder& order, int error);

// The exit code as a shell reports it: 128 plus the signal for a process that died of one.
int exit_code(int wait_status);

}  // namespace ravel
