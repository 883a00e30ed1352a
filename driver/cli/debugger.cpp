// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/debugger.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "driver/target/schedule_builder.h"
#include "driver/target/shared_channel.h"

namespace ravel {
namespace {

// gdb hands these descriptors on to the program.
constexpr int kChannelDescriptor = 700;
constexpr int kSocketDescriptor = 701;

// Where the runtime is when it has something to state about the program.
constexpr const char* kFindingBreakpoint = "ravel::Scheduler::new_finding";

// The variables are set for the program alone, and it is started without a shell: neither gdb nor a shell may get the
// runtime. gdb switches address-space randomisation off by itself.
std::vector<std::string> gdb_command(const Schedule& schedule, const TargetSettings& settings) {
  const std::string directory = std::filesystem::path(settings.runtime).parent_path().string();
  const auto joined = [](const char* variable, const std::string& first) {
    const char* const old = std::getenv(variable);
    return old != nullptr && *old != '\0' ? first + ":" + old : first;
  };
  std::vector<std::string> command = {"gdb", "-q"};
  for (const std::string& line : {
           std::string("set startup-with-shell off"),
           "set environment LD_PRELOAD " + joined("LD_PRELOAD", settings.runtime),
           "set environment LD_LIBRARY_PATH " + joined("LD_LIBRARY_PATH", directory),
           std::string("set environment LD_BIND_NOW 1"),
           fmt::format("set environment {} {},{}", kChannelVariable, kChannelDescriptor, kSocketDescriptor),
           std::string("set breakpoint pending on"),
           fmt::format("break {}", kFindingBreakpoint),
           std::string("run"),
       }) {
    command.insert(command.end(), {"-ex", line});
  }
  command.insert(command.end(), {"--args", settings.executable});
  command.insert(command.end(), schedule.program.begin() + 1, schedule.program.end());
  return command;
}

pid_t start_gdb(std::vector<std::string> command, int channel, int socket) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  ::dup2(channel, kChannelDescriptor);
  ::dup2(socket, kSocketDescriptor);
  std::signal(SIGINT, SIG_DFL);
  ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

// The program says it is ready each time the user types `run`; each time it gets the schedule.
void answer(const Schedule& schedule, const TargetSettings& settings, Channel& channel, int socket) {
  std::uint8_t message = 0;
  if (::recv(socket, &message, 1, MSG_DONTWAIT) != 1) return;
  const ModuleMap modules(settings.executable, modules_of(channel));
  const SiteList sites(settings.executable, schedule);
  std::uint32_t sites_known = 0;
  for (std::size_t i = 0; i < sites.size() && sites_known < kMaxSites; ++i) {
    if (const auto address = sites.address(i, modules)) channel.request.site[sites_known++] = *address;
  }
  write_request(channel,
                {.plan = strict_replay_plan(schedule.plan), .watch = {}, .noise = {}, .sites_known = sites_known},
                schedule.decisions);
  const auto order = static_cast<std::uint8_t>(Message::execute);
  [[maybe_unused]] const auto sent = ::send(socket, &order, 1, MSG_NOSIGNAL);
}

}  // namespace

int debug_schedule(const Schedule& schedule, const TargetSettings& settings, Console& console) {
  LaunchOptions launch = schedule.launch;
  launch.carrier = CarrierKind::thread;
  launch.single = 1;
  auto channel = SharedChannel::create(launch);
  if (!channel.is_ok()) {
    console.trouble(channel.status());
    return kTrouble;
  }
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
    console.trouble(Status::trouble(std::string("cannot make a socket: ") + std::strerror(errno), "check ulimit -n"));
    return kTrouble;
  }
  const FileDescriptor own(sockets[0]);
  FileDescriptor theirs(sockets[1]);
  std::signal(SIGINT, SIG_IGN);  // Ctrl-C is for gdb
  const pid_t gdb = start_gdb(gdb_command(schedule, settings), channel.value().fd(), theirs.get());
  if (gdb < 0) {
    console.trouble(Status::trouble(std::string("cannot start gdb: ") + std::strerror(errno), "check ulimit -u"));
    return kTrouble;
  }
  theirs.reset();
  const FileDescriptor process(static_cast<int>(::syscall(SYS_pidfd_open, gdb, 0)));
  for (;;) {
    pollfd waiting[2] = {{process.get(), POLLIN, 0}, {own.get(), POLLIN, 0}};
    if (::poll(waiting, 2, -1) < 0 && errno != EINTR) break;
    if (waiting[0].revents != 0) break;
    if ((waiting[1].revents & POLLIN) != 0) answer(schedule, settings, *channel.value(), own.get());
  }
  int status = 0;
  ::waitpid(gdb, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
    console.trouble(Status::trouble("there is no gdb in PATH", "apt install gdb"));
    return kTrouble;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? kNothingFound : kTrouble;
}

}  // namespace ravel
