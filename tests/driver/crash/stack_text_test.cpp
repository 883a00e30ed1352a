// SPDX-License-Identifier: Apache-2.0
// Every form of a crash stack becomes the same kind of value.
#include "driver/crash/stack_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "driver/crash/log_lines.h"
#include "tests/driver/crash/samples.h"

namespace ravel {
namespace {

CrashReport parse(const std::string& text) {
  Result<CrashReport> report = parse_crash_text(text, "crash.txt");
  EXPECT_TRUE(report.is_ok()) << report.status().what();
  return report.is_ok() ? report.value() : CrashReport();
}

std::vector<std::string> names(const CrashThread& thread) {
  std::vector<std::string> all;
  for (const CrashFrame& frame : thread.frames) all.push_back(frame.known() ? frame.name.qualified() : "??");
  return all;
}

std::vector<std::string> texts(const CrashThread& thread) {
  std::vector<std::string> all;
  for (const CrashFrame& frame : thread.frames) all.push_back(frame_text(frame, all.size()));
  return all;
}

const CrashThread& crashed(const CrashReport& report) {
  static const CrashThread none;
  EXPECT_NE(report.crashed(), nullptr);
  return report.crashed() == nullptr ? none : *report.crashed();
}

using Names = std::vector<std::string>;

TEST(StackText, Gdb) {
  const CrashReport report = parse(sample("gdb.txt"));
  EXPECT_EQ(report.format, CrashFormat::gdb);
  EXPECT_EQ(report.failure.kind, FindingKind::signal);
  EXPECT_EQ(report.failure.signal, "SIGSEGV");
  ASSERT_EQ(report.threads.size(), 1U);
  const CrashThread& thread = crashed(report);
  EXPECT_EQ(thread.id, "3");
  EXPECT_EQ(thread.name, "prog");
  ASSERT_EQ(thread.frames.size(), 20U);
  const CrashFrame& first = thread.frames[0];
  EXPECT_EQ(first.function, "app::(anonymous namespace)::length");
  EXPECT_EQ(first.arguments, "s=\"hello (world\", where=0x0");
  EXPECT_EQ(first.file, "logger.cpp");
  EXPECT_EQ(first.line, 4U);
  EXPECT_EQ(first.address, 0x0000555555558321U);
  EXPECT_FALSE(first.method);
  const CrashFrame& shift = thread.frames[7];
  EXPECT_EQ(shift.name.scope(), "app::Logger");
  EXPECT_EQ(shift.name.method(), "operator<<");
  EXPECT_TRUE(shift.method);
  EXPECT_EQ(thread.frames[10].arguments, "this=0x7fffffffe630, message=0x55555555a0c0 \"hello (world\", level=1");
  EXPECT_EQ(thread.frames[17].function, "??");
  EXPECT_EQ(thread.frames[17].module, "/lib/x86_64-linux-gnu/libstdc++.so.6");
}

TEST(StackText, GdbWithAllThreadsHasEachOnce) {
  const CrashReport report = parse(sample("gdb_threads.txt"));
  ASSERT_EQ(report.threads.size(), 3U);
  EXPECT_EQ(report.threads[0].id, "3");
  EXPECT_TRUE(report.threads[0].crashed);
  EXPECT_EQ(report.threads[1].frames.size(), 12U);
  EXPECT_EQ(report.threads[2].frames.size(), 6U);
  // The caller of an inlined function has no address.
  const std::vector<CrashFrame>& frames = report.threads[0].frames;
  EXPECT_EQ(frames[0].name.method(), "write");
  EXPECT_FALSE(frames[0].inlined);
  EXPECT_TRUE(frames[1].inlined);
  EXPECT_TRUE(frames[3].inlined);
  EXPECT_FALSE(frames[4].inlined);
}

TEST(StackText, GdbWrapsLines) {
  const CrashReport report = parse(sample("gdb_wrapped.txt"));
  EXPECT_EQ(report.failure.kind, FindingKind::assertion);
  EXPECT_EQ(report.failure.message,
            "assertion `n == 0 && \"too many\"` failed at ex.cpp:3 in void Reader::unread(int)");
  const CrashThread& thread = crashed(report);
  ASSERT_EQ(thread.frames.size(), 8U);
  EXPECT_EQ(thread.frames[0].file, "./nptl/pthread_kill.c");
  EXPECT_EQ(thread.frames[1].line, 78U);
  EXPECT_EQ(thread.frames[4].name.qualified(), "__assert_fail_base");
  EXPECT_EQ(thread.frames[4].line, 94U);
  EXPECT_EQ(thread.frames[6].name.qualified(), "Reader::unread");
}

TEST(StackText, GdbNamesTheException) {
  const CrashReport report = parse(sample("gdb_exception.txt"));
  EXPECT_EQ(report.failure.kind, FindingKind::uncaught_exception);
  EXPECT_EQ(report.failure.message, "an exception of type std::runtime_error was not caught: pushback buffer overflow");
  EXPECT_EQ(report.failure.signal, "SIGABRT");
}

TEST(StackText, GdbShowsSignalHandlers) {
  const CrashThread thread = crashed(parse(sample("gdb_handler.txt")));
  ASSERT_EQ(thread.frames.size(), 8U);
  EXPECT_TRUE(thread.frames[5].signal_handler);
  EXPECT_EQ(thread.frames[6].name.method(), "operator int");
}

TEST(StackText, Lldb) {
  const CrashReport report = parse(sample("lldb.txt"));
  EXPECT_EQ(report.format, CrashFormat::lldb);
  EXPECT_EQ(report.failure.signal, "SIGSEGV");
  const CrashThread& thread = crashed(report);
  EXPECT_EQ(thread.id, "3");
  ASSERT_EQ(thread.frames.size(), 20U);
  EXPECT_EQ(thread.frames[0].name.method(), "length");
  EXPECT_EQ(thread.frames[0].column, 138U);
  // LLDB puts values into the brackets of the operator's name.
  EXPECT_EQ(thread.frames[5].function, "std::function<int (int)>::operator()");
  EXPECT_EQ(thread.frames[7].name.method(), "operator<<");
  EXPECT_EQ(thread.frames[9].name.method(), "visit");
  EXPECT_EQ(thread.frames[10].arguments, "this=0x00007fffffffe5b0, message=\"hello (world\", level=1");
  EXPECT_TRUE(thread.frames[10].method);
  EXPECT_EQ(thread.frames[17].function, "??");
  EXPECT_EQ(thread.frames[17].module, "libstdc++.so.6");
}

TEST(StackText, LldbWithInlinedFunctionsAndAllThreads) {
  const CrashThread thread = crashed(parse(sample("lldb_inlined.txt")));
  ASSERT_EQ(thread.frames.size(), 13U);
  EXPECT_TRUE(thread.frames[8].inlined);
  EXPECT_EQ(thread.frames[8].name.qualified(), "app::Logger::visit");
  EXPECT_FALSE(thread.frames[9].inlined);
  const CrashReport report = parse(sample("lldb_threads.txt"));
  ASSERT_EQ(report.threads.size(), 3U);
  EXPECT_TRUE(report.threads[0].crashed);
  EXPECT_EQ(report.threads[1].id, "2");
  EXPECT_EQ(report.threads[1].frames.size(), 8U);
}

TEST(StackText, AddressSanitizer) {
  for (const char* const name : {"asan.txt", "asan_clang.txt"}) {
    const CrashReport report = parse(sample(name));
    EXPECT_EQ(report.format, CrashFormat::sanitizer);
    EXPECT_EQ(report.failure.kind, FindingKind::use_after_free);
    EXPECT_EQ(report.failure.message, "heap-use-after-free");
    EXPECT_EQ(report.failure.detector, "AddressSanitizer");
    ASSERT_EQ(report.threads.size(), 3U);
    EXPECT_EQ(report.threads[0].id, "T0");
    EXPECT_TRUE(report.threads[0].crashed);
    EXPECT_EQ(report.threads[1].heading, "freed by thread T0 here");
    EXPECT_EQ(report.threads[2].heading, "previously allocated by thread T0 here");
    const std::vector<CrashFrame>& frames = report.threads[0].frames;
    ASSERT_EQ(frames.size(), 7U);
    EXPECT_EQ(frames[1].function, "app::Session::length() const");
    EXPECT_EQ(frames[1].file, "/src/uaf.cpp");
    EXPECT_TRUE(frames[1].inlined);  // the same address as its caller
    EXPECT_FALSE(frames[3].inlined);
    EXPECT_NE(frames[6].offset, 0U);
  }
  const CrashFrame first = parse(sample("asan_clang.txt")).threads[0].frames[0];
  EXPECT_EQ(first.module, "/src/uafc");
  EXPECT_EQ(first.offset, 0x374e5U);
  EXPECT_EQ(first.build_id, "5789d29197691ba0db5eb7a9dc37ce496e13fd5e");
}

TEST(StackText, SanitizersWithoutSymbols) {
  const CrashReport report = parse(sample("asan_unsymbolised.txt"));
  EXPECT_EQ(report.format, CrashFormat::sanitizer);
  ASSERT_EQ(report.threads.size(), 3U);
  const CrashFrame& frame = report.threads[0].frames[1];
  EXPECT_FALSE(frame.known());
  EXPECT_EQ(frame.address, 0x563a55eec8b6U);
  EXPECT_EQ(frame_text(frame, 1), "#1 ??  (/src/uafc+0xe18b6) (BuildId: 5789d29197691ba0db5eb7a9dc37ce496e13fd5e)");
}

TEST(StackText, ThreadSanitizer) {
  const CrashReport report = parse(sample("tsan.txt"));
  EXPECT_EQ(report.failure.kind, FindingKind::data_race);
  ASSERT_EQ(report.threads.size(), 4U);
  EXPECT_EQ(report.threads[0].id, "T2");
  EXPECT_EQ(report.threads[1].id, "T1");
  EXPECT_EQ(report.threads[1].heading, "Previous write of size 8 at 0x7ffd63b2e0b8 by thread T1");
  const std::vector<CrashFrame>& frames = report.threads[0].frames;
  ASSERT_EQ(frames.size(), 11U);
  EXPECT_EQ(frames[3].function, "Cache::last() const");
  EXPECT_EQ(frames[3].module, "race");
  EXPECT_EQ(frames[3].offset, 0x1f5cU);
  EXPECT_EQ(frames[10].function, "??");
  EXPECT_EQ(report.threads[2].frames[1].name.qualified(), "std::thread::_M_start_thread");
}

TEST(StackText, UndefinedBehaviorSanitizer) {
  const CrashReport report = parse(sample("ubsan.txt"));
  EXPECT_EQ(report.failure.detector, "UndefinedBehaviorSanitizer");
  EXPECT_EQ(report.failure.message,
            "signed integer overflow: 2000000000 - -2000000000 cannot be represented in type 'int'");
  EXPECT_EQ(crashed(report).frames[0].name.qualified(), "Range::width");
}

TEST(StackText, Glibc) {
  const CrashReport report = parse(sample("glibc.txt"));
  EXPECT_EQ(report.format, CrashFormat::glibc);
  const std::vector<CrashFrame>& frames = crashed(report).frames;
  ASSERT_EQ(frames.size(), 8U);
  EXPECT_EQ(frames[0].function, "??");
  EXPECT_EQ(frames[0].module, "./prog_glibc");
  EXPECT_EQ(frames[0].offset, 0x244eU);
  EXPECT_EQ(frames[3].function, "app::Logger::log(char const*, int)");
  EXPECT_EQ(frames[3].offset, 0U) << "the distance from a symbol is no place in the module";
  EXPECT_EQ(frames[3].address, 0x556d9917d3aeU);
}

TEST(StackText, Stacktraces) {
  const CrashReport boost = parse(sample("boost.txt"));
  EXPECT_EQ(boost.format, CrashFormat::boost_stacktrace);
  EXPECT_EQ(names(crashed(boost)),
            (Names{"fail", "std::_Function_handler::_M_invoke", "app::Logger::write", "app::Logger::log",
                   "std::thread::_State_impl::_M_run", "??", "start_thread", "clone3"}));
  EXPECT_EQ(crashed(boost).frames[5].module, "/lib/x86_64-linux-gnu/libstdc++.so.6");
  EXPECT_EQ(crashed(boost).frames[3].line, 7U);

  const CrashReport standard = parse(sample("std_stacktrace.txt"));
  EXPECT_EQ(standard.format, CrashFormat::std_stacktrace);
  ASSERT_EQ(crashed(standard).frames.size(), 8U);
  EXPECT_EQ(crashed(standard).frames[2].name.scope(), "app::Logger");
  EXPECT_EQ(crashed(standard).frames[6].function, "??");

  const CrashReport microsoft = parse(sample("msvc.txt"));
  EXPECT_EQ(microsoft.format, CrashFormat::msvc_stacktrace);
  const std::vector<CrashFrame>& frames = crashed(microsoft).frames;
  ASSERT_EQ(frames.size(), 8U);
  EXPECT_EQ(frames[2].file, "C:\\src\\logger.cpp");
  EXPECT_EQ(frames[2].line, 9U);
  EXPECT_EQ(frames[2].module, "prog");
  EXPECT_EQ(frames[2].name.qualified(), "app::Logger::log");
  EXPECT_EQ(frames[7].name.qualified(), "RtlUserThreadStart");
}

TEST(StackText, BackwardCppHasTheNewestLast) {
  const CrashReport report = parse(sample("backward.txt"));
  EXPECT_EQ(report.format, CrashFormat::backward);
  EXPECT_EQ(report.failure.signal, "SIGSEGV");
  EXPECT_EQ(crashed(report).id, "22334");
  EXPECT_EQ(names(crashed(report)),
            (Names{"??", "app::Logger::write", "app::Logger::log", "??", "??", "??", "??", "??"}));
}

// Of inlined functions it prints the place of the call beside the name of what is called.
TEST(StackText, BackwardCppNamesBesideTheirOwnPlaces) {
  const CrashThread thread = crashed(parse(sample("backward_inlined.txt")));
  ASSERT_EQ(thread.frames.size(), 21U);
  EXPECT_EQ(frame_text(thread.frames[0], 0), "#0 length  /src/logger.cpp:4 (inlined)");
  EXPECT_EQ(frame_text(thread.frames[6], 6), "#6 write  /src/logger.cpp:5");
  EXPECT_EQ(frame_text(thread.frames[7], 7), "#7 operator<<  /src/logger.cpp:6 (inlined)");
  EXPECT_EQ(frame_text(thread.frames[10], 10), "#10 log  /src/logger.cpp:7");
  EXPECT_EQ(thread.frames[7].address, thread.frames[10].address);
}

TEST(StackText, Coredumpctl) {
  const CrashReport report = parse(sample("coredumpctl.txt"));
  EXPECT_EQ(report.format, CrashFormat::coredumpctl);
  EXPECT_EQ(report.failure.signal, "SIGSEGV");
  ASSERT_EQ(report.threads.size(), 2U);
  EXPECT_EQ(report.threads[0].id, "20833");
  EXPECT_TRUE(report.threads[0].crashed);
  const CrashFrame& frame = report.threads[0].frames[1];
  EXPECT_EQ(frame_text(frame, 1), "#1 app::Logger::log(char const*, int)  (/src/prog2+0x1557)");
  EXPECT_EQ(report.threads[0].frames[2].function, "??");
  const CrashReport old = parse("Stack trace of thread 12:\n#0  0x00007f6d8968782f raise (libc.so.6)\n");
  EXPECT_EQ(frame_text(old.threads[0].frames[0], 0), "#0 raise  (libc.so.6)");
}

TEST(StackText, Breakpad) {
  const CrashReport report = parse(sample("breakpad.txt"));
  EXPECT_EQ(report.format, CrashFormat::breakpad);
  EXPECT_EQ(report.failure.signal, "SIGSEGV");
  ASSERT_EQ(report.threads.size(), 2U);
  EXPECT_EQ(report.threads[0].id, "2");
  EXPECT_TRUE(report.threads[0].crashed);
  const std::vector<CrashFrame>& frames = report.threads[0].frames;
  ASSERT_EQ(frames.size(), 5U);
  EXPECT_TRUE(frames[0].inlined);
  EXPECT_EQ(frame_text(frames[2], 2), "#2 app::Logger::log(char const*, int)  logger.cpp:7 (prog2)");
  EXPECT_EQ(frame_text(frames[3], 3), "#3 ??  (libstdc++.so.6.0.30+0xd44a3)");
}

TEST(StackText, Tombstone) {
  const CrashReport report = parse(sample("tombstone.txt"));
  EXPECT_EQ(report.format, CrashFormat::tombstone);
  EXPECT_EQ(report.failure.kind, FindingKind::assertion);
  ASSERT_EQ(report.threads.size(), 2U);
  EXPECT_EQ(report.threads[0].id, "4715");
  EXPECT_EQ(report.threads[0].name, "worker");
  EXPECT_TRUE(report.threads[0].crashed);
  const std::vector<CrashFrame>& frames = report.threads[0].frames;
  ASSERT_EQ(frames.size(), 5U);
  EXPECT_EQ(frames[0].name.qualified(), "abort");
  EXPECT_EQ(frames[2].name.qualified(), "app::Logger::write");
  EXPECT_EQ(frames[2].offset, 0x14a0U);
  EXPECT_EQ(frames[2].module, "/data/app/com.example.app/base.apk!libapp.so");
  EXPECT_EQ(frames[2].build_id, "5789d29197691ba0db5eb7a9dc37ce496e13fd5e");
  EXPECT_EQ(frames[4].function, "??");
}

TEST(StackText, ReportsOfRavel) {
  const CrashReport signal = parse(golden_report("signal"));
  EXPECT_EQ(signal.format, CrashFormat::ravel);
  EXPECT_EQ(signal.failure.kind, FindingKind::signal);
  EXPECT_EQ(signal.failure.message, "the program was killed by SIGSEGV");
  EXPECT_EQ(crashed(signal).id, "T1");
  EXPECT_EQ(names(crashed(signal)), (Names{"strlen", "bank::Account::deposit", "bank::pay", "worker"}));
  EXPECT_TRUE(crashed(signal).frames[1].inlined);

  const CrashReport heap = parse(golden_report("use-after-free"));
  ASSERT_EQ(heap.threads.size(), 3U);
  EXPECT_TRUE(heap.threads[0].crashed);

  // A place that has a line of its own.
  const CrashThread thrown = crashed(parse(golden_report("uncaught-exception")));
  ASSERT_EQ(thrown.frames.size(), 3U);
  EXPECT_EQ(thrown.frames[1].line, 77U);
  EXPECT_EQ(thrown.frames[1].name.qualified(), "bank::for_each");

  const CrashReport deadlock = parse(golden_report("deadlock"));
  EXPECT_EQ(deadlock.failure.kind, FindingKind::deadlock);
  EXPECT_EQ(deadlock.threads.size(), 3U);
  EXPECT_EQ(deadlock.crashed(), nullptr) << "they wait for each other";
}

TEST(StackText, LogsMayCarryIt) {
  for (const char* const prefix :
       {"Nov 17 10:35:00 host prog[1234]: ", "2026-11-17T10:35:00.123456Z ", "[  123.456789] ",
        "2026-11-17T10:35:00.123Z stderr F ",
        "11-17 10:35:00.123  4711  4715 F DEBUG   : ", "kernel: ", "[2026-11-17 10:35:00] ", "\x1b[31m"}) {
    for (const char* const name : {"gdb.txt", "gdb_wrapped.txt", "asan.txt", "glibc.txt", "boost.txt", "backward.txt",
                                   "tombstone.txt", "coredumpctl.txt", "lldb.txt"}) {
      std::string text;
      for (const std::string& line : log_lines(sample(name))) text += prefix + line + "\x1b[0m\r\n";
      const CrashReport report = parse(text);
      const CrashReport plain = parse(sample(name));
      ASSERT_EQ(report.threads.size(), plain.threads.size()) << prefix << name;
      for (std::size_t i = 0; i < plain.threads.size(); ++i) {
        EXPECT_EQ(texts(report.threads[i]), texts(plain.threads[i])) << prefix << name;
      }
      EXPECT_EQ(report.failure.kind, plain.failure.kind) << prefix << name;
    }
  }
  // rsyslog keeps it on one line.
  const CrashReport one = parse(
      "Process 27 of user 1 dumped core.#012#012Stack trace of thread 27:#012#0  0x0000000000001234 _ZN1A1fEv (prog + "
      "0x12)#012#1  0x0000000000005678 main (prog + 0x34)");
  EXPECT_EQ(names(crashed(one)), (Names{"A::f", "main"}));
}

// What is before the cut does not change, but for the last frames: those may lack their rest.
TEST(StackText, TruncatedTextsKeepWhatIsThere) {
  for (const char* const name : {"gdb.txt", "gdb_wrapped.txt", "lldb.txt", "asan.txt", "tsan.txt", "glibc.txt",
                                 "boost.txt", "tombstone.txt", "coredumpctl.txt", "breakpad.txt", "msvc.txt"}) {
    const std::string text = sample(name);
    const std::vector<std::string> whole = texts(parse(text).threads.at(0));
    for (std::size_t cut = text.size() / 2; cut < text.size(); cut += 37) {
      const Result<CrashReport> report = parse_crash_text(text.substr(0, cut), "crash.txt");
      if (!report.is_ok()) continue;  // nothing but what comes before the frames
      std::vector<std::string> kept = texts(report.value().threads.at(0));
      ASSERT_LE(kept.size(), whole.size()) << name << " cut at " << cut;
      kept.resize(kept.size() < 2 ? 0 : kept.size() - 2);
      EXPECT_TRUE(std::equal(kept.begin(), kept.end(), whole.begin())) << name << " cut at " << cut;
    }
  }
}

TEST(StackText, OtherTextIsNoFrame) {
  const CrashReport report = parse("see issue #12 in the tracker\n#1\n# 2 things\nprice: 3# each\n" +
                                   sample("ubsan.txt") + "\nfixed by change #7 (see notes)\n#8 of all (so far)\n");
  ASSERT_EQ(report.threads.size(), 1U);
  EXPECT_EQ(report.threads[0].frames.size(), 5U);
}

TEST(StackText, TroubleIsExplained) {
  const auto trouble = [](const std::string& text) { return parse_crash_text(text, "crash.txt").status(); };
  EXPECT_EQ(trouble("").what(), "crash.txt is empty");
  EXPECT_EQ(trouble(" \r\n\t\n").what(), "crash.txt is empty");
  EXPECT_EQ(trouble("It crashed, I have no idea why.\n").what(), "no stack frames in crash.txt");
  EXPECT_NE(trouble("It crashed.").advice().find("thread apply all bt"), std::string::npos);
  EXPECT_EQ(trouble(std::string(1000, '\x01')).what(), "crash.txt is not a text");
  EXPECT_EQ(trouble(std::string("\x7f"
                                "ELF\x02\x01",
                                6))
                .what(),
            "crash.txt is an ELF file, not a text");
  EXPECT_NE(trouble(std::string("\x7f"
                                "ELF\x02\x01",
                                6))
                .advice()
                .find("--core"),
            std::string::npos);
}

TEST(StackText, AFrameCanBeReadAgain) {
  for (const auto& entry : std::filesystem::directory_iterator(sample_folder())) {
    if (entry.path().extension() != ".txt") continue;
    for (CrashThread thread : parse(file_text(entry.path())).threads) {
      std::string text;
      for (std::size_t i = 0; i < thread.frames.size(); ++i) {
        text += frame_text(thread.frames[i], i) + "\n";
        thread.frames[i].address.reset();
        thread.frames[i].arguments.clear();
      }
      EXPECT_EQ(parse(text).threads.at(0).frames, thread.frames) << text;
    }
  }
}

// LLDB shows the frame where a thread stopped, and then the stack that it was asked for.
TEST(StackText, OfLldbIsTheWholeStackAndNotTheFrameBeforeIt) {
  const auto report = parse_crash_text(
      "Process 7 stopped\n"
      "* thread #2, name = 'app', stop reason = signal SIGSEGV: address not mapped to object (fault address: 0x0)\n"
      "    frame #0: 0x0000000000401d29 app`app::Pool::tell(this=0x00007ffd, id=1) at pool.cpp:63:39\n"
      "(lldb) bt\n"
      "* thread #2, name = 'app', stop reason = signal SIGSEGV: address not mapped to object (fault address: 0x0)\n"
      "  * frame #0: 0x0000000000401d29 app`app::Pool::tell(this=0x00007ffd, id=1) at pool.cpp:63:39\n"
      "    frame #1: 0x0000000000401ca1 app`app::Pool::close(this=0x00007ffd, id=1) at pool.cpp:54:14\n",
      "crash.txt");
  ASSERT_TRUE(report.is_ok()) << report.status().what();
  ASSERT_EQ(report.value().threads.size(), 1U);
  ASSERT_NE(report.value().crashed(), nullptr);
  EXPECT_EQ(report.value().crashed()->frames.size(), 2U);
}

}  // namespace
}  // namespace ravel
