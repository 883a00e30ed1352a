// SPDX-License-Identifier: Apache-2.0
// From what the user has to a report that can be worked with; symbols from the program.
#include "driver/crash/crash_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "driver/crash/crash_symbols.h"
#include "driver/crash/crashing_class.h"
#include "driver/crash/stack_text.h"
#include "driver/process/run_process.h"
#include "driver/process/temporary_directory.h"
#include "elf/elf_file.h"
#include "tests/driver/crash/samples.h"

namespace ravel {
namespace {

const std::string kSubject = RAVEL_BINARY_DIR "/tests/crash_subject";

class CrashFile : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return (directory_.path() / name).string(); }
  std::string written(const std::string& text) const {
    std::ofstream(path("crash.txt")) << text;
    return path("crash.txt");
  }
  Status trouble(const std::string& text, const std::string& binary = {}) const {
    return read_crash({written(text), {}, binary}).status();
  }

 private:
  TemporaryDirectory directory_ = std::move(TemporaryDirectory::make("ravel-crash").value());
};

TEST_F(CrashFile, IsReadFromAText) {
  const Result<CrashReport> report = read_crash({sample_folder() + "/gdb.txt", {}, {}});
  ASSERT_TRUE(report.is_ok());
  EXPECT_EQ(report.value().crashed()->frames.size(), 20U);
}

TEST_F(CrashFile, TroubleSaysWhatToDo) {
  EXPECT_EQ(read_crash({"/no/such/file", {}, {}}).status().what(), "cannot read /no/such/file");
  EXPECT_TRUE(trouble("").what().ends_with("crash.txt is empty"));
  const Status unknown = trouble("./prog(+0x12)[0x5512]\n./prog(+0x34)[0x5534]\n");
  EXPECT_TRUE(unknown.what().ends_with("crash.txt have no function names")) << unknown.what();
  EXPECT_EQ(unknown.advice(), "give the program that crashed with --binary");
  const Status stripped = trouble(
      "#0  0x0000000000000001 in ?? ()\n#1  0x0000000000000002 in start_thread (arg=0x0) at "
      "./nptl/pthread_create.c:442\n");
  EXPECT_TRUE(stripped.what().ends_with("crash.txt have no function names")) << stripped.what();
  const Status library = trouble(
      "#0  0x0000000000000001 in std::terminate() () from /lib/x86_64-linux-gnu/libstdc++.so.6\n"
      "#1  0x0000000000000002 in start_thread (arg=0x0) at ./nptl/pthread_create.c:442\n");
  EXPECT_TRUE(library.what().ends_with("crash.txt has frames of libraries only")) << library.what();
  EXPECT_NE(library.advice().find("--binary"), std::string::npos);
  EXPECT_EQ(read_crash({{}, "core", {}}).status().advice(), "give the program that crashed with --binary");
}

// What glibc prints for a program that exports nothing: modules and offsets.
TEST_F(CrashFile, SymbolsComeFromTheProgram) {
  const Result<RunEnd> end = run_process({kSubject, "print"});
  ASSERT_TRUE(end.is_ok());
  ASSERT_NE(end.value().output.find("crash_subject(+0x"), std::string::npos) << end.value().output;
  EXPECT_FALSE(read_crash({written(end.value().output), {}, {}}).is_ok());
  const Result<CrashReport> report = read_crash({written(end.value().output), {}, kSubject});
  ASSERT_TRUE(report.is_ok()) << report.status().what();
  const CrashingClass found = infer_class(report.value());
  EXPECT_EQ(found.class_name, "subject::Logger");
  EXPECT_EQ(found.method, "log");
  EXPECT_TRUE(found.sure);
  const CrashFrame& frame = report.value().threads[0].frames[found.entry];
  EXPECT_TRUE(frame.file.ends_with("crash_subject.cpp")) << frame.file;
  EXPECT_NE(frame.line, 0U);
}

TEST_F(CrashFile, TheProgramIsRecognisedByItsBuildId) {
  const std::string id = build_id_of(kSubject);
  ASSERT_FALSE(id.empty());
  // Under another name, the build id alone tells; under its own name, it must not contradict.
  const auto frame = [](const std::string& module, const std::string& build_id) {
    return "    #0 0x000000000001  (" + module + "+0x1200) (BuildId: " + build_id + ")\n";
  };
  Result<CrashReport> renamed = parse_crash_text(frame("/opt/renamed", id), "crash.txt");
  ASSERT_TRUE(renamed.is_ok());
  EXPECT_TRUE(symbolise(renamed.value(), kSubject).is_ok());
  Result<CrashReport> other = parse_crash_text(frame("/opt/crash_subject", "12ab"), "crash.txt");
  ASSERT_TRUE(other.is_ok());
  const Status status = symbolise(other.value(), kSubject);
  EXPECT_NE(status.what().find("is not the build that crashed"), std::string::npos);
  EXPECT_EQ(symbolise(other.value(), __FILE__).advice(), "give the file that crashed with --binary");
}

// gdb names no module for code without symbols. A program that is linked to a fixed address needs none.
TEST_F(CrashFile, AddressesAreEnoughForAProgramAtAFixedPlace) {
  const std::string program = path("fixed");
  const std::string source = path("fixed.cpp");
  std::ofstream(source) << "struct Axis { __attribute__((noinline)) int tick() const { return 1; } };\n"
                           "int main() { return Axis().tick(); }\n";
  const Result<RunEnd> built = run_process({"g++", "-g", "-no-pie", "-o", program, source});
  ASSERT_TRUE(built.is_ok() && built.value().code() == 0);
  std::uint64_t address = 0;
  const ElfFile file(program);
  for (const ElfSymbol& symbol : file.symbols(SHT_SYMTAB)) {
    if (symbol.name == "_ZNK4Axis4tickEv") address = symbol.value;
  }
  ASSERT_NE(address, 0U);
  CrashReport report;
  CrashThread& thread = report.threads.emplace_back();
  thread.frames.emplace_back().address = address;
  ASSERT_TRUE(symbolise(report, program).is_ok());
  EXPECT_EQ(thread.frames[0].function, "Axis::tick() const");
  EXPECT_EQ(thread.frames[0].line, 1U);
}

}  // namespace
}  // namespace ravel
