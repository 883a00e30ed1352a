// SPDX-License-Identifier: Apache-2.0
#include "driver/crash/failure_notes.h"

#include <utility>

#include <fmt/format.h>

#include "driver/crash/scan_text.h"
#include "driver/target/failure_words.h"

namespace ravel {
namespace {

enum Weight : int { kAbort = 1, kSignal, kThrown, kDetector };

// Of the words that a sanitizer has for what it found.
std::optional<FindingKind> kind_of(std::string_view words) {
  static constexpr std::pair<std::string_view, FindingKind> kWords[] = {
      {"use-after-free", FindingKind::use_after_free},
      {"double-free", FindingKind::double_free},
      {"bad-free", FindingKind::bad_free},
      {"attempting free on address", FindingKind::bad_free},
      {"alloc-dealloc-mismatch", FindingKind::bad_free},
      {"use-of-uninitialized-value", FindingKind::uninitialised_read},
      {"data race", FindingKind::data_race},
      {"lock-order-inversion", FindingKind::deadlock},
      {"deadlock", FindingKind::deadlock},
      {"mutex", FindingKind::lock_misuse},
      {"SEGV", FindingKind::signal},
      {"BUS", FindingKind::signal},
      {"FPE", FindingKind::signal},
      {"ILL", FindingKind::signal},
      {"ABRT", FindingKind::abort},
  };
  for (const auto& [word, kind] : kWords) {
    if (words.find(word) != std::string_view::npos) return kind;
  }
  return std::nullopt;
}

// "SIGSEGV" at the front of the text; empty when it is no name of a signal.
std::string_view signal_name(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (is_name_character(text[end]))) ++end;
  return text.starts_with("SIG") && end > 3 ? text.substr(0, end) : std::string_view();
}

// What follows the words in the line.
std::optional<std::string_view> behind(std::string_view line, std::string_view words) {
  const std::size_t at = line.find(words);
  if (at == std::string_view::npos) return std::nullopt;
  return line.substr(at + words.size());
}

}  // namespace

void FailureNotes::note(int weight, CrashFailure failure) {
  if (weight <= weight_) return;
  if (failure.signal.empty()) failure.signal = failure_.signal;
  weight_ = weight;
  failure.message = one_line(failure.message);
  failure_ = std::move(failure);
}

void FailureNotes::note_signal(std::string_view name, std::string_view message) {
  const bool is_abort = name == "SIGABRT";
  if (failure_.signal.empty()) failure_.signal = std::string(name);
  const FindingKind kind = is_abort ? FindingKind::abort : FindingKind::signal;
  note(is_abort ? kAbort : kSignal, {kind, std::string(trimmed(message)), std::string(name), {}});
}

// "==12==ERROR: AddressSanitizer: heap-use-after-free on address ...", "run.cpp:1:2: runtime error: ..."
bool FailureNotes::take_detector(std::string_view line) {
  if (const auto words = behind(line, ": runtime error: ")) {
    note(kDetector, {kind_of(*words), std::string(*words), {}, "UndefinedBehaviorSanitizer"});
    return true;
  }
  for (const std::string_view level : {"ERROR: ", "WARNING: "}) {
    auto rest = behind(line, level);
    if (!rest) continue;
    const std::string_view detector = rest->substr(0, rest->find(':'));
    if (!detector.ends_with("Sanitizer") || detector.find(' ') != std::string_view::npos) continue;
    std::string_view words = trimmed(rest->substr(detector.size() + (rest->size() > detector.size() ? 1 : 0)));
    for (const std::string_view end : {" on address", " on unknown address", " (pid=", " at pc", ": 0x"}) {
      words = words.substr(0, words.find(end));
    }
    note(kDetector, {kind_of(words), std::string(words), {}, std::string(detector)});
    return true;
  }
  return false;
}

