// SPDX-License-Identifier: Apache-2.0
#include "driver/crash/thread_heading.h"

#include "driver/crash/crash_report.h"
#include "driver/crash/scan_text.h"

namespace ravel {
namespace {

std::string digits_at_front(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  return std::string(text.substr(0, end));
}

// What is between the first two of these characters.
std::string between(std::string_view text, char open, char close) {
  const std::size_t begin = text.find(open);
  if (begin == std::string_view::npos) return {};
  const std::size_t end = text.find(close, begin + 1);
  return end == std::string_view::npos ? std::string() : one_line(text.substr(begin + 1, end - begin - 1));
}

// "READ of size 8 at 0x12 thread T1", "  T1 (worker) waits for m:": the name of a thread that is T and a number.
std::string numbered_thread(std::string_view words) {
  std::string_view rest = words;
  if (const std::size_t at = words.find("thread T"); at != std::string_view::npos) rest = words.substr(at + 7);
  if (words.starts_with("Thread T")) rest = words.substr(7);
  if (!take(rest, "T")) return words.find("main thread") == std::string_view::npos ? std::string() : "T0";
  const std::string number = digits_at_front(rest);
  return number.empty() ? std::string() : "T" + number;
}

}  // namespace

std::optional<ThreadHeading> read_thread_heading(std::string_view line) {
  const std::string_view words = trimmed(line);
  ThreadHeading heading;
  std::string_view rest = words;

  // gdb: Thread 3 (Thread 0x7ffff721c6c0 (LWP 20791) "prog"):     Breakpad: Thread 0 (crashed)
  if (take(rest, "Thread ")) {
    heading.id = digits_at_front(rest);
    rest.remove_prefix(heading.id.size());
    if (!heading.id.empty()) {
      heading.name = between(rest, '"', '"');
      heading.of_later = rest.find(" received signal ") != std::string_view::npos;
      heading.crashed = heading.of_later || rest.find("(crashed)") != std::string_view::npos;
      heading.starts_stack = !heading.of_later;
      return heading;
    }
    rest = words;
  }
  if (take(rest, "[Current thread is ")) {
    heading.id = digits_at_front(rest);
    heading.crashed = heading.of_later = true;
    return heading;
  }
  // LLDB: "* thread #1, name = 'prog', stop reason = signal SIGSEGV"
  heading.crashed = take(rest, "* ");
  if (take(rest, "thread #")) {
    heading.id = digits_at_front(rest);
    if (const std::size_t name = rest.find("name = '"); name != std::string_view::npos) {
      heading.name = between(rest.substr(name), '\'', '\'');
    }
    heading.starts_stack = true;
    return heading;
  }
  heading.crashed = false;
  // Android: "pid: 4711, tid: 4715, name: worker  >>> com.example.app <<<"
  if (words.starts_with("pid: ")) {
    const std::size_t tid = words.find(", tid: ");
    if (tid == std::string_view::npos) return std::nullopt;
    heading.id = digits_at_front(words.substr(tid + 7));
    if (const std::size_t name = words.find("name: "); name != std::string_view::npos) {
      const std::string_view behind = words.substr(name + 6);
      heading.name = one_line(behind.substr(0, behind.find(">>>")));
    }
    heading.starts_stack = true;
    return heading;
  }
  // coredumpctl: "Stack trace of thread 12:"     backward-cpp: "Stack trace (most recent call last) in thread 12:"
  for (const std::string_view before : {"Stack trace of thread ", "Stack trace (most recent call last)"}) {
    rest = words;
    if (!take(rest, before)) continue;
    take(rest, " in thread ");
    heading.id = digits_at_front(rest);
    heading.starts_stack = true;
    return heading;
  }
  // The sanitizers and Ravel say above each stack what it is.
  heading.id = numbered_thread(words);
  const bool says_more = words.ends_with(':') || words.find(" of size ") != std::string_view::npos;
  if (!says_more && heading.id.empty()) return std::nullopt;
  heading.text = one_line(words.ends_with(':') ? words.substr(0, words.size() - 1) : words);
  return heading;
}

}  // namespace ravel
