// SPDX-License-Identifier: Apache-2.0
// KernelObjects: what the program has open at the fork point that is no file: pipes, event counters, timers, signal
// descriptors, epoll sets. Forked executions would share them with the fork server and with each other, so each
// execution makes its own, in the same state and under the same descriptors. What cannot be made again (a socket, a
// pipe with something in it, a pipe whose other end is elsewhere) must be told apart: such a program is started again
// for each execution.
//
// Who calls it: the fork server. Thread safety: none; one thread of each process.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ravel {

class KernelObjects {
 public:
  // At the fork point: looks at the descriptors that `is_programs(descriptor)` names. False: one of them cannot be made
  // again.
  template <typename IsPrograms>
  bool remember(IsPrograms is_programs) {
    for (int descriptor = 0; descriptor < kDescriptors; ++descriptor) {
      if (is_programs(descriptor) && !add(descriptor)) return false;
    }
    return pipes_are_whole();
  }
  bool any() const { return count_ > 0; }

  // In an execution, before it begins. False: the system refuses.
  bool make_again() const;

 private:
  static constexpr int kDescriptors = 1024;
  static constexpr std::size_t kMost = 128;
  static constexpr std::size_t kMostMembers = 256;

  enum class Kind : std::uint8_t { pipe_read, pipe_write, counter, timer, signals, set };
  struct Object {
    int descriptor;
    int same_as;  // the first descriptor with the same open object; of a pipe, the first one of this end
    int flags;    // O_NONBLOCK
    bool closes_on_exec;
    bool counts_down;  // counter: a semaphore
    Kind kind;
    std::uint64_t value;  // counter: its value; signals: their mask; pipe: its inode
    int clock;            // timer
    long capacity;        // pipe
  };
  struct Member {
    int set;
    int descriptor;
    std::uint32_t events;
    std::uint64_t data;
  };

  bool add(int descriptor);
  bool read_pipe(Object& object) const;
  bool read_state(Object& object, const char* text);
  bool add_members(int set, const char* text);
  bool pipes_are_whole() const;
  bool make(const Object& object) const;
  bool make_pipe(const Object& reader) const;

  Object objects_[kMost] = {};
  std::size_t count_ = 0;
  Member members_[kMostMembers] = {};
  std::size_t member_count_ = 0;
};

}  // namespace ravel
