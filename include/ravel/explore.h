// SPDX-License-Identifier: Apache-2.0
//
// ravel::explore: every schedule that matters, inside one unit test. Header-only, C++17; there is nothing to link.
//
//   #include <gtest/gtest.h>        // or <catch2/catch.hpp>, or <doctest/doctest.h>, or none: before this header
//   #include <ravel/explore.h>
//
//   RAVEL_TEST(Account, Deposits) {                    // a test case of the framework; its body is explored
//     int balance = 0;
//     std::thread other([&] { balance += 1; });
//     balance += 2;
//     other.join();
//     EXPECT_EQ(balance, 3);
//   }
//
//   TEST(Account, Transfers) {                         // or inside an ordinary one
//     const ravel::ExploreResult result = ravel::explore([] { ... });
//     EXPECT_TRUE(result) << result.message;
//   }
//
// The body makes its state, starts threads by any means, asserts, and returns; threads that still run then are waited
// for. It runs many times, each time as if in a process of its own that begins at the call: what it changes is gone
// afterwards, for the test too. It must not fork, exec, exit or call ravel::explore, and needs no thread that was
// started before the call.
//
// What fails an execution: whatever `ravel run` reports (data races, deadlocks, crashes, assert, exceptions that leave
// the body ...), and the assertions of the framework. The message explains it and names the schedule, which replays by
// `ravel replay FILE`, and in the test by RAVEL_REPLAY=FILE.
//
// How: this process starts `ravel explore`, which starts this program again, under control, on just this test case.
// The tool is the one that RAVEL_TOOL names, that belongs to the loaded runtime, that the build named (the CMake target
// Ravel::explore), or the first in PATH. Under `ravel run` and `ravel noise` the body is simply called.
//
// ravel::choose, ravel::label, ravel::sync_point, ravel::atomic_section and ravel::fail: <ravel/annotations.h>.
//
// Thread safety: call it from one thread at a time, the one that runs the tests.
#ifndef RAVEL_EXPLORE_H
#define RAVEL_EXPLORE_H

#include <ravel/annotations.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ravel {

// As the options of `ravel run`; what is not set here has its default there, unless said otherwise.
struct ExploreOptions {
  std::uint64_t executions = 0;             // at most; 0: 2000, or no limit if there is one of time
  std::chrono::nanoseconds time{0};         // at most; 0: no limit
  std::uint64_t seed = 1;                   // of the search and of the program's random numbers
  unsigned jobs = 1;                        // executions at a time; with 1 the result is reproducible
  std::string strategy = "auto";            // auto: dpor with half of the budget, then the portfolio
  std::string memory_model = "c11";         // or sc
  std::string points = "shared";            // or sync, all
  std::chrono::nanoseconds timeout{0};      // of one execution; 0: 10 seconds
  std::uint64_t max_steps = 0;              // of one execution; 0: 1,000,000
  bool shrink = true;                       // shorten and explain the schedule of a finding
  bool keep_going = false;                  // do not stop at the first finding
  std::string out;                          // where schedules go; empty: .ravel/NAME_OF_THE_CASE
  std::vector<std::string> more_arguments;  // further options of `ravel run`, such as {"--no-races"}
  bool quiet = false;                       // do not print the summary of a test that passed
};

struct ExploreFinding {
  std::string kind;      // as in reports: "data-race", "deadlock", "assertion" ...
  std::string message;   // one sentence
  std::string schedule;  // the file; empty when none could be saved
};

struct [[nodiscard]] ExploreResult {
  bool passed = false;
  bool complete = false;  // every schedule was explored
  std::uint64_t executions = 0;
  std::uint64_t distinct_orders = 0;
  std::uint64_t partial_orders = 0;  // that an exhaustive search explored; 0: none was made
  std::uint64_t fingerprint = 0;     // of all executions in their order: how they went and how they ended
  std::vector<ExploreFinding> findings;
  std::string summary;  // one line: "complete: 212 partial orders, 230 executions"
  std::string message;  // the reports of all findings, or why nothing could be explored; ends with the summary

  explicit operator bool() const { return passed; }
  friend std::ostream& operator<<(std::ostream& out, const ExploreResult& result) { return out << result.message; }
};

