// SPDX-License-Identifier: Apache-2.0
// From record to words: names, trimming, signatures. Records are written by hand; one test takes a real crash.
#include "reports/finding_report.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "reports/access_words.h"
#include "tests/reports/sample_findings.h"

namespace ravel {
namespace {

std::vector<std::string> functions(const ResolvedStack& stack) {
  std::vector<std::string> names;
  for (const Frame& entry : stack.frames) names.push_back(entry.function);
  return names;
}
using Names = std::vector<std::string>;

TEST(ObjectNames, GlobalsAreCalledByTheirName) {
  SampleFindings samples;
  const ResolvedFinding race = samples.resolve(FindingKind::data_race);
  EXPECT_EQ(race.stacks[0].object, "bank::balance");
  EXPECT_EQ(race.stacks[0].operation, "write 4 bytes");
  EXPECT_TRUE(race.objects.empty());
}

TEST(ObjectNames, OthersAreNumberedByAppearance) {
  SampleFindings samples;
  const ResolvedFinding finding = samples.resolve(FindingKind::deadlock);
  EXPECT_EQ(finding.stacks[0].held[0].object, "mutex M1");
  EXPECT_EQ(finding.stacks[0].object, "savings+40");
  EXPECT_EQ(finding.stacks[1].held[1].object, "mutex M2");
  EXPECT_EQ(finding.stacks[1].object, "mutex M1");
  ASSERT_EQ(finding.objects.size(), 1U);
  EXPECT_EQ(finding.objects[0].name, "mutex M1");
  EXPECT_EQ(finding.objects[0].place, "on the stack of T0");
}

TEST(ObjectNames, AreTheSameWhereverMemoryLies) {
  SampleFindings samples;
  const auto at = [&](std::uint64_t address) {
    auto record = samples.record(FindingKind::use_after_free);
    record->participant[0].operation.object = address;
    return resolve_finding(*record, samples.tasks(), samples.symbols());
  };
  EXPECT_EQ(at(0x9000'0000), at(0xa000'0000));
}

TEST(ObjectNames, AHeldReadWriteLockIsCalledSo) {
  SampleFindings samples;
  FindingRecord record;
  record.kind = FindingKind::deadlock;
  ParticipantRecord& holder = add_part(record, 1, {});
  holder.held[0] = 0x9000'0000;
  doing(holder, OperationKind::barrier_wait, 0x9000'0040);
  ParticipantRecord& writer = add_part(record, 2, {});
  doing(writer, OperationKind::rwlock_write_lock, 0x9000'0000);
  const ResolvedFinding finding = resolve_finding(record, samples.tasks(), samples.symbols());
  EXPECT_EQ(finding.stacks[0].held[0].object, "read-write lock R1");
  EXPECT_EQ(finding.stacks[0].object, "barrier B1");
  EXPECT_EQ(finding.stacks[1].object, "read-write lock R1");
}

TEST(ObjectNames, JoinNamesTheTask) {
  SampleFindings samples;
  const ResolvedFinding finding = samples.resolve(FindingKind::lost_wakeup);
  EXPECT_EQ(finding.stacks[1].object, "T2");
  EXPECT_EQ(finding.stacks[1].holder, 2U);
}

TEST(Trimming, LeavesOutOurOwnAndLibraryFramesAtBothEnds) {
  SampleFindings samples;
  const ResolvedFinding finding = samples.resolve(FindingKind::deadlock);
  EXPECT_EQ(functions(finding.stacks[0]), (Names{"bank::transfer(bank::Account&, bank::Account&)", "worker(int)"}));
  EXPECT_EQ(finding.stacks[0].through, "std::lock_guard<std::mutex>::lock_guard(std::mutex&)");
  EXPECT_EQ(functions(finding.stacks[2]), (Names{"main"}));
}

TEST(Trimming, KeepsTheLibraryFunctionThatCrashed) {
  SampleFindings samples;
  EXPECT_EQ(functions(samples.resolve(FindingKind::signal).stacks[0])[0], "strlen");
}

TEST(Trimming, LeavesOutHowThreadsBegin) {
  SampleFindings samples;
  EXPECT_EQ(functions(samples.resolve(FindingKind::leak_of_lock).stacks[0]), Names{});
}

TEST(LibraryFrames, AreKnownByModuleHeaderOrName) {
  EXPECT_TRUE(is_library_frame(bare_frame("pthread_mutex_lock", "/lib/x86_64-linux-gnu/libc.so.6")));
  EXPECT_TRUE(is_library_frame(bare_frame("anything", "/opt/ravel/lib/libtsan.so.2")));
  EXPECT_TRUE(is_library_frame(frame("std::mutex::lock()", "/usr/include/c++/12/bits/std_mutex.h", 100)));
  EXPECT_TRUE(is_library_frame(bare_frame("void std::__invoke_impl<void, void (*)()>(void (*&&)())", "./bank")));
  EXPECT_TRUE(is_library_frame(bare_frame("_start", "./bank")));
  EXPECT_FALSE(is_library_frame(bare_frame("bank::pay(std::vector<int>&)", "./bank")));
  EXPECT_FALSE(is_library_frame(bare_frame("??", "./bank")));
  EXPECT_FALSE(is_library_frame(frame("standard()", "standard.cpp", 1)));
}

TEST(Messages, OfDeadlocksAreToldByTheirTasks) {
  SampleFindings samples;
  auto record = samples.record(FindingKind::deadlock);
  record->participants = 2;
  record->participants_total = 2;
  record->participant[1].held[1] = 0;
  const ResolvedFinding finding = resolve_finding(*record, samples.tasks(), samples.symbols());
  EXPECT_EQ(finding.message,
            "T1 holds mutex M1 and waits for savings+40; T2 (auditor) holds savings+40 and waits for mutex M1");
  EXPECT_EQ(hold_and_wait_text(finding.stacks[0], Detail::complete),
            "T1 holds mutex M1 (bank.cpp:30) and waits for savings+40, held by T2");
  EXPECT_EQ(waiting_cycle(finding), (std::vector<TaskId>{1, 2}));
}

TEST(Messages, OfASelfDeadlockSaySo) {
  SampleFindings samples;
  FindingRecord record;
  record.kind = FindingKind::deadlock;
  ParticipantRecord& part = add_part(record, 1, {});
  doing(part, OperationKind::mutex_lock, 0x9000'0000);
  part.held[0] = 0x9000'0000;
  part.blocked = 1;
  part.holder = 1;
  EXPECT_EQ(resolve_finding(record, {}, samples.symbols()).message,
            "T1 holds mutex M1 and waits for mutex M1, which it holds itself");
}

TEST(Messages, AnUnterminatedFieldIsReadToItsEnd) {
  SampleFindings samples;
  FindingRecord record;
  for (char& c : record.message) c = 'x';
  EXPECT_EQ(resolve_finding(record, {}, samples.symbols()).message, std::string(sizeof record.message, 'x'));
}

TEST(Records, WithImpossibleCountsAreReadWithinBounds) {
  SampleFindings samples;
  auto record = samples.record(FindingKind::assertion);
  record->participants = 60000;
  record->participant[0].stack.count = 0xffffffffU;
  const ResolvedFinding finding = resolve_finding(*record, {}, samples.symbols());
  EXPECT_EQ(finding.stacks.size(), kMaxParticipants);
  record_key(*record);
}

TEST(Faults, AreDescribedWithoutAddresses) {
  SampleFindings samples;
  const auto fault = [&](std::uint64_t address) {
    auto record = samples.record(FindingKind::signal);
    record->fault_address = address;
    return resolve_finding(*record, samples.tasks(), samples.symbols()).fault;
  };
  EXPECT_EQ(fault(0), "a null pointer");
  EXPECT_EQ(fault(8), "a null pointer plus 8 bytes");
  EXPECT_EQ(fault(0x500000), "bank::balance");
  EXPECT_EQ(fault(0x6000'0008), "the stack of T1");
  EXPECT_EQ(fault(0x6000'0000 - 8), "memory just below the stack of T1: the stack has probably overflowed");
  EXPECT_EQ(fault(0xdead'beef'0000), "");
}

TEST(Signature, IsOfTheBugNotOfTheExecution) {
  SampleFindings samples;
  auto record = samples.record(FindingKind::deadlock);
  const std::string signature = resolve_finding(*record, samples.tasks(), samples.symbols()).signature;
  EXPECT_EQ(signature.size(), 16U);

  // Other tasks, other memory, the other one first, another step: still the same deadlock.
  std::swap(record->participant[0], record->participant[1]);
  record->step = 1000;
  record->participant[0].operation.task = 3;
  record->participant[0].operation.object = 0x9000'5000;
  EXPECT_EQ(resolve_finding(*record, samples.tasks(), samples.symbols()).signature, signature);

  record->kind = FindingKind::lost_wakeup;
  EXPECT_NE(resolve_finding(*record, samples.tasks(), samples.symbols()).signature, signature);
}

TEST(Signature, TellsPlacesApart) {
  SampleFindings samples;
  auto record = samples.record(FindingKind::assertion);
  const std::string signature = resolve_finding(*record, samples.tasks(), samples.symbols()).signature;
  const std::uint64_t other = samples.symbols().add({frame("bank::Account::deposit(int)", "bank.cpp", 14)});
  record->participant[0].stack.frames[2] = other;
  EXPECT_NE(resolve_finding(*record, samples.tasks(), samples.symbols()).signature, signature);
}

TEST(Signature, DoesNotDependOnTheDirectory) {
  SampleFindings samples;
  auto record = samples.record(FindingKind::assertion);
  const auto from = [&](const std::string& folder) {
    const std::uint64_t pc = samples.symbols().add({frame("f()", folder + "bank.cpp", 14)});
    record->participant[0].stack.frames[2] = pc;
    return resolve_finding(*record, samples.tasks(), samples.symbols()).signature;
  };
  EXPECT_EQ(from(""), from("/home/user/project/"));
}

TEST(Signature, WithoutStacksIsOfTheMessage) {
  SampleFindings samples;
  auto record = samples.record(FindingKind::exit_code);
  const std::string three = resolve_finding(*record, samples.tasks(), samples.symbols()).signature;
  set_message(*record, "the program ended with exit code 4");
  EXPECT_NE(resolve_finding(*record, samples.tasks(), samples.symbols()).signature, three);
}

TEST(RaceSignature, IsThePairOfPlacesInAnyOrder) {
  SampleFindings samples;
  auto record = samples.record(FindingKind::data_race);
  record->participant[0].operation.object = record->address = 0x9000'0100;
  const auto signature = [&] { return resolve_finding(*record, samples.tasks(), samples.symbols()).signature; };
  const std::string first = signature();

  // Other tasks, other memory, other locks, other values, the other access first: the same race.
  std::swap(record->participant[0], record->participant[1]);
  record->participant[0].operation.task = 3;
  record->participant[0].operation.object = record->address = 0x9000'0000;
  record->participant[1].held[0] = 0;
  record->participant[1].value_known = 0;
  record->step = 99;
  EXPECT_EQ(signature(), first);
  // Only the place of the earlier access is known: still the same.
  record->participant[1].stack.count = 1;
  EXPECT_EQ(signature(), first);

  record->participant[1].operation.kind = OperationKind::atomic_store;
  EXPECT_NE(signature(), first) << "another kind of access";
}

TEST(RaceSignature, TellsAPlaceRacingWithItselfFromAPair) {
  SampleFindings samples;
  auto pair = samples.record(FindingKind::data_race);
  auto twin = samples.record(FindingKind::data_race);
  twin->participant[1] = twin->participant[0];
  EXPECT_NE(resolve_finding(*pair, {}, samples.symbols()).signature,
            resolve_finding(*twin, {}, samples.symbols()).signature);
}

TEST(RaceSignature, TellsTheVariablesOfOneLineApart) {
  TableSymbols symbols;
  const std::uint64_t writer = symbols.add({frame("writer()", "line.cpp", 5, 3)});
  const std::uint64_t later = symbols.add({frame("writer()", "line.cpp", 5, 30)});
  const auto signature = [&](std::uint64_t address, std::uint64_t pc) {
    FindingRecord record;
    record.kind = FindingKind::data_race;
    record.address = address;
    record.size = 4;
    for (const TaskId task : {1, 2}) doing(add_part(record, task, {pc}), OperationKind::write, address, 4);
    return resolve_finding(record, {}, symbols).signature;
  };
  const std::uint64_t first = symbols.add_global("first", 4);
  const std::uint64_t second = symbols.add_global("second", 4);
  EXPECT_NE(signature(first, writer), signature(second, writer));
  EXPECT_EQ(signature(first, writer), signature(first, later)) << "one variable, twice on the line";
  const std::uint64_t array = symbols.add_global("array", 64);
  EXPECT_EQ(signature(array, writer), signature(array + 8, writer)) << "elements that one expression goes through";
  EXPECT_NE(signature(array, writer), signature(array + 8, later)) << "members";
  EXPECT_NE(signature(0x9000'0000, writer), signature(0x9000'0008, later));
}

TEST(KnownDefects, AreTold) {
  TableSymbols symbols;
  const auto note = [&](FindingKind kind, const char* function, const char* file) {
    FindingRecord record;
    record.kind = kind;
    const std::uint64_t pc = symbols.add({frame(function, file, 5)});
    const std::uint64_t user = symbols.add({frame("main", "main.cpp", 7)});
    for (const TaskId task : {1, 2}) doing(add_part(record, task, {pc, user}), OperationKind::write, 0x9000'0000, 4);
    return resolve_finding(record, {}, symbols).known_defect;
  };
  const char* const pointer = "std::_Sp_atomic<std::shared_ptr<int> >::load(std::memory_order) const";
  const char* const semaphore = "std::__atomic_semaphore::_M_acquire()";
  EXPECT_EQ(note(FindingKind::data_race, pointer, "/usr/include/c++/12/bits/shared_ptr_atomic.h"),
            "this is a known defect of libstdc++ before GCC 13: std::atomic<std::shared_ptr>::load gives its lock back "
            "with a relaxed operation");
  EXPECT_EQ(
      note(FindingKind::deadlock, semaphore, "/usr/include/c++/12/bits/semaphore_base.h"),
      "this may be a known defect of libstdc++ before GCC 16: std::counting_semaphore::acquire can sleep although "
      "there are units left (GCC bug 104928)");
  EXPECT_EQ(note(FindingKind::data_race, pointer, "/usr/include/c++/13/bits/shared_ptr_atomic.h"), "");
  EXPECT_EQ(note(FindingKind::deadlock, pointer, "/usr/include/c++/12/bits/shared_ptr_atomic.h"), "");
  EXPECT_EQ(note(FindingKind::data_race, "bank::pay()", "bank.cpp"), "");
}

TEST(HeapSignature, DoesNotDependOnWhatWasWatched) {
  SampleFindings samples;
  auto record = samples.record(FindingKind::use_after_free);
  const std::string watched = resolve_finding(*record, samples.tasks(), samples.symbols()).signature;
  record->block = {};
  EXPECT_EQ(resolve_finding(*record, samples.tasks(), samples.symbols()).signature, watched);
}

TEST(Races, WithOneParticipantAreStillTold) {
  SampleFindings samples;
  auto record = samples.record(FindingKind::data_race);
  record->participants = 1;
  const ResolvedFinding finding = resolve_finding(*record, samples.tasks(), samples.symbols());
  EXPECT_EQ(finding.message, finding_sentence(FindingKind::data_race));
  EXPECT_EQ(finding.remedy, "");
}

TEST(Races, NameTheFunctionOfTheLibraryThatMadeTheAccess) {
  SampleFindings samples;
  auto record = samples.race_at(0x9000'0100, 24);
  const std::uint64_t copy = samples.symbols().add({bare_frame("memcpy", "/opt/libravel.so")});
  StackRecord& stack = record->participant[0].stack;
  for (std::size_t i = stack.count++; i > 0; --i) stack.frames[i] = stack.frames[i - 1];
  stack.frames[0] = copy;
  const ResolvedFinding finding = resolve_finding(*record, samples.tasks(), samples.symbols());
  EXPECT_EQ(finding.stacks[0].through, "memcpy");
  EXPECT_EQ(finding.stacks[0].frames[0].function, "bank::Account::deposit(int)");
}

TEST(Races, OfTwoWritesAreToldSo) {
  SampleFindings samples;
  auto record = samples.race_at(0x6000'0010);
  record->participant[1].operation.kind = OperationKind::write;
  EXPECT_EQ(resolve_finding(*record, samples.tasks(), samples.symbols()).message,
            "T1 and T0 both write 4 bytes of a local variable of T1");
}

TEST(Races, WithAFreeSayFree) {
  SampleFindings samples;
  auto record = samples.race_at(0x9000'0100, 24);
  samples.block(*record, 0x9000'0100, 24);
  StackRecord& stack = record->participant[0].stack;
  const std::uint64_t vector =
      samples.symbols().add({frame("std::vector<int>::~vector()", "/usr/include/c++/12/bits/stl_vector.h", 730)});
  const std::uint64_t release = samples.symbols().add({bare_frame("operator delete(void*)", "/opt/libravel.so")});
  for (const std::uint64_t pc : {vector, release}) {
    for (std::size_t i = stack.count++; i > 0; --i) stack.frames[i] = stack.frames[i - 1];
    stack.frames[0] = pc;
  }
  const ResolvedFinding finding = resolve_finding(*record, samples.tasks(), samples.symbols());
  EXPECT_EQ(finding.stacks[0].through, "operator delete(void*)");
  EXPECT_EQ(finding.message, "T1 frees and T0 reads 24 bytes of a heap block of 24 bytes");
}

TEST(Values, AreWrittenAsTheirTypeIs) {
  EXPECT_EQ(value_text(0xffff'fff9, 4, ValueKind::signed_integer), "-7");
  EXPECT_EQ(value_text(0xffff'fff9, 4, ValueKind::unsigned_integer), "4294967289");
  EXPECT_EQ(value_text(0xabcd'0001, 2, ValueKind::unsigned_integer), "1") << "only the bytes accessed count";
  EXPECT_EQ(value_text(1, 1, ValueKind::boolean), "true");
  EXPECT_EQ(value_text(2, 1, ValueKind::boolean), "2") << "no bool at all";
  EXPECT_EQ(value_text(0x4004'0000'0000'0000, 8, ValueKind::floating), "2.5");
  EXPECT_EQ(value_text(0x4020'0000, 4, ValueKind::floating), "2.5");
  EXPECT_EQ(value_text(0, 8, ValueKind::pointer), "null");
  EXPECT_EQ(value_text(0x7fff'f7a0'1000, 8, ValueKind::pointer), "") << "an address is chance";
  EXPECT_EQ(value_text(0x7fff'f7a0'1000, 8, ValueKind::unknown), "");
  EXPECT_EQ(value_text(7, 8, ValueKind::unknown), "7");
  EXPECT_EQ(value_text(7, 0, ValueKind::unknown), "");
  EXPECT_EQ(value_text(7, 24, ValueKind::unknown), "");
}

TEST(RecordKey, IsEqualForEqualStacksOnly) {
  SampleFindings samples;
  auto record = samples.record(FindingKind::deadlock);
  const std::uint64_t key = record_key(*record);
  record->step = 99;
  EXPECT_EQ(record_key(*record), key);
  record->participant[1].stack.frames[2] += 1;
  EXPECT_NE(record_key(*record), key);
}

// A program that crashes at the first instruction of a function. Its handler prints the stack as the runtime takes it.
TEST(RealCrash, NamesTheInterruptedInstructionNotTheOneBefore) {
  namespace fs = std::filesystem;
  std::string pattern = (fs::temp_directory_path() / "ravel-crash-XXXXXX").string();
  const fs::path folder = ::mkdtemp(pattern.data());
  std::ofstream(folder / "crash.cpp") << R"(#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <cstdio>
#include <cstdlib>
static int module(dl_phdr_info* info, size_t, void*) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type == PT_LOAD && (header.p_flags & PF_X)) {
      unsigned long start = info->dlpi_addr + header.p_vaddr;
      std::printf("M %lx %lx %lx %s\n", start, start + header.p_memsz, (unsigned long)info->dlpi_addr,
                  info->dlpi_name[0] ? info->dlpi_name : "-");
    }
  }
  return 0;
}
static void handler(int) {
  void* stack[48];
  const int count = backtrace(stack, 48);
  for (int i = 0; i < count; ++i) std::printf("F %lx\n", (unsigned long)stack[i]);
  std::fflush(stdout);
  std::_Exit(0);
}
__attribute__((noinline)) void before() { asm volatile("nop"); }
__attribute__((naked)) void crash() { asm("ud2"); }
__attribute__((noinline)) void caller() {
  crash();
  asm volatile("");
}
int main() {
  void* warm[2];
  backtrace(warm, 2);
  dl_iterate_phdr(module, nullptr);
  signal(SIGILL, handler);
  before();
  caller();
}
)";
  const std::string program = (folder / "crash").string();
  ASSERT_EQ(std::system(("g++ -g -O1 -fno-omit-frame-pointer " + program + ".cpp -o " + program).c_str()), 0);
  FILE* pipe = ::popen(program.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::vector<SymbolModule> modules;
  auto record = std::make_unique<FindingRecord>();
  record->kind = FindingKind::signal;
  record->signal_number = SIGILL;
  ParticipantRecord& part = add_part(*record, 0, {});
  char line[512];
  while (std::fgets(line, sizeof line, pipe) != nullptr) {
    unsigned long a = 0;
    unsigned long b = 0;
    unsigned long c = 0;
    char path[300] = {};
    if (std::sscanf(line, "M %lx %lx %lx %299s", &a, &b, &c, path) == 4) {
      modules.push_back({a, b, c, std::string(path) == "-" ? "" : path});
    } else if (std::sscanf(line, "F %lx", &a) == 1) {
      part.stack.frames[part.stack.count++] = a;
    }
  }
  ::pclose(pipe);
  Symboliser symboliser(program, modules);
  const ResolvedFinding finding = resolve_finding(*record, {}, symboliser);
  // The handler is the program's own here, so it stays.
  EXPECT_EQ(functions(finding.stacks[0]), (Names{"handler(int)", "crash()", "caller()", "main"}));
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

}  // namespace
}  // namespace ravel
