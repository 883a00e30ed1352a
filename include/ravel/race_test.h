// SPDX-License-Identifier: Apache-2.0
//
// Race tests as plain functions, for programs without a test framework. Header-only, C++17; link with libravel_sync.a.
//
//   void fill() { list = new List; }
//   void add_and_ask() { ... two threads ... }
//   void drop() { delete list; }
//   RAVEL_RACE_TEST(list_add_empty, fill, add_and_ask, drop)
//   RAVEL_RACE_TEST_MAIN()                                     // once in the program
//
// RAVEL_RACE_TEST(name, setup, test, teardown)
//     Defines a test from three functions or captureless lambdas of type void(). Pass nullptr for a setup or teardown
//     you do not need. The name is that of its race.txt; quote it if it is not a C++ identifier.
// RAVEL_RACE_TEST_MAIN()
//     Defines main. It runs the test that the environment variable RAVEL_RACE_TEST names. Without the variable it runs
//     all tests one after the other; their actions then do nothing. --list prints the names. Exit code 2: no such test.
// RAVEL_RACE_PROGRAM(name, setup, teardown)
//     The test is the program's own main. If it is the running test, setup is called before main, among the
//     constructors of global objects, and teardown when the program exits.
//
// A test fails like any program: by an assertion, an uncaught exception, or a report of the detector.
//
// Thread safety: tests are registered before main and run on the main thread.
#ifndef RAVEL_RACE_TEST_H
#define RAVEL_RACE_TEST_H

#include <ravel/sync.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace ravel::race_tests {

using Function = void (*)();

// One registered test: a global object, in a list in order of construction.
class Registration {
 public:
  Registration(const char* name, Function setup, Function test, Function teardown)
      : name_(unquoted(name)), setup_(setup), test_(test), teardown_(teardown) {
    *end_ = this;
    end_ = &next_;
  }
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;

  static const Registration* first() { return first_; }
  const Registration* next() const { return next_; }
  const std::string& name() const { return name_; }

  void run() const {
    if (setup_ != nullptr) setup_();
    test_();
    if (teardown_ != nullptr) teardown_();
  }

  // The macros stringify their argument, which may already be a string literal.
  static std::string unquoted(const char* name) {
    const std::size_t size = std::strlen(name);
    const bool quoted = size >= 2 && name[0] == '"' && name[size - 1] == '"';
    return quoted ? std::string(name + 1, size - 2) : std::string(name, size);
  }

 private:
  // Constant-initialised, so the order in which the program's files are initialised does not matter.
  inline static const Registration* first_ = nullptr;
  inline static const Registration** end_ = &first_;

  std::string name_;
  Function setup_;
  Function test_;
  Function teardown_;
  const Registration* next_ = nullptr;
};

// What RAVEL_RACE_PROGRAM defines: a global object, so its destructor runs when the program exits.
class Program {
 public:
  Program(const char* name, Function setup, Function teardown) {
    if (ravel_sync_is_running(Registration::unquoted(name).c_str()) == 0) return;
    if (setup != nullptr) setup();
    teardown_ = teardown;
  }
  ~Program() {
    if (teardown_ != nullptr) teardown_();
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

 private:
  Function teardown_ = nullptr;
};

// What RAVEL_RACE_TEST_MAIN calls.
inline int run_main(int count, char** words) {
  const bool lists = count > 1 && std::strcmp(words[1], "--list") == 0;
  if (count > (lists ? 2 : 1)) {
    std::fprintf(stderr,
                 "%s: unknown argument \"%s\"; the only option is --list, and RAVEL_RACE_TEST=NAME selects a test\n",
                 words[0], words[lists ? 2 : 1]);
    return 2;
  }
  const char* const wanted = lists ? nullptr : std::getenv("RAVEL_RACE_TEST");
  bool found = wanted == nullptr;
  for (const Registration* test = Registration::first(); test != nullptr; test = test->next()) {
    if (lists) {
      std::printf("%s\n", test->name().c_str());
    } else if (wanted == nullptr || test->name() == wanted) {
      found = true;
      test->run();
    }
  }
  if (found) return 0;
  std::fprintf(stderr, "%s: this program has no race test \"%s\"; %s --list prints the tests it has\n", words[0],
               wanted, words[0]);
  return 2;
}

}  // namespace ravel::race_tests

#define RAVEL_RACE_JOINED_(a, b) a##b
#define RAVEL_RACE_NAMED_(counter) RAVEL_RACE_JOINED_(ravel_race_test_, counter)

#define RAVEL_RACE_TEST(name, setup, test, teardown) \
  static ::ravel::race_tests::Registration RAVEL_RACE_NAMED_(__COUNTER__)(#name, setup, test, teardown);

#define RAVEL_RACE_PROGRAM(name, setup, teardown) \
  static const ::ravel::race_tests::Program RAVEL_RACE_NAMED_(__COUNTER__)(#name, setup, teardown);

#define RAVEL_RACE_TEST_MAIN() \
  int main(int count, char** words) { return ::ravel::race_tests::run_main(count, words); }

#endif  // RAVEL_RACE_TEST_H
