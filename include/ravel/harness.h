// SPDX-License-Identifier: Apache-2.0
//
// The part of every harness of `ravel reproduce` that is the same: runs sequences of calls that are given by numbers.
// The generated file that includes it has the calls, as functions, and their values. Not for programs of your own.
//
//   harness serve             reads a sequence a line from standard input, performs each in a process of its own, and
//                             traces its last call (trace/call_trace.h)
//   harness test P S...       performs the sequence P, then each sequence S in a thread of its own
//
// A sequence is "operation value value;operation value": numbers in the order of the generated tables.
// Thread safety: main's thread, until the threads of a test begin.
#ifndef RAVEL_HARNESS_H
#define RAVEL_HARNESS_H

#include <cxxabi.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <type_traits>
#include <typeinfo>
#include <vector>

// Ours, not the user's: it is no part of what is traced or explored.
#define RAVEL_HARNESS_CODE __attribute__((no_sanitize("thread")))

namespace ravel_harness {

constexpr int kMostValues = 12;  // of one call

struct HarnessCall {
  int operation = -1;
  int value[kMostValues] = {};
};

struct HarnessOperation {
  int values;  // how many
  void (*perform)(const int* value);
};

// What the generated file defines.
struct Harness {
  const HarnessOperation* operations;
  int operation_count;
  void (**slots)();  // each makes one object that calls share
  int slot_count;
  const void* (*object)();    // the object under test; null before its constructor has run
  unsigned long object_size;  // 0: nobody but the library knows
};

// What calls return is kept for other calls, until the one that is traced or those that run at the same time.
inline bool keeps_results = true;

// A factory or a function that opens a handle gave none.
struct NoObject {};

template <typename Object>
RAVEL_HARNESS_CODE Object* made(Object* object) {
  if (object == nullptr) throw NoObject();
  return object;
}

// Of a handle, the struct may be known by name only.
template <typename Object, unsigned long Size = sizeof(Object)>
constexpr unsigned long known_size(int) {
  return Size;
}
template <typename Object>
constexpr unsigned long known_size(...) {
  return 0;
}
template <typename Object>
constexpr unsigned long size_of(Object*) {
  if constexpr (std::is_void_v<Object>) return 0;
  return known_size<Object>(0);
}

// As in trace/call_trace.h.
constexpr int kAnswerDescriptor = 703;
enum class Outcome : std::uint32_t { crashed, returned, threw };
struct TraceHead {
  Outcome outcome;
  std::uint32_t failed_call;
  std::uint32_t event_count;
  std::uint32_t overflow;
  std::uint64_t state;
  std::uint64_t first_new;
  char exception[128];
};

template <typename Function>
RAVEL_HARNESS_CODE Function look_up(const char* name) {
  void* const found = dlsym(RTLD_DEFAULT, name);
  Function function = nullptr;
  std::memcpy(&function, &found, sizeof found);
  return function;
}

RAVEL_HARNESS_CODE inline std::vector<HarnessCall> parse(const Harness& harness, const char* text) {
  std::vector<HarnessCall> calls;
  while (*text != '\0') {
    HarnessCall call;
    char* end = nullptr;
    call.operation = static_cast<int>(std::strtol(text, &end, 10));
    if (end == text || call.operation < 0 || call.operation >= harness.operation_count) std::_Exit(97);
    text = end;
    for (int i = 0; i < harness.operations[call.operation].values; ++i) {
      call.value[i] = static_cast<int>(std::strtol(text, &end, 10));
      text = end;
    }
    calls.push_back(call);
    if (*text == ';') ++text;
  }
  return calls;
}

RAVEL_HARNESS_CODE inline void perform(const Harness& harness, const HarnessCall& call) {
  harness.operations[call.operation].perform(call.value);
}

// One sequence, in a process of its own.
RAVEL_HARNESS_CODE inline void trace(const Harness& harness, const std::vector<HarnessCall>& calls, TraceHead& head) {
  static const auto prepare = look_up<void (*)()>("ravel_calls_prepare");
  static const auto begin = look_up<void (*)()>("ravel_calls_begin");
  static const auto end = look_up<void (*)()>("ravel_calls_end");
  static const auto state = look_up<void (*)(const void*, unsigned long)>("ravel_calls_state");
  const HarnessCall last = calls.back();  // the vector's functions are instrumented like all templates
  alarm(2);
  const rlimit limit{1, 1};  // of processor time: a call that never ends
  setrlimit(RLIMIT_CPU, &limit);
  prepare();
  try {
    for (head.failed_call = 0; head.failed_call + 1 < calls.size(); ++head.failed_call) {
      perform(harness, calls[head.failed_call]);
    }
    keeps_results = false;
    begin();
    perform(harness, last);
    end();
    state(harness.object(), harness.object_size);
    head.outcome = Outcome::returned;
  } catch (...) {
    end();
    head.outcome = Outcome::threw;
    if (const std::type_info* const type = abi::__cxa_current_exception_type()) {
      std::strncpy(head.exception, type->name(), sizeof head.exception - 1);
    }
  }
  _exit(0);
}

RAVEL_HARNESS_CODE inline int serve(const Harness& harness) {
  const auto open_trace = look_up<TraceHead* (*)()>("ravel_calls_open");
  TraceHead* const head = open_trace == nullptr ? nullptr : open_trace();
  if (head == nullptr) return 96;
  // What the calls print is nobody's concern.
  const int nowhere = open("/dev/null", O_RDWR);
  dup2(nowhere, 1);
  dup2(nowhere, 2);
  // A slot whose constructor fails stays empty.
  for (int i = 0; i < harness.slot_count; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      try {
        harness.slots[i]();
      } catch (...) {
        _exit(1);
      }
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status == 0) harness.slots[i]();
  }
  std::string line;
  char buffer[4096];
  for (ssize_t count = 0; (count = read(0, buffer, sizeof buffer)) > 0;) {
    line.append(buffer, static_cast<std::size_t>(count));
    for (std::size_t newline = 0; (newline = line.find('\n')) != std::string::npos; line.erase(0, newline + 1)) {
      const std::vector<HarnessCall> calls = parse(harness, line.substr(0, newline).c_str());
      std::memset(static_cast<void*>(head), 0, sizeof *head);
      const pid_t child = fork();
      if (child == 0) trace(harness, calls, *head);
      int status = 0;
      waitpid(child, &status, 0);
      const char done = '.';
      if (write(kAnswerDescriptor, &done, 1) != 1) return 0;
    }
  }
  return 0;
}

RAVEL_HARNESS_CODE inline int test(const Harness& harness, int count, char** sequences) {
  for (int i = 0; i < harness.slot_count; ++i) {
    try {
      harness.slots[i]();
    } catch (...) {
    }
  }
  for (const HarnessCall& call : parse(harness, sequences[0])) perform(harness, call);
  keeps_results = false;
  std::vector<std::vector<HarnessCall>> suffixes;
  for (int i = 1; i < count; ++i) suffixes.push_back(parse(harness, sequences[i]));
  std::vector<std::thread> threads;
  threads.reserve(suffixes.size());
  for (const std::vector<HarnessCall>& suffix : suffixes) {
    threads.emplace_back([&harness, &suffix]() RAVEL_HARNESS_CODE {
      for (const HarnessCall& call : suffix) perform(harness, call);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::_Exit(0);
}

RAVEL_HARNESS_CODE inline int run(const Harness& harness, int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "serve") == 0) return serve(harness);
  if (argc > 3 && std::strcmp(argv[1], "test") == 0) return test(harness, argc - 2, argv + 2);
  return 98;
}

}  // namespace ravel_harness

#endif  // RAVEL_HARNESS_H
