// SPDX-License-Identifier: Apache-2.0
// The symboliser against small programs built here by each compiler: they print return addresses, we name them.
#include "reports/symboliser.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/reports/built_here.h"

namespace ravel {
namespace {
namespace fs = std::filesystem;

// Each `here(label)` prints where it was called from. Line numbers are counted in the test: LINE comments mark them.
constexpr const char* kProgram = R"(#include <link.h>
#include <array>
#include <cstdio>
#include <mutex>
#include <vector>
static unsigned long bias;
static int first(dl_phdr_info* info, size_t, void*) { bias = info->dlpi_addr; return 1; }
[[gnu::noinline]] void here(const char* label) {
  std::printf("%s %lx\n", label, (unsigned long)__builtin_return_address(0));
}
namespace bank {
struct Account {
  long balance;
  long history[4];
  [[gnu::always_inline]] void deposit(int n) {
    balance += n;
    here("deposit");                                   // LINE deposit
    balance += 1;
  }
};
Account savings;
}
static int hidden_counter = 3;
namespace {
[[gnu::always_inline]] inline void twice(bank::Account& account, const char*) {
  account.deposit(1);                                  // LINE first
  account.deposit(2);                                  // LINE second
}
}
template <typename T>
[[gnu::noinline]] void outer(T& account) {
  twice(account, "");                                  // LINE outer
  asm volatile("");
}
[[gnu::noinline]] static void plain(int n) {
  if (n > 0)
    here("plain");                                     // LINE plain
  hidden_counter += n;
}
extern "C" [[gnu::noinline]] void c_function() {
  here("c");                                           // LINE c
  asm volatile("");
}
struct Base { int id; };
struct Ledger : Base {
  unsigned open : 3;
  unsigned closed : 9;
  struct { short low, high; };
  bank::Account accounts[3];
  int grid[2][4];
  std::mutex lock;
  std::array<double, 4> rates;
  std::vector<int> list;
  union { int whole; char bytes[4]; } mixed;
  bool flag;
  char* text;
  static int shared;
};
int Ledger::shared = 1;
Ledger ledger;                                         // LINE ledger
thread_local int tls_first = 3;
thread_local bank::Account tls_account;
static thread_local long tls_last;
template <typename T>
void where(const char* label, T* pointer) { std::printf("%s %lx\n", label, (unsigned long)pointer); }
static long& numbered(int n) {
  static long calls[8];
  return calls[n];
}
int main() {
  static long inside = 7;
  where("id", &ledger.id);
  where("bits", (char*)&ledger.id + sizeof(int));
  where("more-bits", (char*)&ledger.id + sizeof(int) + 1);
  where("high", &ledger.high);
  where("element", &ledger.accounts[2].history[3]);
  where("whole-account", &ledger.accounts[1]);
  where("grid", &ledger.grid[1][2]);
  where("mutex", &ledger.lock);
  where("rate", &ledger.rates[3]);
  where("list", (char*)&ledger.list + 8);
  where("union", &ledger.mixed.bytes[2]);
  where("flag", &ledger.flag);
  where("text", &ledger.text);
  where("shared", &Ledger::shared);
  where("local-static", &numbered(5));
  where("tls-first", &tls_first);
  where("tls-account", &tls_account.history[1]);
  where("tls-last", &tls_last);
  char* thread_pointer;
  asm("mov %%fs:0, %0" : "=r"(thread_pointer));
  where("thread-pointer", thread_pointer);
  dl_iterate_phdr(first, nullptr);
  std::printf("bias %lx\n", bias);
  std::printf("savings %lx\n", (unsigned long)&bank::savings);
  std::printf("history %lx\n", (unsigned long)&bank::savings.history[1]);
  std::printf("hidden %lx\n", (unsigned long)&hidden_counter);
  std::printf("inside %lx\n", (unsigned long)&inside);
  outer(bank::savings);
  auto lambda = [](int n) __attribute__((noinline)) {
    here("lambda");                                    // LINE lambda
    hidden_counter += n;
  };
  lambda(1);
  plain(1);
  c_function();
  return hidden_counter == 0;
}
)";

std::uint32_t line_of(const std::string& label) {
  std::istringstream text(kProgram);
  std::string line;
  for (std::uint32_t number = 1; std::getline(text, line); ++number) {
    if (line.size() > label.size() + 5 && line.substr(line.size() - label.size() - 5) == "LINE " + label) return number;
  }
  ADD_FAILURE() << "no line " << label;
  return 0;
}

class Program {
 public:
  // Empty problem() when the program was built and run.
  explicit Program(const Build& build, const std::string& after_build = {}) {
    std::ofstream(folder_ / "bank.cpp") << kProgram;
    if (!run("cd '" + folder_.path().string() + "' && " + build.compiler + " -std=c++17 " + build.flags +
             " bank.cpp -o prog")) {
      problem_ = "does not build";
      return;
    }
    if (!after_build.empty() && !run("cd '" + folder_.path().string() + "' && " + after_build)) {
      problem_ = after_build + " failed";
      return;
    }
    FILE* pipe = ::popen(path().c_str(), "r");
    char label[64];
    unsigned long value = 0;
    while (pipe != nullptr && std::fscanf(pipe, "%63s %lx", label, &value) == 2) {
      addresses_[label].push_back(value);
    }
    if (pipe == nullptr || ::pclose(pipe) != 0) problem_ = "does not run";
  }

