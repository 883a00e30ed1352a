// SPDX-License-Identifier: Apache-2.0
// Which class and method a crash is about.
#include "driver/crash/crashing_class.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "driver/crash/stack_text.h"
#include "tests/driver/crash/samples.h"

namespace ravel {
namespace {

using Verdict = CrashingClass::Verdict;

CrashReport parse(const std::string& text) {
  Result<CrashReport> report = parse_crash_text(text, "crash.txt");
  EXPECT_TRUE(report.is_ok()) << report.status().what();
  return report.is_ok() ? report.value() : CrashReport();
}

CrashingClass infer(const std::string& text, const ClassWish& wish = {}) { return infer_class(parse(text), wish); }

TEST(CrashingClass, IsFoundInEveryForm) {
  for (const char* const name :
       {"gdb.txt", "gdb_threads.txt", "lldb.txt", "lldb_inlined.txt", "lldb_threads.txt", "glibc.txt", "boost.txt",
        "std_stacktrace.txt", "msvc.txt", "backward.txt", "coredumpctl.txt", "breakpad.txt", "tombstone.txt"}) {
    const CrashingClass found = infer(sample(name));
    EXPECT_TRUE(found.found()) << name << ": " << found.sentence;
    EXPECT_EQ(found.class_name, "app::Logger") << name;
    EXPECT_EQ(found.method, "log") << name;
  }
}

TEST(CrashingClass, IsExplained) {
  EXPECT_EQ(infer(sample("gdb_exception.txt")).sentence, "class Reader, from frame 8; crashing method Reader::unread");
  // The method that was called is the outermost one.
  const CrashingClass logger = infer(sample("gdb.txt"));
  EXPECT_EQ(logger.sentence, "class app::Logger, from frame 6; crashing method app::Logger::log, which was in write");
  EXPECT_EQ(logger.first, 6U);
  EXPECT_EQ(logger.entry, 10U);
  EXPECT_TRUE(logger.sure);
}

TEST(CrashingClass, IsTheInnermostOfTheProgramsOwn) {
  const CrashingClass session = infer(sample("asan.txt"));
  EXPECT_EQ(session.class_name, "app::Session");
  EXPECT_EQ(session.others, std::vector<std::string>{"app::Registry"});
  EXPECT_EQ(infer(sample("tsan.txt")).class_name, "Cache");
}

TEST(CrashingClass, MayHaveItsTemplateArgumentsSpelledOtherwise) {
  const std::string stack =
      "#0 0x1 in Cache<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > >::get() c.h:1\n"
      "#1 0x2 in Cache<int>::get() c.h:1\n";
  EXPECT_EQ(infer(stack, {"Cache<std::string>", "", {}}).first, 0U);
  EXPECT_EQ(infer(stack, {"Cache<int>", "", {}}).first, 1U);
}

// Functions of a C library have no class in their names: the headers say which are about the handle.
TEST(CrashingClass, MayBeAHandle) {
  const std::string stack =
      "Program received signal SIGSEGV, Segmentation fault.\n"
      "#0  0x0000000000401136 in find (d=0x0) at db.c:9\n"
      "#1  0x0000000000401150 in db_get (d=0x0) at db.c:20\n"
      "#2  0x0000000000401151 in db_print (d=0x0) at db.c:30\n"
      "#3  0x0000000000401160 in main () at main.c:5\n";
  const CrashingClass found = infer(stack, {"db", "", {"db_open", "db_get", "db_print"}});
  EXPECT_EQ(found.sentence, "handle db, from frame 1; crashing function db_print, which was in db_get");
  EXPECT_EQ(found.entry, 2U);
  const CrashingClass absent = infer(stack, {"box", "", {"box_open"}});
  EXPECT_FALSE(absent.found());
  EXPECT_NE(absent.sentence.find("takes or makes a box"), std::string::npos);
}

TEST(CrashingClass, IsNotThatOfASignalHandler) {
  EXPECT_EQ(
      infer("#0 Reporter::on_signal(int)  r.cpp:1\n#1  <signal handler called>\n#2 Axis::tick()  a.cpp:2\n").class_name,
      "Axis");
  EXPECT_EQ(infer(sample("gdb_handler.txt")).sentence, "class Axis, from frame 6; crashing method Axis::operator int");
}

TEST(CrashingClass, CanBeChosen) {
  const CrashingClass registry = infer(sample("asan.txt"), {"Registry", ""});
  EXPECT_EQ(registry.class_name, "app::Registry");
  EXPECT_EQ(registry.method, "total");
  const CrashingClass write = infer(sample("gdb.txt"), {"app::Logger", "write"});
  EXPECT_EQ(write.method, "write");
  EXPECT_EQ(write.entry, 6U);
  EXPECT_EQ(infer(sample("asan.txt"), {"", "total"}).class_name, "app::Registry");
  // Also in a library.
  const CrashingClass vector = infer(sample("tsan.txt"), {"std::vector", ""});
  EXPECT_EQ(vector.class_name, "std::vector<int, std::allocator<int>>");
  EXPECT_EQ(vector.method, "empty");
  const std::string ring = "#0 app::Ring<int>::push(int) /r.h:1 (p+0x1)\n#1 main /m.cpp:2 (p+0x2)\n";
  EXPECT_EQ(infer(ring, {"Ring", ""}).class_name, "app::Ring<int>");
  EXPECT_EQ(infer(ring, {"Ring<int>", ""}).class_name, "app::Ring<int>");
  EXPECT_FALSE(infer(ring, {"Ring<char>", ""}).found());
  EXPECT_FALSE(infer(ring, {"ing", ""}).found());
}

TEST(CrashingClass, AWrongChoiceIsExplained) {
  EXPECT_EQ(infer(sample("asan.txt"), {"Logger", ""}).sentence,
            "no frame of the stack is in class Logger; the frames are in app::Session and app::Registry");
  EXPECT_EQ(infer(sample("asan.txt"), {"Session", "open"}).sentence,
            "no frame of the stack is in Session::open; the frames are in app::Session and app::Registry");
}

TEST(CrashingClass, NamespacesAreNoClasses) {
  // `app` has a class inside, so it is the namespace around it.
  const CrashingClass axis = infer(
      "#0 app::check(int) /a.cpp:1 (p+0x1)\n#1 app::Axis::tick(int) /b.cpp:2 (p+0x2)\n#2 main /m.cpp:3 (p+0x3)\n");
  EXPECT_EQ(axis.class_name, "app::Axis");
  EXPECT_FALSE(axis.sure);
  EXPECT_EQ(axis.sentence,
            "class app::Axis, from frame 1; crashing method app::Axis::tick; if that is a namespace, name the class "
            "with --class");
  // gdb shows `this` for methods.
  EXPECT_EQ(infer("#0 0x1 in detail::check (n=1) at a.cpp:1\n#1 0x2 in Axis::tick (this=0x0) at b.cpp:2\n").class_name,
            "Axis");
}

TEST(CrashingClass, HelpersOfTheSameFileAndLambdasDoNotEndTheRun) {
  const CrashingClass axis = infer(
      "#0 Axis::scale() const /axis.cpp:1 (p+0x1)\n#1 round(int) /axis.cpp:9 (p+0x2)\n"
      "#2 std::for_each() /usr/include/c++/12/a.h:1 (p+0x3)\n#3 Axis::tick() /axis.cpp:5 (p+0x4)\n"
      "#4 draw(Axis&) /draw.cpp:5 (p+0x5)\n#5 Axis::init() /axis.cpp:5 (p+0x6)\n");
  EXPECT_EQ(axis.method, "tick");
  EXPECT_EQ(axis.entry, 3U);
}

TEST(CrashingClass, TwoStacksThatWaitForEachOtherAreAmbiguous) {
  const CrashingClass deadlock = infer(
      "deadlock: no task can continue: each waits for another\n\n  T1 waits for a:\n    #0 Account::move()  a.cpp:1\n\n"
      "  T2 waits for b:\n    #0 Audit::run()  b.cpp:2\n");
  EXPECT_EQ(deadlock.verdict, Verdict::ambiguous);
  EXPECT_EQ(deadlock.sentence,
            "the stacks are in Account and Audit, and none is marked as the one that crashed; choose with --class");
  EXPECT_EQ(deadlock.others, (std::vector<std::string>{"Account", "Audit"}));
}

TEST(CrashingClass, AbsenceIsExplained) {
  EXPECT_EQ(infer("#0 run(int) /a.cpp:1 (p+0x1)\n#1 main /m.cpp:2 (p+0x2)\n").sentence,
            "no frame names a class: the innermost function of the program is run; name the class with --class");
  const CrashingClass none = infer("#0 std::vector<int>::at(unsigned long) <null> (libstdc++.so.6+0x1)\n");
  EXPECT_EQ(none.verdict, Verdict::absent);
  EXPECT_EQ(none.sentence, "no frame of the stack is the program's own code; name the class with --class");
}

TEST(CrashingClass, ForeignFramesAreThoseOfLibraries) {
  for (const char* const name : {"gdb.txt", "tsan.txt", "asan.txt"}) {
    const CrashReport report = parse(sample(name));
    for (const CrashFrame& frame : report.threads[0].frames) {
      const bool ours = frame.file == "logger.cpp" || frame.file == "main.cpp" || frame.file.starts_with("/src/");
      EXPECT_EQ(is_foreign_frame(frame), !ours) << frame_text(frame, 0);
    }
  }
}

}  // namespace
}  // namespace ravel
