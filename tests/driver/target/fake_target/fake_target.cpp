// SPDX-License-Identifier: Apache-2.0
// A program that speaks the target's side of trace/channel.h without being controlled by anything: its first argument
// tells it how to behave. It forks one child per execution, as the runtime does.
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "trace/channel.h"
#include "trace/signals.h"

namespace {

using namespace ravel;

Channel* g_channel = nullptr;
int g_socket = -1;

void send_message(Message message) {
  const auto byte = static_cast<char>(message);
  if (::write(g_socket, &byte, 1) != 1) std::_Exit(9);
}

void connect() {
  const char* const variable = std::getenv(kChannelVariable);
  if (variable == nullptr) std::_Exit(8);
  int memory = -1;
  if (std::sscanf(variable, "%d,%d", &memory, &g_socket) != 2) std::_Exit(8);
  void* const mapped = ::mmap(nullptr, sizeof(Channel), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  if (mapped == MAP_FAILED) std::_Exit(8);
  g_channel = static_cast<Channel*>(mapped);
  if (g_channel->magic != kChannelMagic || g_channel->bytes != sizeof(Channel)) std::_Exit(8);
  ::fcntl(memory, F_SETFD, FD_CLOEXEC);
  ::fcntl(g_socket, F_SETFD, FD_CLOEXEC);
}

bool wait_for_execute() {
  char byte = 0;
  return ::read(g_socket, &byte, 1) == 1 && byte == static_cast<char>(Message::execute);
}

void write_everything(const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(STDOUT_FILENO, bytes, size);
    if (written <= 0) std::_Exit(7);
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
}

void add_finding(FindingKind kind, const char* message) {
  FindingRecord& record = g_channel->result.finding[g_channel->result.findings];
  record = FindingRecord{};
  record.kind = kind;
  record.task = 1;
  std::snprintf(record.message, sizeof record.message, "%s", message);
  ++g_channel->result.findings;
}

// A trace of `count` steps that alternate between two tasks.
void pretend_steps(std::uint64_t count, std::uint64_t salt) {
  g_channel->result.summary.steps = count;
  g_channel->result.summary.order_hash = salt;
  g_channel->result.summary.tasks = 3;
  g_channel->result.summary.decision_runs = static_cast<std::uint32_t>(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    g_channel->result.decision[i] = DecisionRun{};
    g_channel->result.decision[i].value = static_cast<std::uint32_t>(i % 2);
    if (g_channel->request.plan.trace == TraceLevel::none) continue;
    Operation& step = g_channel->result.trace[i].operation;
    step = Operation{};
    step.kind = OperationKind::mutex_lock;
    step.task = static_cast<TaskId>(i % 2);
    step.pc = 0x1000 + i + (i + 1 == count ? salt : 0);
    g_channel->result.summary.trace_events = static_cast<std::uint32_t>(i + 1);
  }
}

char g_stuck_message[64] = "T1 was still running when the time was up";

// The driver asks several times; like the runtime, this keeps one record.
void on_stuck(int) {
  if (g_channel->result.findings == 0) add_finding(FindingKind::timeout, g_stuck_message);
  ++g_channel->result.stuck_answers;
}

// One execution, in the child. `number` counts the executions of this server from 1.
int execute(const std::string& mode, unsigned number) {
  g_channel->result.child_pid = ::getpid();
  pretend_steps(4, 1);
  if (mode == "exit-code" || (mode == "exit-code-at-first" && number <= 5)) return 3;
  if (mode == "exit-code-at-first") add_finding(FindingKind::deadlock, "later");
  if (mode == "seventh-fails" && number == 7) {
    add_finding(FindingKind::assertion, "the seventh execution fails");
  }
  if (mode == "fails" || mode == "fails-then-hangs") add_finding(FindingKind::deadlock, "always");
  if (mode == "fails-somewhere") {
    add_finding(FindingKind::deadlock, "at a place");
    FindingRecord& record = g_channel->result.finding[g_channel->result.findings - 1];
    record.participants = record.participants_total = 1;
    record.participant[0].stack.count = 1;
    record.participant[0].stack.frames[0] = 1;
  }
  if (mode == "two-kinds") add_finding(number % 2 == 0 ? FindingKind::deadlock : FindingKind::assertion, "by turns");
  if (mode == "crash") ::raise(SIGSEGV);
  if (mode == "abort") std::abort();
  if (mode == "kill-server") ::kill(::getppid(), SIGKILL);
  if (mode == "random") pretend_steps(4, static_cast<std::uint64_t>(number));
  if (mode == "distinct") g_channel->result.summary.order_hash = number;
  if (mode == "cut") {
    g_channel->result.summary.outcome = Outcome::cut;
    return 0;
  }
  if (mode == "internal-error") {
    g_channel->result.summary.outcome = Outcome::internal_error;
    std::snprintf(g_channel->result.internal_error, sizeof g_channel->result.internal_error, "a lock was lost");
    return 3;
  }
  if (mode == "many-tasks") g_channel->result.summary.tasks = 21;
  if (mode == "sites") {
    g_channel->request.site[g_channel->result.sites] = 0x4000 + number;
    ++g_channel->result.sites;
  }
  if (mode == "hang" || mode == "hang-differently" || mode == "hang-mute" || mode == "hang-deaf" ||
      (mode == "hang-second" && number == 2) || (mode == "fails-then-hangs" && number >= 2)) {
    if (mode == "hang-differently") std::snprintf(g_stuck_message, sizeof g_stuck_message, "stuck in run %u", number);
    if (mode != "hang-mute") ::signal(stuck_signal(), &on_stuck);
    if (mode == "hang-mute") ::signal(stuck_signal(), SIG_IGN);
    if (mode == "hang-deaf") {
      sigset_t all;
      ::sigfillset(&all);
      ::sigprocmask(SIG_SETMASK, &all, nullptr);
    }
    for (;;) ::usleep(10000);
  }
  if (mode == "hello") std::printf("hello from execution %u\n", number), std::fflush(stdout);
  if (mode == "gigabyte") {
    static char block[1 << 20];
    std::memset(block, 'x', sizeof block);
    write_everything("first\n", 6);
    for (int i = 0; i < 1024; ++i) write_everything(block, sizeof block);
    write_everything("\nlast\n", 6);
  }
  if (mode == "flood") {
    for (;;) write_everything("0123456789abcdef", 16);
  }
  if (mode == "leaves-process" && ::fork() == 0) {
    for (;;) ::pause();
  }
  if (mode == "reads") {
    char text[16] = {};
    const ssize_t size = ::read(STDIN_FILENO, text, sizeof text);
    std::printf("read %zd: %.*s\n", size, static_cast<int>(size < 0 ? 0 : size), text), std::fflush(stdout);
  }
  g_channel->result.summary.outcome = Outcome::ended;
  return 0;
}

void serve(const std::string& mode) {
  const off_t position = ::lseek(STDIN_FILENO, 0, SEEK_CUR);
  for (unsigned number = 1; wait_for_execute(); ++number) {
    if (mode == "server-hangs" && number == 2) {
      for (;;) ::pause();
    }
    if (position >= 0) ::lseek(STDIN_FILENO, position, SEEK_SET);
    const pid_t child = ::fork();
    if (child == 0) {
      ::setpgid(0, 0);
      ::close(g_socket);
      std::_Exit(execute(mode, number));
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ::kill(-child, SIGKILL);
    g_channel->result.wait_status = status;
    g_channel->result.child_pid = 0;
    __atomic_store_n(&g_channel->launch.ended, g_channel->launch.ordered, __ATOMIC_SEQ_CST);
    send_message(Message::done);  // heard or not: the driver looks at the number
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  connect();
  // As the runtime does when a program ends before its first task.
  const bool has_tasks = mode != "no-tasks" && mode != "fails-without-tasks-once";
  if (!has_tasks) g_channel->result.summary.outcome = Outcome::ended;
  if (mode == "no-tasks") return argc > 2 ? std::atoi(argv[2]) : 0;
  if (mode == "fails-without-tasks-once") {  // the second argument names a file that remembers
    return ::open(argv[2], O_CREAT | O_EXCL | O_WRONLY, 0600) >= 0 ? 4 : 0;
  }
  if (mode == "slow-start") ::sleep(60);
  if (mode == "replaces-itself") {
    ::execl("/bin/sh", "sh", "-c", "exit 5", static_cast<char*>(nullptr));
  }
  if (mode == "dies-before-ready") ::raise(SIGKILL);
  g_channel->launch.server_pid = ::getpid();
  g_channel->launch.instrumented = 1;
  g_channel->launch.forked = mode == "single" ? 0 : 1;
  send_message(Message::ready);
  if (mode == "single") {
    if (!wait_for_execute()) return 0;
    return execute("exit-code", 1);
  }
  serve(mode);
  return 0;
}
