// SPDX-License-Identifier: Apache-2.0
//
// Race tests as plain functions, for whoever has no test framework. Header only, C++17; link with libravel_sync.a.
//
//   void fill() { list = new List; }
//   void add_and_ask() { ... two threads ... }
//   void drop() { delete list; }
//   RAVEL_RACE_TEST(list_add_empty, fill, add_and_ask, drop)
//   RAVEL_RACE_TEST_MAIN()                                     // once in the program
//
// RAVEL_RACE_TEST(name, setup, test, teardown)  a test: functions or lambdas without captures, void(); nullptr for a
//     setup or teardown that there is none of. The name is that of its race.txt, in quotes when it is no C++ name.
// RAVEL_RACE_TEST_MAIN()  a main function: it runs the test that the environment variable RAVEL_RACE_TEST names;
// without
//     the variable all tests, one after the other, whose actions then do nothing. --list prints the names. Exit code 2:
//     there is no such test.
// RAVEL_RACE_PROGRAM(name, setup, teardown)  the test is the program's own main. When it is the one that runs, setup is
//     called before main, among the constructors of global objects, and teardown when the program exits.
//
// A test fails as programs do: by an assertion, an exception that leaves it, or what the detector reports.
//
// Thread safety: tests are registered before main and run by the main thread.
#ifndef RAVEL_RACE_TEST_H
#define RAVEL_RACE_TEST_H

#include <ravel/sync.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace ravel::race_tests {

using Function = void (*)();

// One registered test. A global object; they are in a list by the order of their construction.
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

  // The macros make a text of what they are given, which may be a text already.
  static std::string unquoted(const char* name) {
    const std::size_t size = std::strlen(name);
    const bool quoted = size >= 2 && name[0] == '"' && name[size - 1] == '"';
    return quoted ? std::string(name + 1, size - 2) : std::string(name, size);
  }

 private:
  // Constants when constructors begin to run, so it does not matter in which order the files of the program do.
  inline static const Registration* first_ = nullptr;
  inline static const Registration** end_ = &first_;

  std::string name_;
  Function setup_;
  Function test_;
  Function teardown_;
  const Registration* next_ = nullptr;
};

// What RAVEL_RACE_PROGRAM makes: a global object, so it ends when the program exits.
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
    std::fprintf(stderr, "%s: only --list can be said here, not \"%s\"; name the test by RAVEL_RACE_TEST=NAME\n",
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
  std::fprintf(stderr, "%s: there is no race test \"%s\" in this program; %s --list names those that are\n", words[0],
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
