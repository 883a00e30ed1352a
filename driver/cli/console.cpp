// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

namespace ravel {

namespace {

bool takes_stdout(const OutputOptions& options) {
  const auto all = {&options.json, &options.html, &options.sarif, &options.junit, &options.perfetto};
  return std::any_of(all.begin(), all.end(), [](const std::string* path) { return *path == "-"; });
}

}  // namespace

Console::Console(const OutputOptions& options)
    : results_(takes_stdout(options) ? stderr : stdout), quiet_(options.quiet) {
  const char* const no_color = std::getenv("NO_COLOR");
  const bool terminal = ::isatty(::fileno(results_)) != 0;
  color_ = terminal && options.color && (no_color == nullptr || *no_color == '\0');
  shows_progress_ = !quiet_ && terminal && ::isatty(STDERR_FILENO) != 0;
}

std::size_t Console::width() const {
  constexpr std::size_t kUsual = 100;
  constexpr std::size_t kLeast = 80;
  constexpr std::size_t kMost = 200;
  winsize size{};
  const bool known = ::ioctl(::fileno(results_), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? std::clamp<std::size_t>(size.ws_col, kLeast, kMost) : kUsual;
}

void Console::print(const std::string& text) {
  clear_progress();
  std::fwrite(text.data(), 1, text.size(), results_);
  std::fflush(results_);
}

void Console::inform(const std::string& text) {
  if (!quiet_) print(text);
}

void Console::trouble(const Status& status) {
  clear_progress();
  print_trouble(status);
}

void Console::warn(const std::string& text) {
  clear_progress();
  fmt::print(stderr, "ravel: warning: {}\n", text);
}

void Console::internal_error(const std::string& message, const std::string& schedule) {
  clear_progress();
  fmt::print(stderr, "ravel: internal error: {}\n  This is a bug in Ravel, not in your program. Please report it",
             message);
  if (!schedule.empty()) fmt::print(stderr, " with the file {}", schedule);
  fmt::print(stderr, ".\n");
}

bool Console::wants_progress() {
  if (!shows_progress_) return false;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_progress_) return false;
  next_progress_ = now + std::chrono::milliseconds(100);
  return true;
}

void Console::progress(const std::string& line) {
  // Cut at the width of the terminal: a wrapped line could not be erased.
  winsize size{};
  const std::size_t columns =
      ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1U : 79U;
  fmt::print(stderr, "\r\033[K{}", line.substr(0, columns));
  std::fflush(stderr);
  line_is_shown_ = true;
}

void Console::clear_progress() {
  if (!line_is_shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  line_is_shown_ = false;
}

void print_trouble(const Status& status) {
  fmt::print(stderr, "ravel: {}\n", status.what());
  if (!status.advice().empty()) fmt::print(stderr, "  {}\n", status.advice());
}

}  // namespace ravel
