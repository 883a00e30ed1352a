// SPDX-License-Identifier: Apache-2.0
#include "driver/target/target.h"

#include <fcntl.h>
#include <linux/futex.h>
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
#include <fstream>
#include <sstream>
#include <string_view>

#include "driver/process/environment.h"
#include "trace/signals.h"

namespace ravel {
namespace {

constexpr int kPipeBytes = 1 << 20;

// An interruption wakes only the thread that gets the signal: the others look for it this often.
constexpr std::chrono::milliseconds kLookAtDeadline{100};
constexpr std::chrono::milliseconds kNudgeEvery{20};

// For so long the driver waits in the shared memory, where it hears of the end of an execution and of nothing else.
constexpr std::chrono::milliseconds kMoment{1};
constexpr std::chrono::milliseconds kShortPatience{60};

// How much processor time a process has had.
struct Usage {
  std::chrono::milliseconds time{0};
  bool wants_to_run = false;  // it is only waiting for a processor
};

// Of a process or of one of its threads.
Usage usage_in(const std::string& stat_file) {
  std::ifstream file(stat_file);
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');  // the name may contain anything
  if (name_end == std::string::npos) return {};
  std::istringstream fields(line.substr(name_end + 1));
  char state = 0;
  fields >> state;
  std::string skipped;
  for (int i = 0; i < 10; ++i) fields >> skipped;
  long user = 0;
  long system = 0;
  fields >> user >> system;
  return {std::chrono::milliseconds((user + system) * 1000 / ::sysconf(_SC_CLK_TCK)), state == 'R'};
}

Usage usage_of(pid_t pid) {
  const std::string process = "/proc/" + std::to_string(pid);
  Usage usage = usage_in(process + "/stat");
  // The state of a process is that of its first thread. On the thread carrier another thread may be running.
  std::error_code gone;
  for (std::filesystem::directory_iterator thread(process + "/task", gone), end; !gone && thread != end;
       thread.increment(gone)) {
    if (usage.wants_to_run) break;
    usage.wants_to_run = usage_in(thread->path().string() + "/stat").wants_to_run;
  }
  return usage;
}

// Measures how much of the processor a process gets while it wants to run.
class Share {
 public:
  // Since construction or the last call, has the process had less than half of the processor although it wanted more?
  bool is_too_small(const Usage& usage) {
    const auto now = std::chrono::steady_clock::now();
    const bool too_small = usage.wants_to_run && (usage.time - used_) * 2 < now - since_;
    used_ = usage.time;
    since_ = now;
    return too_small;
  }

 private:
  std::chrono::milliseconds used_{0};  // of the time that the process uses for this execution
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

// How often the time limit of an execution that did not get the processor may be extended.
constexpr unsigned kMostExtensions = 3;

// Does the process handle the signal? After an exec it does not, and would die of it.
bool catches(pid_t pid, int number) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with("SigCgt:")) continue;
    const unsigned long long caught = std::strtoull(line.c_str() + std::strlen("SigCgt:"), nullptr, 16);
    return (caught >> (number - 1) & 1) != 0;
  }
  return false;
}

template <typename T>
T load_shared(const T& value) {
  return __atomic_load_n(&value, __ATOMIC_ACQUIRE);
}

}  // namespace

std::vector<std::string> target_environment(const std::string& runtime) {
  const std::string directory = std::filesystem::path(runtime).parent_path().string();
  return {"LD_PRELOAD=" + with_first("LD_PRELOAD", runtime),
          "LD_LIBRARY_PATH=" + with_first("LD_LIBRARY_PATH", directory),
          "LD_BIND_NOW=1",  // otherwise every forked child resolves its symbols again
          std::string(kChannelVariable) + "=" + std::to_string(kChannelDescriptor) + "," +
              std::to_string(kSocketDescriptor)};
}

