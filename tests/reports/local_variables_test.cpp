// SPDX-License-Identifier: Apache-2.0
// Names of local variables: by hand-made stacks, and by real ones of small programs built here by each compiler.
#include "reports/local_variables.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "reports/finding_report.h"
#include "tests/reports/built_here.h"
#include "tests/reports/table_symbols.h"

namespace ravel {
namespace {

constexpr std::uint64_t kLast = 100;  // step

// -- hand-made

DataName local(const std::string& name, const std::string& function, const std::string& member = {}) {
  DataName result;
  result.name = name;
  result.member = member;
  result.type = "Cache";
  result.file = "cache.cpp";
  result.line = 14;
  result.function = function;
  return result;
}

// T0's main() at 0x7000'0200 has called first(), which created T1, and then second(), which created T2.
class TwoCalls : public ::testing::Test {
 protected:
  TwoCalls() : tasks_(3), creations_(3) {
    tasks_[0].stack_low = 0x7000'0000;
    tasks_[0].stack_high = 0x7001'0000;
    for (const TaskId task : {1U, 2U}) {
      tasks_[task].creator = 0;
      tasks_[task].stack_low = 0x6000'0000 + 0x10000 * task;
      tasks_[task].stack_high = tasks_[task].stack_low + 0x10000;
    }
    const std::uint64_t in_main = symbols_.add({frame("main", "cache.cpp", 20)});
    const std::uint64_t in_first = symbols_.add({frame("first()", "cache.cpp", 5)});
    const std::uint64_t in_second = symbols_.add({frame("second()", "cache.cpp", 9)});
    const std::uint64_t in_start = symbols_.add({bare_frame("__libc_start_main", "/lib/libc.so.6")});
    symbols_.add_local(in_main, local("cache", "main", ".size"), 0x7000'0210, 64);
    symbols_.add_local(in_first, local("one", "first()"), 0x7000'0110, 64);
    symbols_.add_local(in_second, local("two", "second()"), 0x7000'0110, 64);
    creations_[1] = {
        3, 0, 4, {{in_first, 0x7000'0100, 0, 0}, {in_main, 0x7000'0200, 0, 0}, {in_start, 0x7000'0300, 0, 0}}};
    creations_[2] = {
        3, 0, 9, {{in_second, 0x7000'0100, 0, 0}, {in_main, 0x7000'0200, 0, 0}, {in_start, 0x7000'0300, 0, 0}}};
  }

  TableSymbols symbols_;
  std::vector<TaskRecord> tasks_;
  std::vector<CreationRecord> creations_;
};

TEST_F(TwoCalls, MemoryIsNamedByTheFrameItLiesIn) {
  LocalVariables locals(tasks_, creations_, symbols_);
  const LocalName name = locals.at(0x7000'0220, 4, 3, kLast);
  ASSERT_TRUE(name.known());
  EXPECT_EQ(name.text(), "cache.size");
  EXPECT_EQ(name.whole(), "cache");
  EXPECT_EQ(name.place(), "the local variable cache of main() (Cache), declared at cache.cpp:14");
}

TEST_F(TwoCalls, TheLatestCallBeforeTheMomentCounts) {
  LocalVariables locals(tasks_, creations_, symbols_);
  EXPECT_EQ(locals.created_by(3), 1U);
  EXPECT_EQ(locals.created_by(4), 2U);
  EXPECT_EQ(locals.created_by(100), 3U);
  EXPECT_EQ(locals.at(0x7000'0110, 4, 2, kLast).text(), "one");
  EXPECT_EQ(locals.at(0x7000'0110, 4, 3, kLast).text(), "two");
  EXPECT_FALSE(locals.at(0x7000'0110, 4, 1, kLast).known()) << "nobody had been created";
}

TEST_F(TwoCalls, ACallThatIsOverNamesNothing) {
  creations_[2].frames[0].gone = 50;
  creations_[1].frames[0].gone = 50;
  LocalVariables locals(tasks_, creations_, symbols_);
  EXPECT_EQ(locals.at(0x7000'0110, 4, 3, 49).text(), "two");
  EXPECT_FALSE(locals.at(0x7000'0110, 4, 3, 50).known());
  EXPECT_EQ(locals.at(0x7000'0220, 4, 3, 50).text(), "cache.size");
}

TEST_F(TwoCalls, OtherMemoryHasNoName) {
  LocalVariables locals(tasks_, creations_, symbols_);
  EXPECT_FALSE(locals.at(0x7000'0080, 4, 3, kLast).known()) << "below the calls";
  EXPECT_FALSE(locals.at(0x7000'0208, 4, 3, kLast).known()) << "in main's frame, in no variable";
  EXPECT_FALSE(locals.at(0x7000'0310, 4, 3, kLast).known()) << "where the outermost frame ends is not known";
  EXPECT_FALSE(locals.at(0x6001'0110, 4, 3, kLast).known()) << "the stack of a task that has created none";
  EXPECT_FALSE(locals.at(0x9000'0000, 4, 3, kLast).known()) << "on no stack";
  EXPECT_FALSE(LocalVariables(tasks_, {}, symbols_).at(0x7000'0220, 4, 3, kLast).known()) << "the stacks were not kept";
}

TEST_F(TwoCalls, OnTheStackOfAnotherTaskItSaysWhose) {
  tasks_[0].stack_high = tasks_[0].stack_low = 0;
  tasks_[1].stack_low = 0x7000'0000;
  tasks_[1].stack_high = 0x7001'0000;
  tasks_[2].creator = 1;
  LocalVariables locals(tasks_, creations_, symbols_);
  EXPECT_EQ(locals.at(0x7000'0110, 4, 3, kLast).text(), "two of T1");
  EXPECT_EQ(locals.at(0x7000'0110, 4, 3, kLast).place(),
            "the local variable two of second() in T1 (Cache), declared at cache.cpp:14");
}

TEST_F(TwoCalls, TwoVariablesNeverShareAName) {
  symbols_.add_local(creations_[2].frames[0].pc, local("cache", "second()"), 0x7000'0110, 64);
  LocalVariables locals(tasks_, creations_, symbols_);
  EXPECT_TRUE(locals.at(0x7000'0220, 4, 3, kLast).known());
  EXPECT_FALSE(locals.at(0x7000'0110, 4, 3, kLast).known());
  EXPECT_TRUE(locals.at(0x7000'0224, 4, 3, kLast).known()) << "another place in the first is not another variable";
}

TEST_F(TwoCalls, FindingsSpeakOfThem) {
  FindingRecord record;
  record.kind = FindingKind::data_race;
  record.step = 12;
  record.address = 0x7000'0220;
  record.size = 4;
  for (const TaskId task : {1U, 2U}) {
    ParticipantRecord& part = add_part(record, task, {});
    doing(part, OperationKind::write, record.address, 4);
    part.held[0] = task == 1 ? 0x7000'0110 : 0;
  }
  const ResolvedFinding with = resolve_finding(record, tasks_, symbols_, {}, creations_);
  EXPECT_EQ(with.memory.name, "cache.size");
  EXPECT_EQ(with.memory.variable, "cache");
  EXPECT_EQ(with.memory.place,
            "the local variable cache of main() (Cache), 4 bytes at offset 16 of 64, declared at cache.cpp:14");
  EXPECT_EQ(with.stacks[0].held[0].object, "two");
  ASSERT_EQ(with.tasks.size(), 2U);
  ASSERT_EQ(with.tasks[0].created_at.size(), 2U);
  EXPECT_EQ(with.tasks[0].created_at[0].function, "first()");
  EXPECT_EQ(with.tasks[0].created_at[1].function, "main");

  const ResolvedFinding without = resolve_finding(record, tasks_, symbols_);
  EXPECT_EQ(without.memory.name, "a local variable of T0");
  EXPECT_EQ(without.signature, with.signature) << "one bug, however much is known about it";
}

// -- real ones

// `show` prints its callers' frames as the runtime keeps them; `place` prints where variables are.
constexpr const char* kProgram = R"(#include <link.h>
#include <unwind.h>
#include <atomic>
#include <cstdio>
#include <mutex>
static int first(dl_phdr_info* info, size_t, void* to) { *(unsigned long*)to = info->dlpi_addr; return 1; }
static _Unwind_Reason_Code frame(_Unwind_Context* context, void*) {
  std::printf("frame %lx %lx %lx\n", (unsigned long)_Unwind_GetIP(context), (unsigned long)_Unwind_GetCFA(context),
              (unsigned long)_Unwind_GetGR(context, 6));
  return _URC_NO_REASON;
}
[[gnu::noinline]] void show() {
  unsigned long bias = 0;
  dl_iterate_phdr(first, &bias);
  std::printf("bias %lx 0 0\n", bias);
  _Unwind_Backtrace(frame, nullptr);
}
template <typename T>
[[gnu::noinline]] void place(const char* label, T& variable) {
  std::printf("%s %lx 0 0\n", label, (unsigned long)&variable);
}
struct Cache {
  std::mutex lock;
  int sizes[3] = {};
  std::atomic<bool> ready{false};
};
[[gnu::always_inline]] inline void inlined(int start) {
  long inside[2] = {start, 0};
  place("inlined", inside[1]);
  show();
  place("inlined-again", inside[0]);
}
[[gnu::noinline]] int between(Cache& cache, int number) {
  int total = number;
  place("total", total);
  {
    double rate = 0.5;
    place("rate", rate);
    inlined(number);
    place("rate-again", rate);
  }
  place("total-again", total);
  return total + cache.sizes[2];
}
int main(int count, char**) {
  Cache cache;
  alignas(64) char wide[64] = {};
  int spare = count;
  place("lock", cache.lock);
  place("size", cache.sizes[2]);
  place("ready", cache.ready);
  place("wide", wide[3]);
  place("spare", spare);
  int result = between(cache, count);
  place("cache-again", cache);
  place("wide-again", wide);
  place("spare-again", spare);
  return result == 7;
}
)";

class RealFrames : public ::testing::TestWithParam<Build> {};

TEST_P(RealFrames, NameTheirVariables) {
  const Folder folder;
  const std::string program = folder / "prog";
  std::ofstream(folder / "locals.cpp") << kProgram;
  ASSERT_TRUE(run("cd '" + folder.path().string() + "' && " + GetParam().compiler + " -std=c++17 " + GetParam().flags +
                  " locals.cpp -o prog -lgcc_s"));
  FILE* pipe = ::popen(program.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::map<std::string, std::uint64_t> places;
  std::vector<TaskRecord> tasks(2);
  std::vector<CreationRecord> creations(2);
  CreationRecord& stack = creations[1];
  char label[64];
  unsigned long value[3];
  while (std::fscanf(pipe, "%63s %lx %lx %lx", label, &value[0], &value[1], &value[2]) == 4) {
    if (std::string(label) == "frame") {
      stack.frames[stack.count++] = {value[0], value[1], value[2], 0};
    } else {
      places[label] = value[0];
    }
  }
  ASSERT_EQ(::pclose(pipe), 0);
  ASSERT_GT(stack.count, 3U);
  tasks[0].creator = kNoTask;
  tasks[0].stack_low = stack.frames[0].stack_pointer;
  tasks[0].stack_high = stack.frames[stack.count - 1].stack_pointer;
  tasks[1].creator = 0;

  const std::uint64_t bias = places.at("bias");
  Symboliser symbols(program, std::vector<SymbolModule>{{bias, bias + 0x1000'0000, bias, ""}});
  LocalVariables locals(tasks, creations, symbols);
  const auto text = [&](const std::string& of, std::uint64_t size) {
    const LocalName name = locals.at(places.at(of), size, 2, kLast);
    return name.known() ? name.text() : std::string("?");
  };
  EXPECT_EQ(text("lock", 1), "cache.lock");
  EXPECT_EQ(text("size", 4), "cache.sizes[2]");
  EXPECT_EQ(text("ready", 1), "cache.ready");
  EXPECT_EQ(text("spare", 4), "spare");
  EXPECT_EQ(text("total", 4), "total");
  EXPECT_EQ(text("rate", 8), "rate");
  EXPECT_EQ(text("inlined", 8), "inside[1]");
  EXPECT_EQ(text("wide", 1), "wide[3]");

  const LocalName size = locals.at(places.at("size"), 4, 2, kLast);
  ASSERT_TRUE(size.known());
  EXPECT_EQ(size.data->kind, ValueKind::signed_integer);
  EXPECT_EQ(size.data->function, "main");
  EXPECT_EQ(size.data->type, "Cache");
  EXPECT_EQ(std::filesystem::path(size.data->file).filename(), "locals.cpp");
  const LocalName inside = locals.at(places.at("inlined"), 8, 2, kLast);
  ASSERT_TRUE(inside.known());
  EXPECT_EQ(inside.data->function, "inlined(int)");
}

INSTANTIATE_TEST_SUITE_P(LocalVariables, RealFrames,
                         ::testing::Values(Build{"g++", "-g -O0"}, Build{"g++", "-g -O2"},
                                           Build{"g++", "-g -O0 -fsanitize=thread"}, Build{"g++", "-gdwarf-4 -O2"},
                                           Build{"clang++", "-g -O0"}, Build{"clang++", "-g -O2"},
                                           Build{"clang++-19", "-g -O0"}, Build{"clang++-19", "-gdwarf-4 -O2"}),
                         build_name);

}  // namespace
}  // namespace ravel
