// SPDX-License-Identifier: Apache-2.0
#include "driver/process/process.h"

#include <fcntl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fmt/format.h>

#include "driver/process/environment.h"

namespace ravel {
namespace {

// A list that ends with a null pointer. It points into the strings.
std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// What can fail on the way from the driver to the program.
enum class Step : std::uint8_t { find, fork, fix_addresses, change_directory, give_descriptors, execute };

const std::string& name_of(const ProcessOrder& order) {
  if (!order.name.empty()) return order.name;
  return order.file.empty() ? order.words[0] : order.file;
}

// Empty: it is not in PATH.
std::string file_of(const ProcessOrder& order) {
  if (!order.file.empty()) return order.file;
  const bool is_path = order.words[0].find('/') != std::string::npos;
  return is_path ? order.words[0] : find_in_path(order.words[0]);
}

// What the child of vfork needs, prepared in advance: it shares our memory, so it may only make system calls.
struct Launch {
  explicit Launch(const ProcessOrder& ordered)
      : order(ordered), file(file_of(ordered)), words(ordered.words), variables(environment_with(ordered.environment)) {
    ::pthread_sigmask(SIG_SETMASK, nullptr, &signal_mask);
  }

  const ProcessOrder& order;
  std::string file;
  std::vector<std::string> words;
  std::vector<std::string> variables;
  std::vector<char*> arguments = pointers_to(words);
  std::vector<char*> environment = pointers_to(variables);
  pid_t driver = ::getpid();
  sigset_t signal_mask;
  Step failed = Step::find;  // written by the child, with the error, if something failed
  int error = 0;
};

bool fix_addresses() {
  const int persona = ::personality(0xffffffffUL);
  return persona != -1 && ::personality(static_cast<unsigned long>(persona) | ADDR_NO_RANDOMIZE) != -1;
}

bool give(const ProcessOrder::Descriptor& descriptor) {
  // dup2 onto itself would leave it close-on-exec.
  if (descriptor.ours == descriptor.theirs) return ::fcntl(descriptor.ours, F_SETFD, 0) == 0;
  return ::dup2(descriptor.ours, descriptor.theirs) >= 0;
}

// A core file per crash would fill the disk. The value 1 also keeps core handlers behind a pipe quiet.
void forbid_core_files() {
  rlimit core{};
  if (::getrlimit(RLIMIT_CORE, &core) != 0) return;
  core.rlim_cur = std::min<rlim_t>(core.rlim_max, 1);
  ::setrlimit(RLIMIT_CORE, &core);
}

// No handler of ours may run in the child: it would run on our memory. So reset them before unblocking signals.
void reset_signals(bool default_signals) {
  struct sigaction plain {};
  plain.sa_handler = SIG_DFL;
  for (int number = 1; number <= SIGRTMAX; ++number) {
    struct sigaction action {};
    if (::sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_DFL) continue;
    const bool of_a_terminal =
        number == SIGPIPE || number == SIGINT || number == SIGTERM || number == SIGQUIT || number == SIGHUP;
    const bool stays = action.sa_handler == SIG_IGN && !(default_signals && of_a_terminal);
    if (!stays) ::sigaction(number, &plain, nullptr);
  }
}

// Returns only when something failed.
Step become_program(const Launch& launch) {
  const ProcessOrder& order = launch.order;
  if (order.addresses != AddressLayout::random && !fix_addresses() && order.addresses == AddressLayout::fixed) {
    return Step::fix_addresses;
  }
  if (order.dies_with_thread) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != launch.driver) ::_exit(127);  // the driver died before the line above
  }
  if (order.own_group) ::setpgid(0, 0);
  if (!order.core_files) forbid_core_files();
  if (order.processors) ::sched_setaffinity(0, sizeof *order.processors, &*order.processors);
  if (!order.directory.empty() && ::chdir(order.directory.c_str()) != 0) return Step::change_directory;
  for (const ProcessOrder::Descriptor& descriptor : order.descriptors) {
    if (!give(descriptor)) return Step::give_descriptors;
  }
  reset_signals(order.default_signals);
  ::sigprocmask(SIG_SETMASK, &launch.signal_mask, nullptr);
  ::execve(launch.file.c_str(), launch.arguments.data(), launch.environment.data());
  return Step::execute;
}

// vfork, because the driver's memory (a large shared mapping) need not be copied for a child that calls exec at once. A
// function of its own, so that no local variable of a caller lives across it.
[[gnu::noinline]] pid_t fork_and_become(Launch& launch) {
  const pid_t pid = ::vfork();
  if (pid == 0) {
    launch.failed = become_program(launch);
    launch.error = errno;
    ::_exit(127);
  }
  return pid;
}

Status trouble_of(const Launch& launch) {
  if (launch.failed == Step::fix_addresses) {
    return Status::trouble("this system does not let Ravel switch address-space randomisation off",
                           "in a container, allow the personality call (docker: --security-opt seccomp=unconfined)");
  }
  ProcessOrder order = launch.order;
  if (launch.failed == Step::fork) order.advice = "check the limits of this shell or container (ulimit -a)";
  if (launch.failed == Step::change_directory) order.name = fmt::format("{} in {}", name_of(order), order.directory);
  return cannot_start(order, launch.error);
}

}  // namespace

Status cannot_start(const ProcessOrder& order, int error) {
  return Status::trouble(fmt::format("cannot start {}: {}", name_of(order), std::strerror(error)), order.advice);
}

Result<Process> Process::start(const ProcessOrder& order) {
  Launch launch(order);
  if (launch.file.empty()) return cannot_start(order, ENOENT);
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
  const pid_t pid = fork_and_become(launch);
  if (pid < 0) {
    launch.failed = Step::fork;
    launch.error = errno;
  }
  ::pthread_sigmask(SIG_SETMASK, &launch.signal_mask, nullptr);
  Process process;
  process.pid_ = pid;
  process.own_group_ = order.own_group;
  if (launch.error != 0) {
    process.wait();
    return trouble_of(launch);
  }
  process.ended_ = FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  return process;
}

Process& Process::operator=(Process&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(ended_, other.ended_);
  std::swap(own_group_, other.own_group_);
  std::swap(wait_status_, other.wait_status_);
  return *this;
}

bool Process::has_ended() {
  if (pid_ <= 0) return true;
  siginfo_t info{};
  const int asked = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  if (asked == 0 && info.si_pid != pid_) return false;
  take_end();
  return true;
}

int Process::wait() {
  if (pid_ <= 0) return wait_status_;
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  take_end();
  return wait_status_;
}

void Process::kill() {
  if (pid_ <= 0) return;
  if (own_group_) ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);
  wait();
}

// Its group first: once the process has been waited for, its pid may be reused.
void Process::take_end() {
  if (own_group_) ::kill(-pid_, SIGKILL);
  while (::waitpid(pid_, &wait_status_, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  ended_.reset();
}

Status become_process(const ProcessOrder& order) {
  Launch launch(order);
  launch.error = ENOENT;
  if (!launch.file.empty()) {
    launch.failed = become_program(launch);
    launch.error = errno;
  }
  return trouble_of(launch);
}

int exit_code(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

}  // namespace ravel
