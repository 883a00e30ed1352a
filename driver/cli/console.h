// SPDX-License-Identifier: Apache-2.0
// Console: how commands print: results to stdout, errors to stderr, and on terminals a progress line that disappears
// before anything else is printed. Thread safety: callers serialise (Campaign's observer calls are serialised).
#pragma once

#include <chrono>
#include <string>

#include "base/status.h"

namespace ravel {

// Exit codes: the contract with scripts.
enum ExitCode : int { kNothingFound = 0, kFound = 1, kTrouble = 2, kInternalError = 3 };

// What the user wants to see, and where.
struct OutputOptions {
  bool quiet = false;  // findings and errors only
  bool color = true;   // unless NO_COLOR is set or stdout is not a terminal
  // Reports go to these files; empty: none, "-": to stdout, and everything else to stderr.
  std::string json;
  std::string html;
  std::string sarif;
  std::string junit;
  std::string perfetto;
};

class Console {
 public:
  explicit Console(const OutputOptions& options = {});
  ~Console() { clear_progress(); }
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  bool color() const { return color_; }
  std::size_t width() const;  // columns of results: those of the terminal, or 100 where it is none

  void print(const std::string& text);   // a result
  void inform(const std::string& text);  // not printed when quiet
  void trouble(const Status& status);    // like print_trouble()
  void warn(const std::string& text);    // "ravel: warning: text"
  void internal_error(const std::string& message, const std::string& schedule);

  // Replaces the line on the terminal, at most ten times a second; does nothing elsewhere.
  bool wants_progress();
  void progress(const std::string& line);
  // The same at once, for the beginning of something that takes long.
  void phase(const std::string& line) {
    if (shows_progress_) progress(line);
  }
  void clear_progress();

 private:
  std::FILE* results_;
  bool quiet_;
  bool color_;
  bool shows_progress_;
  bool line_is_shown_ = false;
  std::chrono::steady_clock::time_point next_progress_{};
};

// "ravel: what\n  advice", on stderr.
void print_trouble(const Status& status);

}  // namespace ravel
