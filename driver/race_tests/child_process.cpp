// SPDX-License-Identifier: Apache-2.0
#include "driver/race_tests/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "driver/process/file_descriptor.h"
#include "driver/process/process_words.h"

extern char** environ;

namespace ravel {

// Files in memory stand for pipes: nobody has to read and write at the same time.
Result<ChildOutput> run_child(std::vector<std::string> words, std::string_view input, const std::string& directory,
                              bool quiet) {
  const auto trouble = [&](int error) {
    return Status::trouble(fmt::format("cannot start {}: {}", words[0], std::strerror(error)),
                           "check that it is installed, and the limits of this shell (ulimit -a)");
  };
  const FileDescriptor in(::memfd_create("ravel-input", MFD_CLOEXEC));
  const FileDescriptor out(::memfd_create("ravel-output", MFD_CLOEXEC));
  if (!in.valid() || !out.valid()) return trouble(errno);
  while (!input.empty()) {
    const ssize_t written = ::write(in.get(), input.data(), input.size());
    if (written < 0) return trouble(errno);
    input.remove_prefix(static_cast<std::size_t>(written));
  }
  ::lseek(in.get(), 0, SEEK_SET);
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_adddup2(&files, in.get(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, out.get(), STDOUT_FILENO);
  if (quiet) ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  if (!directory.empty()) ::posix_spawn_file_actions_addchdir_np(&files, directory.c_str());
  pid_t pid = -1;
  const int error = ::posix_spawnp(&pid, words[0].c_str(), &files, nullptr, word_pointers(words).data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  if (error != 0) return trouble(error);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  ChildOutput output;
  output.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  ::lseek(out.get(), 0, SEEK_SET);
  char buffer[65536];
  for (ssize_t got = 0; (got = ::read(out.get(), buffer, sizeof buffer)) > 0;) {
    output.text.append(buffer, static_cast<std::size_t>(got));
  }
  return output;
}

}  // namespace ravel