// What does not depend on the test framework.
namespace exploring {

// What the runtime says a call is to do (runtime/interpose/explored_body.h has the same numbers).
enum class Call : std::uint32_t { start_tool = 0, run_body = 1, passed = 2, failed = 3, run_once = 4 };

template <typename Function>
Function look_up(const char* name) {
  void* const found = dlsym(RTLD_DEFAULT, name);
  Function function = nullptr;
  std::memcpy(&function, &found, sizeof found);
  return function;
}

inline Call ask_runtime(std::uint64_t test_case, std::uint32_t call) {
  const auto ask = look_up<std::uint32_t (*)(std::uint64_t, std::uint32_t)>("ravel_runtime_explore");
  return ask == nullptr ? Call::start_tool : static_cast<Call>(ask(test_case, call));
}

inline std::string one_line(const std::string& text) {
  std::string line;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\n') {
      line += text[i];
      continue;
    }
    while (i + 1 < text.size() && (text[i + 1] == ' ' || text[i + 1] == '\n')) ++i;
    if (i + 1 < text.size()) line += line.empty() || line.back() == ':' ? " " : "; ";
  }
  return line;
}

// For the parts that hear of a framework's failures. Returns if no body is explored here.
inline void assertion_failed(const std::string& what, const char* file, std::size_t line) {
  const auto tell = look_up<void (*)(const char*)>("ravel_runtime_assertion_failed");
  if (tell == nullptr) return;
  constexpr std::size_t kLongest = 300;
  std::string text = one_line(what);
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  tell(("assertion `" + text + "` failed at " + (file == nullptr ? "?" : file) + ":" + std::to_string(line)).c_str());
}

inline std::uint64_t hash_of(const std::string& name) {
  if (name.empty()) return 0;
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

// The calls of the current test case in this process. In the process that is started for one of them only that case
// runs, so their numbers are the same there.
struct CallsOfCase {
  std::string name;
  std::uint32_t calls = 0;
  std::uint64_t failed = 0;  // bit set, of the first 64
};
inline CallsOfCase& calls_of_case(const std::string& name) {
  static CallsOfCase current;
  if (current.name != name) current = CallsOfCase{name, 0, 0};
  return current;
}

// An exception that leaves the body must end the execution where it was thrown, with the stack as it is. So for the
// unwinder the stack ends here: nobody catches it, whatever the framework would do.
template <typename Body>
[[gnu::noinline]] void run_body(Body& body) {
#if defined(__x86_64__)
  __asm__ volatile(".cfi_undefined 16");  // the return address
#endif
  body();
  __asm__ volatile("");  // so that this is no tail call
}

inline std::string read_all(int descriptor) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t count = ::read(descriptor, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(count));
  }
}

inline std::vector<std::string> own_arguments() {
  const int file = ::open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  const std::string text = read_all(file);
  ::close(file);
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    words.emplace_back(text.c_str() + at);
    at += words.back().size() + 1;
  }
  return words;
}

inline std::string own_file() {
  char path[4096];
  const ssize_t size = ::readlink("/proc/self/exe", path, sizeof path);
  return size > 0 ? std::string(path, static_cast<std::size_t>(size)) : std::string();
}

// The program as it was typed, if that still names it from here.
inline std::string own_name(const std::string& typed) {
  struct stat here = {};
  struct stat there = {};
  const bool same = typed.find('/') != std::string::npos && ::stat(typed.c_str(), &here) == 0 &&
                    ::stat("/proc/self/exe", &there) == 0 && here.st_dev == there.st_dev && here.st_ino == there.st_ino;
  return same ? typed : own_file();
}

inline bool can_be_started(const std::string& path) { return !path.empty() && ::access(path.c_str(), X_OK) == 0; }

// Empty: there is none.
inline std::string find_tool() {
  if (const char* const named = std::getenv("RAVEL_TOOL")) return can_be_started(named) ? named : "";
  Dl_info library{};
  void* const symbol = dlsym(RTLD_DEFAULT, "ravel_runtime_explore");
  if (symbol != nullptr && dladdr(symbol, &library) != 0 && library.dli_fname != nullptr) {
    std::string folder = library.dli_fname;
    for (int up = 0; up < 3; ++up) {  // PREFIX/lib/libravel.so, PREFIX/lib/ravel/libravel.so
      folder.erase(folder.find_last_of('/') == std::string::npos ? 0 : folder.find_last_of('/'));
      if (can_be_started(folder + "/bin/ravel")) return folder + "/bin/ravel";
    }
  }
#ifdef RAVEL_TOOL_PATH
  if (can_be_started(RAVEL_TOOL_PATH)) return RAVEL_TOOL_PATH;
#endif
  const char* const variable = std::getenv("PATH");
  std::stringstream path(variable == nullptr ? "/usr/local/bin:/usr/bin:/bin" : variable);
  for (std::string folder; std::getline(path, folder, ':');) {
    if (can_be_started(folder + "/ravel")) return folder + "/ravel";
  }
  return "";
}

