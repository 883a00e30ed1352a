// SPDX-License-Identifier: Apache-2.0
// Residence: a child of the fork server that performs one execution after the other. At the end of an execution it puts
// its memory back (Snapshot) and continues from the fork point, as if it had just been forked.
//
// What the kernel keeps of a process cannot be put back: open files, mappings, signal dispositions, children. An
// execution that changes such a thing ends its process as any execution does, and the server forks another child.
// Changes are told by the functions that make them (cannot_be_put_back), or noticed at the end, when they were made
// inside libc.
//
// Who calls it: the fork server (the second part); functions of the program that change what cannot be put back (the
// first). Thread safety: none; on the fiber carrier the process has one thread.
//
// Invariants:
//  1. The object, the control stack and the contents of pages lie at an address of their own, far from where the
//  program
//     gets memory: the program's addresses are the same with and without residence.
//  2. The fork server runs on the control stack and does nothing but wait while it has a resident child, so its memory
//     is that of the child when it was forked.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <cstdint>

#include "runtime/fibers/stack_switch.h"
#include "runtime/resident/snapshot.h"

namespace ravel {

class Residence;

namespace internal {
extern constinit Residence* g_residence;  // null where there is no fork server
}

class Residence {
 public:
  using AfterExecution = void (*)(int exit_code);  // on the control stack; does not return

  // In the fork server, once.
  static Residence& prepare();

  // In the fork server: calls server(argument), which never returns, on the control stack. Returns in each execution.
  void leave_program(void (*server)(void*), void* argument);

  // In a child, on the control stack: its memory is put back to what it is now from now on. `image`: the fork server.
  // `shared`: the memory that is shared with the driver. False: it cannot be; the child performs one execution.
  bool settle(pid_t image, const PageRange& shared, AfterExecution after);

  // In a child, on the control stack: performs an execution.
  [[noreturn]] void begin();

  // At the end of an execution: is the rest of the process as it was, so that the memory can be put back?
  bool can_stay();
  // False: it could not, or the execution took more processor time than this, in nanoseconds: the process must end.
  bool put_back(std::uint64_t most_time) { return snapshot_.restore(most_time); }
  // What was written since the memory was put back stays.
  bool keep() { return snapshot_.keep(); }
  std::uint64_t pages() const { return snapshot_.last_pages(); }

  std::uint32_t begun() const { return begun_; }  // executions, since it settled
  pid_t process() const { return process_; }
  // Processor time that this process had used when its last execution ended, in nanoseconds.
  std::uint64_t time() const { return snapshot_.time(); }

  bool settled() const { return settled_; }
  void give_up() { settled_ = false; }
  void check_mappings() { mappings_may_differ_ = true; }
  [[noreturn]] void end_execution(int exit_code);

 private:
  static constexpr int kMostDescriptors = 64;
  static constexpr int kLowestDescriptor = 710;  // above those of the channel

  struct Descriptor {
    int number;
    int copy;  // leads to the same open file
  };

  bool remember_descriptors();
  bool same_descriptors() const;
  bool same_open_file(const Descriptor& one) const;

  bool settled_ = false;
  bool mappings_may_differ_ = false;
  std::uint32_t begun_ = 0;
  LeftStack program_;
  AfterExecution after_ = nullptr;
  int exit_code_ = 0;
  std::uint64_t signal_mask_ = 0;
  std::uint64_t pending_ = 0;
  stack_t signal_stack_ = {};
  pid_t process_ = 0;
  int descriptor_list_ = -1;  // /proc/self/fd
  long descriptor_count_ = 0;
  int remembered_ = 0;
  Descriptor descriptor_[kMostDescriptors] = {};
  Snapshot snapshot_;
};

// The current execution changes something of the process that is not memory and not undone by itself.
inline void cannot_be_put_back() {
  if (internal::g_residence != nullptr) internal::g_residence->give_up();
}

// It may have replaced one mapping by another.
inline void mappings_may_differ() {
  if (internal::g_residence != nullptr) internal::g_residence->check_mappings();
}

inline bool is_resident() { return internal::g_residence != nullptr && internal::g_residence->settled(); }

// Ends the execution at once, with what _exit would have been given.
[[noreturn]] void end_execution(int exit_code);

}  // namespace ravel
