// SPDX-License-Identifier: Apache-2.0
#include "driver/noise/oracle.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "driver/process/file_descriptor.h"
#include "driver/target/execution_record.h"
#include "driver/target/output_capture.h"

extern char** environ;

namespace ravel {
namespace {

constexpr const char* kExitCode = "RAVEL_EXIT_CODE";

int exit_code_of(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

Status trouble(const char* call, int error) {
  return Status::trouble(fmt::format("cannot run the oracle: {}: {}", call, std::strerror(error)),
                         "check the limits of this shell or container (ulimit -a)");
}

FileDescriptor memory_file(std::string_view text) {
  FileDescriptor file(::memfd_create("ravel-output", MFD_CLOEXEC));
  while (file.valid() && !text.empty()) {
    const ssize_t written = ::write(file.get(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return FileDescriptor();
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (file.valid()) ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

}  // namespace

Result<Verdict> ask_oracle(const std::string& command, std::string_view output, int wait_status,
                           std::chrono::nanoseconds timeout, const std::atomic<bool>* interrupted) {
  const FileDescriptor input = memory_file(output);
  if (!input.valid()) return trouble("memfd_create", errno);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return trouble("pipe", errno);
  const FileDescriptor said(ends[0]);
  FileDescriptor says(ends[1]);
  ::fcntl(said.get(), F_SETFL, O_NONBLOCK);

  std::vector<std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!std::string_view(*entry).starts_with(std::string(kExitCode) + "=")) variables.emplace_back(*entry);
  }
  variables.push_back(fmt::format("{}={}", kExitCode, exit_code_of(wait_status)));
  std::vector<char*> environment;
  environment.reserve(variables.size() + 1);
  for (std::string& variable : variables) environment.push_back(variable.data());
  environment.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_adddup2(&files, input.get(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, says.get(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, says.get(), STDERR_FILENO);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // so that it can be ended with all it started
  std::string shell = "sh";
  std::string option = "-c";
  std::string text = command;
  char* const arguments[] = {shell.data(), option.data(), text.data(), nullptr};
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, "/bin/sh", &files, &attributes, arguments, environment.data());
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0) return trouble("posix_spawn", error);
  says = FileDescriptor();

  const FileDescriptor process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  OutputCapture heard;
  const auto listen = [&] {
    char buffer[65536];
    for (ssize_t size = 0; (size = ::read(said.get(), buffer, sizeof buffer)) > 0;) {
      heard.append(std::string_view(buffer, static_cast<std::size_t>(size)));
    }
  };
  Verdict verdict;
  int status = 0;
  bool ended = false;
  while (!(ended = ::waitpid(pid, &status, WNOHANG) == pid)) {
    const bool stop = interrupted != nullptr && interrupted->load(std::memory_order_relaxed);
    if (stop || std::chrono::steady_clock::now() >= deadline) break;
    pollfd waiting[2] = {{process.get(), POLLIN, 0}, {said.get(), POLLIN, 0}};
    ::poll(waiting, 2, 50);
    if ((waiting[1].revents & POLLHUP) != 0 && waiting[0].revents == 0) ::poll(waiting, 1, 20);
    listen();
  }
  ::kill(-pid, SIGKILL);
  if (!ended) {
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    verdict.passed = false;
    verdict.message = fmt::format("the oracle did not end within {}: {}", duration_text(timeout), command);
  } else if (WIFSIGNALED(status)) {
    verdict.passed = false;
    verdict.message = fmt::format("the oracle died of {}: {}", signal_text(WTERMSIG(status)), command);
  } else if (WEXITSTATUS(status) != 0) {
    verdict.passed = false;
    verdict.message = fmt::format("the oracle ended with exit code {}: {}", WEXITSTATUS(status), command);
  }
  listen();
  verdict.said = heard.text();
  return verdict;
}

}  // namespace ravel
