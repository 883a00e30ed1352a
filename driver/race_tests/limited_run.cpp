// SPDX-License-Identifier: Apache-2.0
#include "driver/race_tests/limited_run.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fmt/format.h>

#include "driver/process/file_descriptor.h"
#include "driver/process/process_words.h"

namespace ravel {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLookEvery = 50;  // milliseconds: at the flag of an interruption
constexpr unsigned long kAskPersonality = 0xffffffffUL;
constexpr std::size_t kMostOutput = std::size_t{16} << 20;

std::string text_in(int file) {
  std::string text;
  ::lseek(file, 0, SEEK_SET);
  char buffer[65536];
  for (ssize_t got = 0; text.size() < kMostOutput && (got = ::read(file, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(got));
  }
  return text;
}

pid_t spawn(const LimitedRun& run, int output, int& error) {
  std::vector<std::string> words = run.words;
  std::vector<std::string> environment = environment_with(run.environment);
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  // Children inherit it. Where it is forbidden, the program runs as it is.
  const int before = ::personality(kAskPersonality);
  if (before >= 0) ::personality(static_cast<unsigned long>(before) | ADDR_NO_RANDOMIZE);
  pid_t pid = -1;
  error = ::posix_spawnp(&pid, words[0].c_str(), &files, &attributes, word_pointers(words).data(),
                         word_pointers(environment).data());
  if (before >= 0) ::personality(static_cast<unsigned long>(before));
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&files);
  return pid;
}

}  // namespace

Result<LimitedEnd> run_limited(const LimitedRun& run) {
  const auto trouble = [&](int error) {
    return Status::trouble(fmt::format("cannot start {}: {}", run.words[0], std::strerror(error)),
                           "check that it runs by itself, and the limits of this shell (ulimit -a)");
  };
  // Appending: both streams write through descriptors of one file.
  const FileDescriptor output(::memfd_create("ravel-output", MFD_CLOEXEC));
  if (!output.valid()) return trouble(errno);
  ::fcntl(output.get(), F_SETFL, O_APPEND);
  int error = 0;
  const pid_t pid = spawn(run, output.get(), error);
  if (error != 0) return trouble(error);

  LimitedEnd end;
  const FileDescriptor process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  const auto deadline = Clock::now() + run.timeout;
  for (bool ended = false; !ended;) {
    pollfd waiting = {process.get(), POLLIN, 0};
    ended = ::poll(&waiting, 1, kLookEvery) > 0;
    if (ended) break;
    end.interrupted = run.interrupted != nullptr && run.interrupted->load();
    end.timed_out = !end.interrupted && Clock::now() >= deadline;
    if (end.interrupted || end.timed_out) break;
  }
  ::kill(-pid, SIGKILL);  // itself when it did not end, and what it left behind
  while (::waitpid(pid, &end.wait_status, 0) < 0 && errno == EINTR) {
  }
  end.output = text_in(output.get());
  return end;
}

}  // namespace ravel