// Variables that would keep the started program from coming to the same call.
inline std::vector<char*> environment_for_tool() {
  static const char* const kLeftOut[] = {
      "RAVEL_REPLAY=", "GTEST_TOTAL_SHARDS=", "GTEST_SHARD_INDEX=", "GTEST_SHARD_STATUS_FILE="};
  std::vector<char*> kept;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    bool left_out = false;
    for (const char* const name : kLeftOut) left_out = left_out || std::strncmp(*entry, name, std::strlen(name)) == 0;
    if (!left_out) kept.push_back(*entry);
  }
  kept.push_back(nullptr);
  return kept;
}

inline ExploreResult failed(const std::string& sentence) {
  ExploreResult result;
  result.summary = sentence;
  result.message = "ravel: " + sentence;
  return result;
}

// What `ravel explore` says: driver/cli/explore.cpp.
inline ExploreResult read_answer(const std::string& text) {
  static const std::string kEnd = "\nend\n";
  const bool whole = text.size() >= kEnd.size() && text.compare(text.size() - kEnd.size(), kEnd.size(), kEnd) == 0;
  if (!whole) return failed("`ravel explore` ended without an answer; what it printed says why");
  ExploreResult result;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = text.find('\n', at);
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    const std::size_t space = line.find(' ');
    const std::string key = line.substr(0, space);
    const std::string value = space == std::string::npos ? std::string() : line.substr(space + 1);
    if (key == "passed") result.passed = value == "1";
    if (key == "complete") result.complete = value == "1";
    if (key == "executions") result.executions = std::strtoull(value.c_str(), nullptr, 10);
    if (key == "orders") result.distinct_orders = std::strtoull(value.c_str(), nullptr, 10);
    if (key == "partial") result.partial_orders = std::strtoull(value.c_str(), nullptr, 10);
    if (key == "fingerprint") result.fingerprint = std::strtoull(value.c_str(), nullptr, 10);
    if (key == "summary") result.summary = value;
    if (key == "finding") {
      const std::size_t first = value.find('\t');
      const std::size_t second = value.find('\t', first + 1);
      result.findings.push_back(
          {value.substr(0, first), value.substr(second + 1), value.substr(first + 1, second - first - 1)});
    }
    if (key == "message") break;
  }
  result.message = text.substr(at, text.size() - kEnd.size() - at);
  return result;
}

// The lines of a message that are notes.
inline std::vector<std::string> notes_in(const std::string& message) {
  std::vector<std::string> notes;
  std::stringstream lines(message);
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, 6, "note: ") == 0) notes.push_back(line);
  }
  return notes;
}

inline std::string seconds_text(std::chrono::nanoseconds time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(time).count()) + "ms";
}

// A name that can be a folder.
inline std::string folder_name(const std::string& name) {
  std::string folder;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                       c == '-' || (c == '.' && !folder.empty());
    folder += plain ? c : '_';
  }
  return folder.substr(0, 200);
}

inline std::vector<std::string> tool_arguments(const ExploreOptions& options, const CallsOfCase& calls,
                                               const std::vector<std::string>& program) {
  std::vector<std::string> words = {"ravel",    "explore",
                                    "--result", "3",
                                    "--call",   std::to_string(calls.calls),
                                    "--case",   std::to_string(hash_of(calls.name)),
                                    "--failed", std::to_string(calls.failed)};
  const auto add = [&words](const char* option, const std::string& value) {
    words.emplace_back(option);
    words.push_back(value);
  };
  if (const char* const schedule = std::getenv("RAVEL_REPLAY")) add("--replay", schedule);
  if (options.executions != 0) add("--executions", std::to_string(options.executions));
  if (options.time.count() != 0) add("--time", seconds_text(options.time));
  if (options.timeout.count() != 0) add("--timeout", seconds_text(options.timeout));
  if (options.max_steps != 0) add("--max-steps", std::to_string(options.max_steps));
  add("--seed", std::to_string(options.seed));
  add("--jobs", std::to_string(options.jobs));
  add("--strategy", options.strategy);
  add("--memory-model", options.memory_model);
  add("--points", options.points);
  if (!options.shrink) words.emplace_back("--no-shrink");
  if (options.keep_going) words.emplace_back("--keep-going");
  add("--out", !options.out.empty() ? options.out
               : calls.name.empty() ? ".ravel"
                                    : ".ravel/" + folder_name(calls.name));
  words.insert(words.end(), options.more_arguments.begin(), options.more_arguments.end());
  words.emplace_back("--");
  words.insert(words.end(), program.begin(), program.end());
  return words;
}

