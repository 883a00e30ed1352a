// SPDX-License-Identifier: Apache-2.0
// A core file of a real crash. gdb writes it: whether and where the kernel would depends on the machine.
#include "driver/crash/core_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "driver/crash/crash_file.h"
#include "driver/crash/crashing_class.h"
#include "driver/process/run_process.h"
#include "driver/process/temporary_directory.h"

namespace ravel {
namespace {

const std::string kSubject = RAVEL_BINARY_DIR "/tests/crash_subject";

TEST(CoreFile, HasTheStacksOfAllThreads) {
  TemporaryDirectory directory = std::move(TemporaryDirectory::make("ravel-core").value());
  const std::string path = (directory.path() / "core").string();
  RunSettings settings;
  settings.errors = true;
  const Result<RunEnd> gdb = run_process(
      ProcessOrder({"gdb", "-nx", "-batch", "-ex", "run", "-ex", "generate-core-file " + path, kSubject}), settings);
  ASSERT_TRUE(gdb.is_ok()) << gdb.status().what();

  const Result<CrashReport> read = read_crash({{}, path, kSubject});
  ASSERT_TRUE(read.is_ok()) << read.status().what() << "\n" << gdb.value().output;
  const CrashReport& report = read.value();
  EXPECT_EQ(report.format, CrashFormat::core_file);
  EXPECT_EQ(report.failure.kind, FindingKind::signal);
  EXPECT_EQ(report.failure.signal, "SIGSEGV");
  EXPECT_EQ(report.failure.message, "the program was killed by signal 11 (SIGSEGV)");
  ASSERT_EQ(report.threads.size(), 2U);
  ASSERT_TRUE(report.threads[0].crashed);

  const CrashFrame& first = report.threads[0].frames[0];
  EXPECT_EQ(first.name.qualified(), "subject::Logger::write");
  EXPECT_TRUE(first.file.ends_with("crash_subject.cpp")) << first.file;
  EXPECT_EQ(first.module, kSubject);
  EXPECT_NE(first.offset, 0U);
  const CrashingClass found = infer_class(report);
  EXPECT_EQ(found.class_name, "subject::Logger");
  EXPECT_EQ(found.method, "log");
  // The other thread waits in main; its stack goes through libc.
  const std::vector<CrashFrame>& waiting = report.threads[1].frames;
  EXPECT_TRUE(std::any_of(waiting.begin(), waiting.end(), [](const CrashFrame& frame) {
    return frame.name.qualified() == "main";
  })) << crash_text(report);
}

TEST(CoreFile, TroubleSaysWhatToDo) {
  EXPECT_EQ(read_core(kSubject, kSubject).status().what(), kSubject + " is not a core file");
  EXPECT_EQ(read_core("/no/such/core", kSubject).status().what(), "/no/such/core is not a core file");
}

}  // namespace
}  // namespace ravel
