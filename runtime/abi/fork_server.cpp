// SPDX-License-Identifier: Apache-2.0
#include "runtime/abi/fork_server.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "base/raw_syscall.h"
#include "runtime/files/open_files.h"
#include "runtime/interpose/explored_body.h"
#include "runtime/interpose/file_changes.h"
#include "runtime/interpose/fork_safety.h"
#include "runtime/interpose/memory_operations.h"
#include "runtime/interpose/processors.h"
#include "runtime/scheduler/stack_capture.h"

namespace ravel {
namespace {

void send(int socket, Message message) {
  const auto byte = static_cast<std::uint8_t>(message);
  while (raw_syscall(SYS_write, socket, reinterpret_cast<long>(&byte), 1) == -EINTR) {
  }
}

// Waits for a message from the driver. When the driver dies, its end of the socket closes: then we die too.
void wait_for_execute(int socket) {
  std::uint8_t byte = 0;
  for (;;) {
    const long length = raw_syscall(SYS_read, socket, reinterpret_cast<long>(&byte), 1);
    if (length == -EINTR) continue;
    if (length != 1) raw_exit(0);
    if (byte == static_cast<std::uint8_t>(Message::execute)) return;
  }
}

// fork() proper would let libc give the donors' stacks back: it knows that their threads are gone. _Fork does not.
pid_t fork_execution() {
  using Fork = pid_t (*)();
  static constinit Fork real = nullptr;
  if (real == nullptr) real = reinterpret_cast<Fork>(dlsym(RTLD_NEXT, "_Fork"));
  RAVEL_CHECK(real != nullptr, "this libc has no _Fork (glibc 2.34 or newer is needed)");
  for (int attempt = 0; attempt < 100; ++attempt) {
    const pid_t pid = real();
    if (pid >= 0) return pid;
    timespec pause{0, 10'000'000};  // the system is short of processes, which may pass
    raw_syscall(SYS_nanosleep, reinterpret_cast<long>(&pause), 0);
  }
  RAVEL_CHECK(false, "the system refuses to fork another execution");
  return -1;
}

// The child that waits for the next execution.
class Spare {
 public:
  Spare(Channel& channel, Carrier& carrier, OpenFiles& files, int control_socket)
      : channel_(channel),
        carrier_(carrier),
        files_(files),
        control_socket_(control_socket),
        have_files_(executions_have_files(files)) {
    channel.launch.begun = 0;
  }

  // True in the server; false in the child, when its execution begins.
  bool fork() {
    ++number_;
    const auto server = static_cast<pid_t>(raw_syscall(SYS_getpid));
    pid_ = fork_execution();
    if (pid_ != 0) return true;
    raw_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
    if (raw_syscall(SYS_getppid) != server) raw_exit(0);  // the server died before the line above
    raw_syscall(SYS_setpgid, 0, 0);  // so that what the execution leaves behind can be ended with it
    raw_syscall(SYS_close, control_socket_);
    carrier_.after_fork();
    if (have_files_) files_after_fork(files_);
    for (;;) {
      const std::uint32_t begun = __atomic_load_n(&channel_.launch.begun, __ATOMIC_ACQUIRE);
      if (begun == number_) break;
      raw_syscall(SYS_futex, reinterpret_cast<long>(&channel_.launch.begun), FUTEX_WAIT, static_cast<long>(begun), 0);
    }
    if (have_files_) begin_files(files_);
    learn_known_sites(channel_);  // what was learned since this child was forked
    return false;
  }

  // Lets the execution begin; returns its process.
  pid_t release() {
    channel_.result.child_pid = pid_;
    __atomic_store_n(&channel_.launch.begun, number_, __ATOMIC_RELEASE);
    raw_syscall(SYS_futex, reinterpret_cast<long>(&channel_.launch.begun), FUTEX_WAKE, 1);
    return pid_;
  }

 private:
  Channel& channel_;
  Carrier& carrier_;
  OpenFiles& files_;
  int control_socket_;
  bool have_files_;
  std::uint32_t number_ = 0;
  pid_t pid_ = 0;
};

}  // namespace

void serve_free_run(Channel& channel, int control_socket) {
  channel.launch.server_pid = static_cast<std::int32_t>(raw_syscall(SYS_getpid));
  channel.result.child_pid = channel.launch.server_pid;
  channel.launch.forked = 0;
  send(control_socket, Message::ready);
  wait_for_execute(control_socket);
}

void serve_executions(Channel& channel, int control_socket, Carrier& carrier) {
  warm_up_stack_capture();
  // Donors do not exist yet, so more than one thread means foreign ones.
  const bool single = channel.launch.options.single != 0 || thread_count() > 1 || fork_would_share_state();
  prepare_files_for_tasks(single);  // before the carrier's threads
  carrier.prepare(channel.launch.options.identities);
  channel.launch.server_pid = static_cast<std::int32_t>(raw_syscall(SYS_getpid));
  channel.launch.forked = single ? 0 : 1;
  static constinit OpenFiles files;  // too large for the stack of whoever creates the first task
  files.remember();
  send(control_socket, Message::ready);
  if (single) {
    wait_for_execute(control_socket);
    learn_known_sites(channel);
    channel.result.child_pid = channel.launch.server_pid;
    return;
  }
  if (channel.launch.options.processor != 0) keep_on_processor(channel.launch.options.processor - 1);
  // The next child is forked while the one before it runs: forking costs more than most executions.
  files.give_up_locks();
  Spare spare{channel, carrier, files, control_socket};
  if (!spare.fork()) return;
  for (;;) {
    wait_for_execute(control_socket);
    learn_known_sites(channel);
    files.restore();
    const pid_t pid = spare.release();
    if (!spare.fork()) return;
    int status = 0;
    while (raw_syscall(SYS_wait4, pid, reinterpret_cast<long>(&status), __WALL, 0) == -EINTR) {
    }
    raw_syscall(SYS_kill, -pid, SIGKILL);
    channel.result.wait_status = status;
    channel.result.child_pid = 0;
    send(control_socket, Message::done);
  }
}

}  // namespace ravel
