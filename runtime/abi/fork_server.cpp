// SPDX-License-Identifier: Apache-2.0
#include "runtime/abi/fork_server.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "base/raw_syscall.h"
#include "runtime/fibers/real_threads.h"
#include "runtime/files/open_files.h"
#include "runtime/interpose/explored_body.h"
#include "runtime/interpose/file_changes.h"
#include "runtime/interpose/fork_safety.h"
#include "runtime/interpose/memory_operations.h"
#include "runtime/interpose/processors.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/resident/residence.h"
#include "runtime/scheduler/scheduler.h"
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
  const auto fork = real()._Fork;
  RAVEL_CHECK(fork != nullptr, "this libc has no _Fork (glibc 2.34 or newer is needed)");
  for (int attempt = 0; attempt < 100; ++attempt) {
    const pid_t pid = fork();
    if (pid >= 0) return pid;
    timespec pause{0, 10'000'000};  // the system is short of processes, which may pass
    raw_syscall(SYS_nanosleep, reinterpret_cast<long>(&pause), 0);
  }
  RAVEL_CHECK(false, "the system refuses to fork another execution");
  return -1;
}

// Set before the first fork. Executions and the server read it; it is part of the memory that executions put back.
struct Server {
  Channel* channel = nullptr;
  Carrier* carrier = nullptr;
  OpenFiles* files = nullptr;
  Residence* residence = nullptr;
  int control_socket = -1;
  pid_t pid = 0;
  const KernelObjects* objects = nullptr;  // null: there are none
  bool executions_have_files = false;
  std::uint64_t signal_mask = 0;  // of the program, where executions begin
};
constinit Server g_server;

void futex_wait(std::uint32_t& word, std::uint32_t while_it_is) {
  raw_syscall(SYS_futex, reinterpret_cast<long>(&word), FUTEX_WAIT, static_cast<long>(while_it_is), 0);
}

void futex_wake(std::uint32_t& word) { raw_syscall(SYS_futex, reinterpret_cast<long>(&word), FUTEX_WAKE, 1); }

std::uint32_t load(const std::uint32_t& word) { return __atomic_load_n(&word, __ATOMIC_SEQ_CST); }
void store(std::uint32_t& word, std::uint32_t value) { __atomic_store_n(&word, value, __ATOMIC_SEQ_CST); }

// 0 in the child, which is on the control stack too.
pid_t fork_child() {
  const pid_t pid = fork_execution();
  if (pid != 0) {
    raw_syscall(SYS_prctl, PR_SET_PTRACER, pid);  // where only parents may read the memory of children, let it, too
    return pid;
  }
  set_signal_mask(g_server.signal_mask);
  raw_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  if (raw_syscall(SYS_getppid) != g_server.pid) raw_exit(0);  // the server died before the line above
  raw_syscall(SYS_setpgid, 0, 0);  // so that what the execution leaves behind can be ended with it
  if (g_server.objects != nullptr) {
    RAVEL_CHECK(g_server.objects->make_again(), "the system refuses to make the descriptors of an execution");
  }
  g_server.carrier->after_fork();
  return 0;
}

// The execution that was begun last has ended, and its result is complete.
void tell_driver() {
  Launch& launch = g_server.channel->launch;
  const std::uint32_t number = load(launch.begun);
  store(launch.ended, number);  // before it is looked where the driver waits: the driver does it the other way round
  if (load(launch.awaited_at_socket) == number) {
    send(g_server.control_socket, Message::done);
  } else {
    futex_wake(launch.ended);
  }
}

// A child that performs one execution: the n-th.
[[noreturn]] void perform(std::uint32_t number) {
  Channel& channel = *g_server.channel;
  raw_syscall(SYS_close, g_server.control_socket);
  if (g_server.executions_have_files) files_after_fork(*g_server.files);
  for (;;) {
    const std::uint32_t begun = load(channel.launch.begun);
    if (begun == number) break;
    futex_wait(channel.launch.begun, begun);
  }
  if (g_server.executions_have_files) begin_files(*g_server.files);
  learn_known_sites(channel);  // what was learned since this child was forked
  g_server.residence->begin();
}

// Executions of which each uses this much processor time, in nanoseconds, are not worth a resident child: a fork costs
// a twentieth of that, and a comparison with a fork as much again.
constexpr std::uint64_t kLongExecution = 10'000'000;

// In a resident child: performs what was ordered.
[[noreturn]] void perform_next() {
  Channel& channel = *g_server.channel;
  channel.result.child_pid = g_server.residence->process();
  channel.result.earlier = g_server.residence->begun();
  channel.result.time_before = g_server.residence->time();
  store(channel.launch.begun, load(channel.launch.ordered));
  g_server.residence->begin();
}

// In a resident child: the execution is over.
void after_execution(int exit_code) {
  Channel& channel = *g_server.channel;
  Residence& residence = *g_server.residence;
  if (!residence.can_stay()) raw_exit(exit_code);
  const std::uint32_t sites = channel.request.sites_known;  // in the memory that is put back
  channel.result.wait_status = (exit_code & 0xff) << 8;
  store(channel.launch.resident, 1);
  tell_driver();
  // From here on this process owes nobody anything. If it ends, the server performs the next execution.
  if (!residence.put_back(kLongExecution)) raw_exit(0);
  const std::uint32_t begun = load(channel.launch.begun);
  while (load(channel.launch.ordered) == begun) futex_wait(channel.launch.ordered, begun);
  if (channel.request.fresh != 0 || channel.launch.options.resident == 0) raw_exit(0);
  if (channel.request.sites_known < sites) raw_exit(0);
  g_server.files->restore();
  learn_known_sites(channel);
  if (channel.request.sites_known > sites && !residence.keep()) raw_exit(0);
  perform_next();
}