Result<std::unique_ptr<Target>> Target::start(const TargetSettings& settings) {
  auto channel = SharedChannel::create(settings.launch);
  if (!channel.is_ok()) return channel.status();
  std::unique_ptr<Target> target(new Target(settings, std::move(channel.value())));
  Launch& launch = target->channel().launch;
  target->backup_.directory().string().copy(launch.backup_directory, sizeof launch.backup_directory - 1);
  if (Status status = target->spawn(); !status.is_ok()) return status;
  return target;
}

Status Target::spawn() {
  const auto trouble = [](const std::string& call) {
    return Status::trouble("cannot start the program: " + call + ": " + std::strerror(errno),
                           "check the limits of this shell or container (ulimit -a)");
  };
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return trouble("socketpair");
  socket_ = FileDescriptor(sockets[0]);
  const FileDescriptor target_socket(sockets[1]);
  int pipes[2];
  if (::pipe2(pipes, O_CLOEXEC) != 0) return trouble("pipe");
  output_pipe_ = FileDescriptor(pipes[0]);
  const FileDescriptor output(pipes[1]);
  ::fcntl(output_pipe_.get(), F_SETFL, O_NONBLOCK);
  // A large pipe means fewer wake-ups of the driver while a program writes a lot; unprivileged users may get less.
  for (int bytes = kPipeBytes; bytes > 65536 && ::fcntl(output.get(), F_SETPIPE_SZ, bytes) < 0; bytes /= 2) {
  }
  const FileDescriptor input = settings_.input != nullptr ? settings_.input->open() : StandardInput::none().open();

  ProcessOrder order(settings_.arguments);
  order.file = settings_.executable;
  order.environment = target_environment(settings_.runtime);
  order.directory = settings_.directory;
  order.descriptors = {{input.get(), STDIN_FILENO},
                       {output.get(), STDOUT_FILENO},
                       {output.get(), STDERR_FILENO},
                       {channel_.fd(), kChannelDescriptor},
                       {target_socket.get(), kSocketDescriptor}};
  order.processors = settings_.processors;
  order.addresses = AddressLayout::fixed;  // a different layout in each execution would make replay impossible
  order.own_group = true;
  order.dies_with_thread = true;
  order.core_files = false;
  order.default_signals = true;
  order.advice = "check that it runs without Ravel";
  auto process = Process::start(order);
  if (!process.is_ok()) return process.status();
  process_ = std::move(process.value());
  return Status::ok();
}

Target::~Target() { kill(); }

void Target::kill() {
  can_execute_ = false;
  if (process_.pid() <= 0) return;
  const pid_t child = load_shared(channel_->result.child_pid);
  if (child > 1) kill_group(child);
  process_.kill();
  wait_status_ = process_.wait_status();
  drain_output();
  put_files_back(BackupPhase::start);
}

void Target::put_files_back(BackupPhase phase) {
  if (channel_->launch.file_changes < FileChanges::copied) return;
  if (!backup_.undo(phase)) channel_->launch.file_changes = FileChanges::left;
}

void Target::kill_group(pid_t group) {
  if (group > 1) ::kill(-group, SIGKILL);
}

pid_t Target::running_pid() {
  const pid_t child = load_shared(channel_->result.child_pid);
  return forks_ && child > 1 ? child : process_.pid();
}

bool Target::is_ok_exit(int code) const {
  return code == 0 || std::find(settings_.ok_exits.begin(), settings_.ok_exits.end(), code) != settings_.ok_exits.end();
}

void Target::drain_output() { output_.drain(output_pipe_.get()); }

