// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/debugger.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "driver/cli/console.h"
#include "driver/process/environment.h"
#include "driver/process/process.h"
#include "driver/target/schedule_builder.h"
#include "driver/target/shared_channel.h"
#include "driver/target/site_list.h"

namespace ravel {
namespace {

// Where the runtime is when it reports a finding.
constexpr const char* kFindingBreakpoint = "ravel::Scheduler::new_finding";

// The variables are set for the program alone, and it is started without a shell: neither gdb nor a shell may load the
// runtime. gdb disables address-space randomisation by itself.
std::vector<std::string> gdb_command(const Schedule& schedule, const TargetSettings& settings) {
  std::vector<std::string> lines = {"set startup-with-shell off"};
  for (const std::string& entry : target_environment(settings.runtime)) {
    const std::size_t equals = entry.find('=');
    lines.push_back(fmt::format("set environment {} {}", entry.substr(0, equals), entry.substr(equals + 1)));
  }
  lines.insert(lines.end(), {"set breakpoint pending on", fmt::format("break {}", kFindingBreakpoint), "run"});
  std::vector<std::string> command = {"gdb", "-q"};
  for (const std::string& line : lines) command.insert(command.end(), {"-ex", line});
  command.insert(command.end(), {"--args", settings.executable});
  command.insert(command.end(), schedule.program.begin() + 1, schedule.program.end());
  return command;
}

// The program reports that it is ready each time the user types `run`; each time it gets the schedule.
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

Result<int> debug_schedule(const Schedule& schedule, const TargetSettings& settings) {
  if (find_in_path("gdb").empty()) return Status::trouble("there is no gdb in PATH", "apt install gdb");
  LaunchOptions launch = settings.launch;
  launch.carrier = CarrierKind::thread;
  launch.single = 1;
  auto channel = SharedChannel::create(launch);
  if (!channel.is_ok()) return channel.status();
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
    return Status::trouble(std::string("cannot make a socket: ") + std::strerror(errno), "check ulimit -n");
  }
  const FileDescriptor own(sockets[0]);
  FileDescriptor theirs(sockets[1]);
  std::signal(SIGINT, SIG_IGN);  // Ctrl-C is for gdb
  ProcessOrder order(gdb_command(schedule, settings));
  // gdb passes them on to the program.
  order.descriptors = {{channel.value().fd(), kChannelDescriptor}, {theirs.get(), kSocketDescriptor}};
  order.default_signals = true;
  auto started = Process::start(order);
  if (!started.is_ok()) return started.status();
  Process& gdb = started.value();
  theirs.reset();
  for (;;) {
    pollfd waiting[2] = {{gdb.ended_fd(), POLLIN, 0}, {own.get(), POLLIN, 0}};
    if (::poll(waiting, 2, -1) < 0 && errno != EINTR) break;
    if (waiting[0].revents != 0) break;
    if ((waiting[1].revents & POLLIN) != 0) answer(schedule, settings, *channel.value(), own.get());
  }
  return exit_code(gdb.wait()) == 0 ? kNothingFound : kTrouble;
}

}  // namespace ravel