// A child that performs one execution after the other, the first one at once.
[[noreturn]] void settle() {
  Channel& channel = *g_server.channel;
  const auto memory = reinterpret_cast<std::uint64_t>(&channel);
  const bool stays = g_server.residence->settle(g_server.pid, {memory, memory + sizeof(Channel)}, &after_execution);
  channel.launch.residence = stays ? ResidenceState::works : ResidenceState::refused;
  if (!stays) raw_syscall(SYS_close, g_server.control_socket);
  perform_next();
}

// Until the driver orders an execution. When it dies, its end of the socket closes: then we die too.
void wait_for_order() {
  const Launch& launch = g_server.channel->launch;
  while (load(launch.ordered) == load(launch.begun)) wait_for_execute(g_server.control_socket);
}

void prepare_execution() {
  learn_known_sites(*g_server.channel);
  g_server.files->restore();
}

int wait_for_end(pid_t pid, rusage* used = nullptr) {
  int status = 0;
  while (raw_syscall(SYS_wait4, pid, reinterpret_cast<long>(&status), __WALL, reinterpret_cast<long>(used)) == -EINTR) {
  }
  raw_syscall(SYS_kill, -pid, SIGKILL);
  return status;
}

void tell_end(int status) {
  Channel& channel = *g_server.channel;
  channel.result.wait_status = status;
  channel.result.child_pid = 0;
  tell_driver();
}

// One child for each of the next `count` executions. The next one is forked while the one before it runs: forking costs
// more than most executions.
void serve_by_forks(std::uint64_t count) {
  Channel& channel = *g_server.channel;
  std::uint32_t number = load(channel.launch.begun) + 1;
  pid_t spare = fork_child();
  if (spare == 0) perform(number);
  for (;;) {
    wait_for_order();
    prepare_execution();
    const pid_t pid = spare;
    channel.result.child_pid = pid;
    store(channel.launch.begun, number++);
    futex_wake(channel.launch.begun);
    const bool last = --count == 0;
    if (!last) {
      spare = fork_child();
      if (spare == 0) perform(number);
    }
    tell_end(wait_for_end(pid));
    if (last) return;
  }
}

bool may_stay() {
  const Launch& launch = g_server.channel->launch;
  return launch.options.resident != 0 && launch.residence != ResidenceState::refused &&
         launch.options.carrier == CarrierKind::fiber && !g_server.executions_have_files && g_server.objects == nullptr;
}

// Resident children, as long as they stay for more than a few executions.
void serve_by_residents() {
  constexpr int kMostShortStays = 4;
  constexpr std::uint32_t kShortStay = 3;
  Channel& channel = *g_server.channel;
  for (int short_stays = 0; short_stays < kMostShortStays;) {
    wait_for_order();
    prepare_execution();
    const std::uint32_t before = load(channel.launch.begun);
    const pid_t pid = fork_child();
    if (pid == 0) settle();
    rusage used{};
    const int status = wait_for_end(pid, &used);
    store(channel.launch.resident, 0);  // before it is looked for an order: the driver does it the other way round
    const std::uint32_t begun = load(channel.launch.begun);
    if (begun != load(channel.launch.ended)) tell_end(status);
    const bool only_long = begun - before <= 1 && processor_time(used) > kLongExecution;
    if (!may_stay() || only_long) return;
    const bool asked_to_go = load(channel.launch.ordered) != begun && channel.request.fresh != 0;
    short_stays = begun - before <= kShortStay && !asked_to_go ? short_stays + 1 : 0;
  }
}

// On the control stack.
void serve(void*) {
  constexpr std::uint64_t kMostForks = 1U << 16;
  // Executions end as children of this process: none of that is for a handler of the program.
  set_signal_mask(g_server.signal_mask | std::uint64_t{1} << (SIGCHLD - 1));
  for (std::uint64_t forks = 128;; forks = forks < kMostForks ? forks * 2 : kMostForks) {
    if (may_stay()) serve_by_residents();
    serve_by_forks(may_stay() ? forks : ~std::uint64_t{0});
  }
}

// The kernel lets the stack of main grow by itself. It is to do so now: the size of a mapping is part of what must be
// the same after each execution. `low`: where the stack must end.
__attribute__((noinline)) void grow_stack(std::uint64_t low) {
  constexpr std::size_t kRoom = std::size_t{256} << 10;
  const auto here = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
  if (here < low || here - low < 4 * kRoom) return;
  __asm__ volatile("movb $0, (%0)" : : "r"(here - kRoom) : "memory");
}

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
  static constinit KernelObjects objects;
  const bool single = channel.launch.options.single != 0 || thread_count() > 1 || fork_would_share_state(objects);
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
  files.give_up_locks();
  channel.launch.begun = 0;
  grow_stack(scheduler().current().context->stack_low);
  g_server = {&channel,
              &carrier,
              &files,
              &Residence::prepare(),
              control_socket,
              static_cast<pid_t>(raw_syscall(SYS_getpid)),
              objects.any() ? &objects : nullptr,
              executions_have_files(files),
              signal_mask()};
  g_server.residence->leave_program(&serve, nullptr);
}

}  // namespace ravel