Target::Event Target::wait_for_message(Clock::time_point deadline) {
  bool output_closed = false;
  for (;;) {
    // The socket comes first: whatever the target wrote before its message is then seen when the pipe is checked.
    pollfd waiting[3] = {{socket_.get(), POLLIN, 0},
                         {output_closed ? -1 : output_pipe_.get(), POLLIN, 0},
                         {process_.ended_fd(), POLLIN, 0}};
    const auto left = std::min(deadline, settings_.deadline.end()) - Clock::now();
    if (left <= Clock::duration::zero()) return settings_.deadline.has_come() ? Event::cut : Event::time_limit;
    const timespec wait{0, static_cast<long>(std::min<Clock::duration>(left, kLookAtDeadline).count())};
    const int ready = ::ppoll(waiting, 3, &wait, nullptr);
    if (settings_.deadline.has_come()) return Event::cut;
    if (ready <= 0) continue;
    if ((waiting[1].revents & POLLIN) != 0) drain_output();
    // The program closed its output or has just ended: poll() would return at once, forever.
    if ((waiting[1].revents & (POLLIN | POLLHUP)) == POLLHUP) output_closed = true;
    if (waiting[0].revents != 0) {
      std::uint8_t message = 0;
      const ssize_t size = ::recv(socket_.get(), &message, 1, MSG_DONTWAIT);
      if (size == 1) return Event::message;
      if (size == 0 || (errno != EINTR && errno != EAGAIN)) return Event::gone;
    } else if (waiting[2].revents != 0) {
      return Event::gone;
    }
  }
}

// Waits for the end of an execution. One that makes no step for a long time may be in a loop or a call that Ravel
// cannot see into (an atomic in uninstrumented code): it is nudged to yield before its time is up. The first nudge
// comes after half of the time limit; a program that turned out to need nudges gets them sooner.
Target::Event Target::wait_for_end(Clock::time_point deadline) {
  const auto progress = [this] {
    const ExecutionSummary& summary = channel_->result.summary;
    return std::pair(load_shared(summary.steps), load_shared(summary.memory_accesses));
  };
  auto patience = needs_nudges_ ? std::chrono::nanoseconds(kShortPatience) : settings_.timeout / 2;
  auto seen = progress();
  bool nudged = false;
  Share lately;
  Share of_the_limit;
  unsigned extensions = 0;
  for (;;) {
    const Event event = wait_for_message(std::min(deadline, Clock::now() + patience));
    if (event != Event::time_limit) {
      if (nudged) needs_nudges_ = true;
      return event;
    }
    const pid_t pid = running_pid();
    Usage usage = usage_of(pid);
    usage.time -= earlier_time();
    const bool starved = lately.is_too_small(usage);
    const Clock::time_point time = Clock::now();
    if (time >= deadline) {
      // The clock alone cannot tell a slow program from a busy machine, nor can the most recent interval alone.
      const bool had_its_time = usage.time >= settings_.timeout || !of_the_limit.is_too_small(usage);
      if (had_its_time || extensions == kMostExtensions) return event;
      ++extensions;
      deadline = time + settings_.timeout;
    }
    const auto now = progress();
    if (!starved && now.second == seen.second && (nudged || now.first == seen.first)) {
      if (catches(pid, nudge_signal()) && ::kill(pid, nudge_signal()) == 0) nudged = true;
    }
    seen = now;
    patience = kNudgeEvery;
  }
}

// What a resident child has used for executions before this one.
std::chrono::milliseconds Target::earlier_time() {
  const std::chrono::nanoseconds time(load_shared(channel_->result.time_before));
  return std::chrono::duration_cast<std::chrono::milliseconds>(time);
}

bool Target::reap(Clock::time_point deadline) {
  while (process_.pid() > 0) {
    if (process_.has_ended()) {
      wait_status_ = process_.wait_status();
      break;
    }
    if (settings_.deadline.has_come() || Clock::now() >= deadline) return false;
    pollfd waiting[2] = {{process_.ended_fd(), POLLIN, 0}, {output_pipe_.get(), POLLIN, 0}};
    ::poll(waiting, 2, 20);
    if ((waiting[1].revents & POLLHUP) != 0 && waiting[0].revents == 0) ::poll(waiting, 1, 5);
    drain_output();
  }
  can_execute_ = false;
  drain_output();
  put_files_back(BackupPhase::start);
  return true;
}