// "finding 1: assertion: an assertion failed", and the message on the next line.
bool FailureNotes::take_ravel(std::string_view line) {
  if (std::exchange(message_follows_, false) && line.starts_with("  ")) failure_.message = one_line(line);
  std::string_view rest = line;
  if (take(rest, "finding ")) {
    if (!take_number(rest) || !take(rest, ": ")) return false;
  }
  const std::size_t colon = rest.find(": ");
  if (colon == std::string_view::npos) return false;
  const std::optional<FindingKind> kind = finding_from_name(rest.substr(0, colon));
  if (!kind || trimmed(rest.substr(colon + 2)) != finding_sentence(*kind)) return false;
  if (weight_ >= kDetector) return false;
  note(kDetector, {*kind, finding_sentence(*kind), {}, {}});
  message_follows_ = true;
  return true;
}

void FailureNotes::take_line(std::string_view line) {
  if (take_ravel(line) || take_detector(line)) return;
  if (line.find("Assertion `") != std::string_view::npos || line.find("terminate called") != std::string_view::npos) {
    const AbortReason reason = abort_reason(std::string(line) + "\n");
    if (reason.kind != FindingKind::abort) note(kThrown, {reason.kind, reason.message, "SIGABRT", {}});
    return;
  }
  const std::string_view words = trimmed(line);
  if (words.starts_with("what():") && failure_.kind == FindingKind::uncaught_exception && !has_what_) {
    has_what_ = true;
    failure_.message += fmt::format(": {}", one_line(words.substr(7)));
    return;
  }
  // "Thread 3 "prog" received signal SIGSEGV, Segmentation fault.", "stop reason = signal SIGSEGV: ...",
  // "Crash reason:  SIGSEGV /SEGV_MAPERR"
  for (const std::string_view before :
       {"received signal ", "terminated with signal ", "stop reason = signal ", "Crash reason:"}) {
    const auto rest = behind(line, before);
    const std::string_view name = rest ? signal_name(trimmed(*rest)) : std::string_view();
    // Where a debugger stops the other threads.
    if (name.empty() || name == "SIGSTOP" || name == "SIGINT" || name == "SIGTRAP") continue;
    note_signal(name, *rest);
    return;
  }
  // coredumpctl: "Signal: 11 (SEGV)". Android: "signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0"
  for (const std::string_view before : {"Signal: ", "signal "}) {
    std::string_view rest = words;
    if (!take(rest, before) || !take_number(rest) || !take(rest, " (")) continue;
    std::string name(rest.substr(0, rest.find(')')));
    if (!name.starts_with("SIG")) name = "SIG" + name;
    note_signal(signal_name(name), words);
    return;
  }
  if (auto message = behind(line, "Abort message: '")) {
    if (message->ends_with('\'')) message->remove_suffix(1);
    // glibc and bionic say the same of an assertion, in other words.
    const bool assertion = message->find("assertion \"") != std::string_view::npos;
    note(kThrown, {assertion ? FindingKind::assertion : FindingKind::abort, std::string(*message), "SIGABRT", {}});
    return;
  }
  // backward-cpp, and shells.
  if (words.starts_with("Segmentation fault")) note_signal("SIGSEGV", words);
  if (words.starts_with("Bus error")) note_signal("SIGBUS", words);
  if (words.starts_with("Floating point exception")) note_signal("SIGFPE", words);
  if (words == "Aborted" || words.starts_with("Aborted (")) note_signal("SIGABRT", words);
}

void FailureNotes::take_frames(const CrashThread& thread) {
  if (weight_ > kAbort) return;
  for (const CrashFrame& frame : thread.frames) {
    const std::string name = frame.name.qualified();
    if (name == "__assert_fail" || name == "__GI___assert_fail" || name == "__assert_fail_base" ||
        name == "__assert2") {
      note(kThrown, {FindingKind::assertion, "an assertion failed", "SIGABRT", {}});
    } else if (name == "std::terminate" || name == "__cxxabiv1::__terminate") {
      note(kThrown, {FindingKind::uncaught_exception, "std::terminate was called", "SIGABRT", {}});
    } else if (name == "abort" || name == "__GI_abort") {
      note(kAbort, {FindingKind::abort, "the program called abort", "SIGABRT", {}});
    }
  }
}

}  // namespace ravel