  std::string path() const { return (folder_ / "prog").string(); }
  const Folder& folder() const { return folder_; }
  const std::string& problem() const { return problem_; }
  std::uint64_t at(const std::string& label, std::size_t index = 0) { return addresses_.at(label).at(index); }

  Symboliser symboliser() {
    const std::uint64_t bias = at("bias");
    const std::uint64_t link_end = 0x10000000;
    return Symboliser(path(), std::vector<SymbolModule>{{bias, bias + link_end, bias, ""}});
  }

 private:
  Folder folder_;
  std::string problem_;
  std::map<std::string, std::vector<std::uint64_t>> addresses_;
};

std::string base_name(const std::string& path) { return fs::path(path).filename().string(); }

void expect_inlined_calls_innermost_first(Program& program) {
  Symboliser symboliser = program.symboliser();
  for (const bool second : {false, true}) {
    const std::vector<Frame>& frames = symboliser.code(program.at("deposit", second ? 1 : 0));
    ASSERT_EQ(frames.size(), 3U);
    EXPECT_EQ(frames[0].function, "bank::Account::deposit(int)");
    EXPECT_EQ(frames[0].line, line_of("deposit"));
    EXPECT_TRUE(frames[0].inlined);
    EXPECT_EQ(frames[1].function, "(anonymous namespace)::twice(bank::Account&, char const*)");
    EXPECT_EQ(frames[1].line, line_of(second ? "second" : "first"));
    EXPECT_TRUE(frames[1].inlined);
    EXPECT_EQ(frames[2].function, "void outer<bank::Account>(bank::Account&)");
    EXPECT_EQ(frames[2].line, line_of("outer"));
    EXPECT_FALSE(frames[2].inlined);
    for (const Frame& frame : frames) {
      EXPECT_EQ(base_name(frame.file), "bank.cpp");
      EXPECT_GT(frame.column, 0U);
      EXPECT_EQ(frame.module, program.path());
    }
  }
}

void expect_plain_lambda_and_c_functions(Program& program) {
  Symboliser symboliser = program.symboliser();
  const auto only = [&](const std::string& label) {
    const std::vector<Frame>& frames = symboliser.code(program.at(label));
    EXPECT_EQ(frames.size(), 1U) << label;
    EXPECT_EQ(frames[0].line, line_of(label)) << label;
    return frames[0].function;
  };
  // g++ clones plain(1) at -O2 (constprop); the name stays.
  EXPECT_EQ(only("plain"), "plain(int)");
  EXPECT_EQ(only("c"), "c_function");
  const std::string lambda = only("lambda");
  EXPECT_NE(lambda.find("main::"), std::string::npos) << lambda;
  EXPECT_NE(lambda.find("lambda"), std::string::npos) << lambda;
}

void expect_globals(Program& program) {
  Symboliser symboliser = program.symboliser();
  EXPECT_EQ(symboliser.data(program.at("savings")).text(), "bank::savings.balance");
  EXPECT_EQ(symboliser.data(program.at("savings"), 40).text(), "bank::savings");
  EXPECT_EQ(symboliser.data(program.at("history")).text(), "bank::savings.history[1]");
  EXPECT_EQ(symboliser.data(program.at("hidden")).text(), "hidden_counter");
  EXPECT_EQ(symboliser.data(program.at("inside")).text(), "main::inside");
  EXPECT_FALSE(symboliser.data(program.at("plain")).known());
  EXPECT_FALSE(symboliser.data(8).known());
}

void expect_members(Program& program) {
  Symboliser symboliser = program.symboliser();
  const auto text = [&](const std::string& label, std::uint64_t size) {
    return symboliser.data(program.at(label), size).text();
  };
  EXPECT_EQ(text("id", 4), "ledger.id");
  EXPECT_EQ(text("bits", 1), "ledger.{open, closed}");
  EXPECT_EQ(text("more-bits", 1), "ledger.closed");
  EXPECT_EQ(text("high", 2), "ledger.high");
  EXPECT_EQ(text("element", 8), "ledger.accounts[2].history[3]");
  EXPECT_EQ(text("element", 2), "ledger.accounts[2].history[3]");
  EXPECT_EQ(text("whole-account", 8), "ledger.accounts[1].balance");
  EXPECT_EQ(text("whole-account", 16), "ledger.accounts[1]") << "more than one member of it";
  EXPECT_EQ(text("whole-account", 41), "ledger.accounts+40") << "more than one element of it";
  EXPECT_EQ(text("grid", 4), "ledger.grid[1][2]");
  EXPECT_EQ(text("mutex", 0), "ledger.lock");
  EXPECT_EQ(text("rate", 8), "ledger.rates[3]");
  EXPECT_EQ(text("list", 8), "ledger.list+8");
  EXPECT_EQ(text("union", 1), "ledger.mixed+2");
  EXPECT_EQ(text("shared", 4), "Ledger::shared");
  EXPECT_EQ(text("local-static", 8), "numbered(int)::calls[5]");

  const DataName& element = symboliser.data(program.at("element"), 8);
  EXPECT_EQ(element.name, "ledger");
  EXPECT_EQ(element.type, "Ledger");
  EXPECT_EQ(base_name(element.file), "bank.cpp");
  EXPECT_EQ(element.line, line_of("ledger"));
  EXPECT_EQ(element.kind, ValueKind::signed_integer);
  EXPECT_EQ(symboliser.data(program.at("rate"), 8).kind, ValueKind::floating);
  EXPECT_EQ(symboliser.data(program.at("flag"), 1).kind, ValueKind::boolean);
  EXPECT_EQ(symboliser.data(program.at("text"), 8).kind, ValueKind::pointer);
  EXPECT_EQ(symboliser.data(program.at("mutex"), 0).kind, ValueKind::unknown);
  const std::string type = symboliser.data(program.at("local-static"), 8).type;
  EXPECT_TRUE(type == "long[8]" || type == "long int[8]") << type;  // compilers call it differently
}

void expect_thread_locals(Program& program) {
  Symboliser symboliser = program.symboliser();
  const auto text = [&](const std::string& label) {
    return symboliser.thread_local_data(program.at("thread-pointer") - program.at(label), 4).text();
  };
  EXPECT_EQ(text("tls-first"), "tls_first");
  EXPECT_EQ(text("tls-account"), "tls_account.history[1]");
  EXPECT_EQ(text("tls-last"), "tls_last");
  EXPECT_FALSE(symboliser.thread_local_data(0, 4).known());
  EXPECT_FALSE(symboliser.thread_local_data(1 << 20, 4).known());
}

// One test per compiler and flags: building the program is what takes the time.
class EveryCompiler : public ::testing::TestWithParam<Build> {};

TEST_P(EveryCompiler, CodeAndGlobalsAreNamed) {
  ASSERT_TRUE(has_compiler(GetParam().compiler)) << "`./dev check` installs " << GetParam().compiler;
  Program program(GetParam());
  ASSERT_EQ(program.problem(), "");
  expect_inlined_calls_innermost_first(program);
  expect_plain_lambda_and_c_functions(program);
  expect_globals(program);
  expect_members(program);
  expect_thread_locals(program);
}

INSTANTIATE_TEST_SUITE_P(Symboliser, EveryCompiler,
                         ::testing::Values(Build{"g++", "-g -O0"}, Build{"g++", "-g -O2"},
                                           Build{"g++", "-gdwarf-4 -O2"}, Build{"g++", "-g -O2 -no-pie"},
                                           Build{"g++", "-g -O1 -fsanitize=thread -gz"},
                                           Build{"g++", "-g -O2 -ffunction-sections -gsplit-dwarf"},
                                           Build{"clang++", "-g -O0"}, Build{"clang++", "-g -O2"},
                                           Build{"clang++", "-gdwarf-4 -O2"}, Build{"clang++-19", "-g -O0"},
                                           Build{"clang++-19", "-g -O2"}, Build{"clang++-19", "-gdwarf-4 -O2"},
                                           Build{"clang++-19", "-g -O1 -ffunction-sections"}),
                         build_name);

TEST(SymboliserWithoutDebugInformation, FallsBackToTheSymbolTable) {
  Program program({"g++", "-O2"});
  ASSERT_EQ(program.problem(), "");
  Symboliser symboliser = program.symboliser();
  const std::vector<Frame>& frames = symboliser.code(program.at("deposit"));
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_EQ(frames[0].function, "void outer<bank::Account>(bank::Account&)");
  EXPECT_EQ(frames[0].line, 0U);
  EXPECT_EQ(frames[0].file, "");
  EXPECT_EQ(frames[0].module, program.path());
  EXPECT_EQ(symboliser.data(program.at("history")).text(), "bank::savings+16");
}

TEST(SymboliserWithoutDebugInformation, StrippedFileKeepsExportedNames) {
  Program program({"g++", "-O2 -rdynamic -s"});
  ASSERT_EQ(program.problem(), "");
  Symboliser symboliser = program.symboliser();
  EXPECT_EQ(symboliser.code(program.at("c"))[0].function, "c_function");
}

TEST(SymboliserWithoutDebugInformation, StrippedFileAnswersWithTheModule) {
  Program program({"g++", "-O2 -s"});
  ASSERT_EQ(program.problem(), "");
  Symboliser symboliser = program.symboliser();
  const std::vector<Frame>& frames = symboliser.code(program.at("plain"));
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_EQ(frames[0].function, "??");
  EXPECT_EQ(frames[0].module, program.path());
  EXPECT_EQ(frames[0].offset, program.at("plain") - program.at("bias") - 1);
  EXPECT_FALSE(symboliser.data(program.at("savings")).known());
}

TEST(SymboliserWithoutDebugInformation, FollowsDebugLink) {
  for (const char* debug_folder : {".", ".debug"}) {
    Program program({"g++", "-g -O2"}, std::string("mkdir -p .debug && objcopy --only-keep-debug prog ") +
                                           debug_folder + "/prog.debug && strip prog && objcopy --add-gnu-debuglink=" +
                                           debug_folder + "/prog.debug prog");
    ASSERT_EQ(program.problem(), "");
    Symboliser symboliser = program.symboliser();
    const std::vector<Frame>& frames = symboliser.code(program.at("deposit"));
    ASSERT_EQ(frames.size(), 3U);
    EXPECT_EQ(frames[0].line, line_of("deposit"));
    EXPECT_EQ(symboliser.data(program.at("hidden")).text(), "hidden_counter");
  }
}

TEST(SymboliserWithoutDebugInformation, IgnoresADebugFileOfAnotherBuild) {
  Program program({"g++", "-g -O2 -Wl,--build-id=none"},
                  "objcopy --only-keep-debug prog prog.debug && strip prog && "
                  "objcopy --add-gnu-debuglink=prog.debug prog && echo damaged >> prog.debug");
  ASSERT_EQ(program.problem(), "");
  Symboliser symboliser = program.symboliser();
  EXPECT_EQ(symboliser.code(program.at("plain"))[0].function, "??");
}

TEST(Symboliser, AddressInNoModuleIsUnknown) {
  Symboliser symboliser("/bin/true", std::vector<SymbolModule>{});
  const std::vector<Frame>& frames = symboliser.code(0x1234);
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_EQ(frames[0].function, "??");
  EXPECT_EQ(frames[0].module, "");
  EXPECT_EQ(symboliser.module_of(0x1234), nullptr);
}

TEST(Symboliser, WhatTheProgramLabelledHasItsLabel) {
  Symboliser symbols("/nonexistent", std::vector<SymbolModule>{});
  symbols.use_labels(std::vector<LabelRecord>{{0x1000, 16, "the account"}, {0x2000, 8, "the lock"}});
  EXPECT_EQ(symbols.data(0x1000).text(), "the account");
  EXPECT_EQ(symbols.data(0x100c, 4).text(), "the account+12");
  EXPECT_EQ(symbols.data(0x2007).text(), "the lock+7");
  EXPECT_FALSE(symbols.data(0x1010).known());
  EXPECT_FALSE(symbols.data(0xfff).known());
  symbols.use_labels({});
  EXPECT_FALSE(symbols.data(0x1000).known());
}

TEST(Symboliser, MissingAndForeignFilesAreUnknownNotFatal) {
  Folder folder;
  std::ofstream(folder / "text") << "#!/bin/sh\n";
  for (const std::string& path : {std::string("/no/such/file"), (folder / "text").string(), std::string("/")}) {
    Symboliser symboliser("", std::vector<SymbolModule>{{0x1000, 0x2000, 0x1000, path}});
    EXPECT_EQ(symboliser.code(0x1800)[0].function, "??");
    EXPECT_EQ(symboliser.code(0x1800)[0].module, path);
    EXPECT_FALSE(symboliser.data(0x1800).known());
  }
}

TEST(Symboliser, TakesTheProgramForAnEmptyModulePath) {
  ModuleRecord record;
  record.start = 0x1000;
  record.end = 0x2000;
  Symboliser symboliser("./prog", std::span<const ModuleRecord>(&record, 1));
  ASSERT_NE(symboliser.module_of(0x1fff), nullptr);
  EXPECT_EQ(symboliser.module_of(0x1fff)->path, "./prog");
  EXPECT_EQ(symboliser.module_of(0x2000), nullptr);
  EXPECT_EQ(symboliser.module_of(0xfff), nullptr);
}

TEST(Symboliser, ShowsFilesRelativeToTheCurrentDirectory) {
  Program program({"g++", "-g -O0"});
  ASSERT_EQ(program.problem(), "");
  const fs::path before = fs::current_path();
  fs::current_path(program.folder().path());
  Symboliser inside = program.symboliser();
  fs::current_path("/");
  Symboliser above = program.symboliser();
  fs::current_path(before);
  EXPECT_EQ(inside.code(program.at("plain"))[0].file, "bank.cpp");
  const std::string full = (program.folder() / "bank.cpp").string();
  EXPECT_EQ(above.code(program.at("plain"))[0].file, full.substr(1));
}

TEST(Demangle, LeavesOtherNamesAlone) {
  EXPECT_EQ(demangle("_ZN4bank7savingsE"), "bank::savings");
  EXPECT_EQ(demangle("main"), "main");
  EXPECT_EQ(demangle("_Znonsense"), "_Znonsense");
}

}  // namespace
}  // namespace ravel