Arrival Target::wait_for_arrival() {
  const auto deadline = Clock::now() + settings_.timeout;
  switch (wait_for_message(deadline)) {
    case Event::message:
      forks_ = load_shared(channel_->launch.forked) != 0;
      can_execute_ = true;
      return forks_ ? Arrival::forks : Arrival::single;
    case Event::gone: {
      // The socket closes at exec too; the process then continues without the runtime, and nobody says that it ends.
      if (!reap(deadline)) {
        kill();
        return settings_.deadline.has_come() ? Arrival::cut : Arrival::too_slow;
      }
      const bool silent = channel_->result.summary.outcome == Outcome::running;
      return WIFEXITED(wait_status_) && silent ? Arrival::replaced : Arrival::ended;
    }
    case Event::time_limit:
      kill();
      return Arrival::too_slow;
    case Event::cut:
      break;
  }
  kill();
  return Arrival::cut;
}

// A resident child waits in the shared memory; otherwise the process that was started waits at the socket. It looks for
// an order after it has said that there is no such child, and we do it the other way round: one of us notices.
bool Target::order_execution() {
  Launch& launch = channel_->launch;
  __atomic_add_fetch(&launch.ordered, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&launch.resident, __ATOMIC_SEQ_CST) != 0) {
    ::syscall(SYS_futex, &launch.ordered, FUTEX_WAKE, 1, nullptr, nullptr, 0);
    return true;
  }
  const auto order = static_cast<std::uint8_t>(Message::execute);
  return ::send(socket_.get(), &order, 1, MSG_NOSIGNAL) == 1;
}

bool Target::has_ended() {
  const Launch& launch = channel_->launch;
  return __atomic_load_n(&launch.ended, __ATOMIC_SEQ_CST) == launch.ordered;
}

// Has the execution ended within a moment? If not, a message will tell.
bool Target::ends_soon(Clock::time_point deadline) {
  Launch& launch = channel_->launch;
  const auto moment = std::min(deadline, Clock::now() + kMoment);
  for (;;) {
    const std::uint32_t ended = load_shared(launch.ended);
    if (ended == launch.ordered) break;
    const auto left = moment - Clock::now();
    if (left <= Clock::duration::zero()) {
      __atomic_store_n(&launch.awaited_at_socket, launch.ordered, __ATOMIC_SEQ_CST);
      if (has_ended()) break;
      return false;
    }
    const timespec wait{0, static_cast<long>(std::chrono::nanoseconds(left).count())};
    ::syscall(SYS_futex, &launch.ended, FUTEX_WAIT, ended, &wait, nullptr, 0);
  }
  drain_output();  // what it wrote before
  return true;
}

ExecutionEnd Target::execute(const PlannedExecution& planned, std::uint32_t sites_known, const WatchRequest& watch,
                             bool fresh) {
  RAVEL_CHECK(can_execute_, "execute() on a target that cannot");
  write_request(*channel_,
                {.plan = planned.plan,
                 .watch = watch,
                 .noise = {},
                 .sites_known = sites_known,
                 .fresh = static_cast<std::uint32_t>(fresh)},
                planned.prefix, planned.details);
  output_.clear();
  wait_status_ = 0;
  if (!forks_) can_execute_ = false;

  const auto deadline = Clock::now() + settings_.timeout;
  if (!order_execution()) {
    kill();
    return ExecutionEnd::target_lost;
  }

  Event event = Event::message;
  if (!forks_ || !ends_soon(deadline)) {
    do {
      event = wait_for_end(deadline);
    } while (event == Event::message && !has_ended());  // it is about an earlier one, or the program itself wrote there
  }
  if (event == Event::cut) {
    kill();
    return ExecutionEnd::cut;
  }
  if (event == Event::message) {
    wait_status_ = channel_->result.wait_status;
    put_files_back(BackupPhase::execution);
    return ExecutionEnd::ended;
  }
  if (event == Event::gone) {
    if (!forks_) {
      if (reap(deadline)) return ExecutionEnd::ended;
      kill();
      return settings_.deadline.has_come() ? ExecutionEnd::cut : ExecutionEnd::timed_out;
    }
    kill();
    return ExecutionEnd::target_lost;
  }

  const pid_t stuck = running_pid();
  ask_where_it_is_stuck(stuck);
  if (!forks_) {
    kill();
    return ExecutionEnd::timed_out;
  }
  const bool was_server = stuck == process_.pid();
  if (!was_server) {
    kill_group(stuck);
    ::kill(stuck, SIGKILL);
    const auto patience = Clock::now() + kGrace;
    do {
      event = wait_for_message(patience);
    } while (event == Event::message && !has_ended());
    if (event == Event::message) {
      wait_status_ = channel_->result.wait_status;
      put_files_back(BackupPhase::execution);
      return ExecutionEnd::timed_out;
    }
  }
  // The server does not answer either: it hangs, or it died with the child.
  kill();
  return was_server ? ExecutionEnd::target_lost : ExecutionEnd::timed_out;
}

