// SPDX-License-Identifier: Apache-2.0
#include "driver/target/failure_words.h"

#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstring>

#include <fmt/format.h>

#include "driver/target/execution_record.h"

namespace ravel {
namespace {

constexpr std::string_view kAssertion = ": Assertion `";
constexpr std::string_view kFailed = "' failed.";
constexpr std::string_view kThrown = "terminate called after throwing an instance of '";

std::string_view line_at(std::string_view text, std::size_t at) {
  const std::size_t begin = text.rfind('\n', at) == std::string_view::npos ? 0 : text.rfind('\n', at) + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

// "prog: file.cpp:12: int main(): Assertion `x == 1' failed." glibc puts the name of the program first; the function
// may be missing, and may contain anything.
std::optional<std::string> assertion_words(std::string_view line) {
  const std::size_t mark = line.find(kAssertion);
  const std::size_t end = line.rfind(kFailed);
  if (mark == std::string_view::npos || end == std::string_view::npos || end < mark + kAssertion.size()) {
    return std::nullopt;
  }
  const std::string_view expression = line.substr(mark + kAssertion.size(), end - mark - kAssertion.size());
  std::string_view where = line.substr(0, mark);
  const std::size_t name = where.find(": ");
  if (name == std::string_view::npos) return fmt::format("assertion `{}` failed", expression);
  where.remove_prefix(name + 2);
  const std::size_t place = where.find(": ");
  if (place == std::string_view::npos) return fmt::format("assertion `{}` failed at {}", expression, where);
  return fmt::format("assertion `{}` failed at {} in {}", expression, where.substr(0, place), where.substr(place + 2));
}

std::string_view line_number(std::string_view text, std::size_t number) {
  for (; number > 1; --number) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

std::string quoted(std::string_view line) {
  constexpr std::size_t kMost = 80;
  std::string text = "'";
  for (const char c : line.substr(0, kMost)) text += c >= 0 && c < ' ' ? '?' : c;
  return text + (line.size() > kMost ? "...'" : "'");
}

}  // namespace

AbortReason abort_reason(std::string_view output) {
  // The last message is the one that belongs to the death.
  for (std::size_t at = output.rfind(kAssertion); at != std::string_view::npos && at > 0;
       at = output.rfind(kAssertion, at - 1)) {
    if (const auto words = assertion_words(line_at(output, at))) return {FindingKind::assertion, *words};
  }
  if (const std::size_t at = output.rfind(kThrown); at != std::string_view::npos) {
    const std::string_view rest = output.substr(at + kThrown.size());
    const std::string_view type = rest.substr(0, rest.find("'\n"));
    return {FindingKind::uncaught_exception, fmt::format("an exception of type {} was not caught", type)};
  }
  if (output.find("terminate called") != std::string_view::npos) {
    return {FindingKind::uncaught_exception, "std::terminate was called"};
  }
  return {FindingKind::abort, "the program called abort"};
}

FindingRecord failure_record(FindingKind kind, std::string_view message) {
  FindingRecord record;
  record.kind = kind;
  std::memcpy(record.message, message.data(), std::min(message.size(), sizeof record.message - 1));
  return record;
}

std::optional<FindingRecord> failure_of_status(int wait_status, std::string_view output) {
  if (WIFSIGNALED(wait_status)) {
    const int number = WTERMSIG(wait_status);
    if (number == SIGABRT) {
      const AbortReason reason = abort_reason(output);
      return failure_record(reason.kind, reason.message);
    }
    FindingRecord record =
        failure_record(FindingKind::signal, fmt::format("the program was killed by {}", signal_text(number)));
    record.signal_number = static_cast<std::uint8_t>(number);
    return record;
  }
  if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) != 0) {
    return failure_record(FindingKind::exit_code,
                          fmt::format("the program ended with exit code {}", WEXITSTATUS(wait_status)));
  }
  return std::nullopt;
}

std::string first_difference(std::string_view expected, std::string_view output) {
  const auto [one, other] = std::mismatch(expected.begin(), expected.end(), output.begin(), output.end());
  const auto number = static_cast<std::size_t>(1 + std::count(expected.begin(), one, '\n'));
  if (other == output.end()) {
    return fmt::format("the output ends in line {}, where {} should follow", number,
                       quoted(line_number(expected, number)));
  }
  if (one == expected.end()) {
    return fmt::format("the output continues in line {}, where it should end: {}", number,
                       quoted(line_number(output, number)));
  }
  return fmt::format("the outputs differ in line {}: expected {}, got {}", number,
                     quoted(line_number(expected, number)), quoted(line_number(output, number)));
}

}  // namespace ravel