// Starts the tool and waits for its answer. `program`: the command line that runs this test case alone.
inline ExploreResult ask_tool(const ExploreOptions& options, const CallsOfCase& calls,
                              std::vector<std::string> program) {
  const std::string tool = find_tool();
  if (tool.empty()) {
    return failed(
        "ravel::explore needs the tool `ravel`: put it on the PATH, or name it with RAVEL_TOOL=/path/to/ravel");
  }
  if (program.empty()) return failed("ravel::explore cannot read /proc/self/cmdline, which says how to start the test");
  program[0] = own_name(program[0]);
  std::vector<std::string> words = tool_arguments(options, calls, program);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(&word[0]);
  arguments.push_back(nullptr);
  std::vector<char*> environment = environment_for_tool();

  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return failed(std::string("ravel::explore cannot make a pipe: ") + std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 3);
  std::fflush(nullptr);
  pid_t process = -1;
  const int error = ::posix_spawn(&process, tool.c_str(), &actions, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (error != 0) {
    ::close(ends[0]);
    return failed("ravel::explore cannot start " + tool + ": " + std::strerror(error));
  }
  const std::string answer = read_all(ends[0]);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return read_answer(answer);
}

inline ExploreResult verdict_from_before(bool passed) {
  ExploreResult result;
  result.passed = passed;
  result.summary = "explored by another process";
  return result;
}

// `Framework` says which test case runs, how to start it alone, and reports its failed assertions.
template <typename Framework, typename Body>
ExploreResult explore(const ExploreOptions& options, Body& body) {
  const std::string name = Framework::case_name();
  CallsOfCase& calls = calls_of_case(name);
  ++calls.calls;
  std::fflush(nullptr);  // what was printed before does not belong to the executions
  // Here it is looked up once, after the body in each execution.
  const auto end_of_body = look_up<void (*)()>("ravel_runtime_explore_end");
  switch (ask_runtime(hash_of(name), calls.calls)) {
    case Call::start_tool:
      break;
    case Call::run_body:
      Framework::run_body(body);
      end_of_body();
      std::abort();  // it does not return
    case Call::passed:
      return verdict_from_before(true);
    case Call::failed:
      return verdict_from_before(false);
    case Call::run_once: {
      body();
      ExploreResult result;
      result.passed = true;
      result.executions = 1;
      result.distinct_orders = 1;
      result.summary = "not explored here: the whole program is";
      return result;
    }
  }
  ExploreResult result = ask_tool(options, calls, Framework::only_case(own_arguments()));
  if (!result.passed && calls.calls <= 64) calls.failed |= std::uint64_t{1} << (calls.calls - 1);
  if (result.passed && !options.quiet) {
    const std::string before = name.empty() ? "" : name + ": ";
    std::fprintf(stderr, "ravel: %s%s\n", before.c_str(), result.summary.c_str());
    for (const std::string& note : notes_in(result.message)) {
      std::fprintf(stderr, "ravel: %s%s\n", before.c_str(), note.c_str());
    }
  }
  return result;
}

// A program without a test framework: the whole of it is one case.
struct NoFramework {
  static std::string case_name() { return ""; }
  static std::vector<std::string> only_case(std::vector<std::string> arguments) { return arguments; }
  template <typename Body>
  static void run_body(Body& body) {
    exploring::run_body(body);
  }
};

}  // namespace exploring
}  // namespace ravel

// Each framework has a namespace of its own, so that files of one program may use different ones.
#define RAVEL_EXPLORE_WITH_(Framework)                                              \
  template <typename Body, typename = std::enable_if_t<std::is_invocable_v<Body&>>> \
  ExploreResult explore(Body&& body) {                                              \
    return exploring::explore<Framework>(ExploreOptions(), body);                   \
  }                                                                                 \
  template <typename Body, typename = std::enable_if_t<std::is_invocable_v<Body&>>> \
  ExploreResult explore(const ExploreOptions& options, Body&& body) {               \
    return exploring::explore<Framework>(options, body);                            \
  }

#if defined(GTEST_TEST)
#include <ravel/explore_gtest.h>
#elif defined(CATCH_VERSION_MAJOR)
#include <ravel/explore_catch2.h>
#elif defined(DOCTEST_VERSION)
#include <ravel/explore_doctest.h>
#else
namespace ravel {
inline namespace without_framework {
RAVEL_EXPLORE_WITH_(exploring::NoFramework)
}  // namespace without_framework
}  // namespace ravel

#define RAVEL_TEST(Suite, Name)                                                                            \
  static_assert(sizeof(#Suite #Name) == 0,                                                                 \
                "RAVEL_TEST needs GoogleTest, Catch2 or doctest, included before <ravel/explore.h>; in a " \
                "program without them call ravel::explore(body)");                                         \
  inline void ravel_test_without_framework_##Suite##_##Name()
#endif

#endif  // RAVEL_EXPLORE_H