ExecutionEnd Target::run_freely(const NoisePlan& noise, std::uint32_t sites_known, const Look& look) {
  RAVEL_CHECK(can_execute_ && !forks_, "run_freely() on a target that cannot");
  write_request(*channel_, {.plan = {}, .watch = {}, .noise = noise, .sites_known = sites_known, .fresh = 0});
  can_execute_ = false;
  wait_status_ = 0;
  const auto order = static_cast<std::uint8_t>(Message::execute);
  if (::send(socket_.get(), &order, 1, MSG_NOSIGNAL) != 1) {
    kill();
    return ExecutionEnd::target_lost;
  }
  auto deadline = Clock::now() + settings_.timeout;
  Share of_the_limit;
  unsigned extensions = 0;
  for (;;) {
    const Event event = wait_for_message(std::min(deadline, Clock::now() + kLookEvery));
    if (event == Event::cut) {
      kill();
      return ExecutionEnd::cut;
    }
    if (event == Event::gone) {
      // Its memory is not read any more: it is dying, or it has replaced itself with a program that knows nothing of
      // it.
      if (reap(deadline)) return ExecutionEnd::ended;
      kill();
      return settings_.deadline.has_come() ? ExecutionEnd::cut : ExecutionEnd::timed_out;
    }
    if (event == Event::message) continue;  // no message matters any more
    if (look(*channel_, process_.pid())) break;
    if (Clock::now() < deadline) continue;
    // As in wait_for_end: on a busy machine this is not a hang.
    const Usage usage = usage_of(process_.pid());
    if (usage.time >= settings_.timeout || !of_the_limit.is_too_small(usage) || extensions == kMostExtensions) break;
    ++extensions;
    deadline = Clock::now() + settings_.timeout;
  }
  kill();
  return ExecutionEnd::timed_out;
}

void Target::ask_where_it_is_stuck(pid_t pid) {
  // Asked again, it keeps only what stays the same: the loop it is in, not where in the loop it happens to be. Each
  // answer is waited for: on a busy machine the questions would pile up and all be answered from the same place. It
  // takes many questions: a loop that spends two thirds of its time on one line answers with that line eight times in a
  // row once in thirty executions.
  constexpr unsigned kQuestions = 32;
  const auto last_answer = Clock::now() + kAllAnswers;
  for (unsigned question = 0; question < kQuestions; ++question) {
    const std::uint32_t answers = load_shared(channel_->result.stuck_answers);
    if (::kill(pid, stuck_signal()) != 0) return;
    const auto deadline = std::min(Clock::now() + kGrace, last_answer);
    while (load_shared(channel_->result.stuck_answers) == answers) {
      if (Clock::now() >= deadline || settings_.deadline.has_come()) return;
      drain_output();
      ::usleep(1000);
    }
    ::usleep(1000 + 700 * (question % 5));
  }
}

}  // namespace ravel
