// SPDX-License-Identifier: Apache-2.0
// Feeds the reader of crash stacks with mutated samples and with noise, the same ones on every machine. The libFuzzer
// target (fuzz_crash_text) searches further.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "driver/crash/crashing_class.h"
#include "driver/crash/stack_text.h"
#include "tests/driver/crash/samples.h"
#include "tests/fuzz/crash_text_fuzz.h"
#include "tests/fuzz/mutation.h"

namespace ravel {
namespace {

constexpr std::string_view kPieces[] = {
    "\n",
    "\r\n",
    "#0 ",
    "#1  ",
    " in ",
    " at ",
    " from ",
    "(",
    ")",
    "<",
    ">",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "`",
    "::",
    "operator",
    "operator()",
    "operator<",
    "0x1234",
    "(prog+0x12)",
    "(BuildId: ",
    "a.cpp:1",
    ":12:3",
    "  ",
    " (inlined)",
    " (method)",
    "std::",
    "frame #0: ",
    "Thread 1 ",
    "thread T1",
    "* thread #",
    "| Source \"",
    "Object \"x\", at ",
    ", line 3, in ",
    " 0# ",
    "0> ",
    " [0x1]",
    "(+0x1)",
    "pc 0012  ",
    " + 0x12",
    "!",
    "\x1b[31m",
    "#012",
    "{lambda()#1}",
    "(anonymous namespace)",
    "requires ",
    "decltype (",
    "const",
    "=",
    ", ",
    "this=",
    "<signal handler called>",
    "Nov 17 10:35:00 h p: ",
    "received signal SIGSEGV",
    "??",
    "_ZN1A1fEv",
    "(unknown code)",
    "+",
    std::string_view("\0", 1),
    "\xff",
};

std::vector<std::string> samples() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(sample_folder())) {
    if (entry.path().extension() == ".txt") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts{golden_report("deadlock"), golden_report("uncaught-exception")};
  for (const std::filesystem::path& path : paths) texts.push_back(file_text(path));
  return texts;
}

TEST(CrashTextFuzz, MutatedSamplesAreAnswered) {
  const std::vector<std::string> seeds = samples();
  Random random(1);
  for (int input = 0; input < 3000; ++input) {
    std::string text = seeds[random.below(static_cast<std::uint32_t>(seeds.size()))];
    for (std::uint32_t mutations = 1 + random.below(8); mutations > 0; --mutations) mutate(text, random, kPieces, 300);
    check_crash_text(text);
  }
}

TEST(CrashTextFuzz, NoiseIsAnswered) {
  Random random(2);
  for (int input = 0; input < 20'000; ++input) {
    std::string text = random.below(2) == 0 ? "#0 " : "";
    for (std::uint32_t length = random.below(40); length > 0; --length) {
      text += random.below(4) == 0 ? std::string(1, static_cast<char>(random.below(256)))
                                   : std::string(kPieces[random.below(std::size(kPieces))]);
    }
    check_crash_text(text);
  }
}

// Ten times the text takes about ten times as long, whatever it repeats. The bound is far from both: a reader in
// quadratic time would need hours.
TEST(CrashTextFuzz, LargeInputsTakeLinearTime) {
  const auto begin = std::chrono::steady_clock::now();
  for (const std::string_view piece : kPieces) {
    for (const std::string_view before : {"#0 0x1 in f", "#0 f (", "frame #0: 0x1 p`f", "0# "}) {
      std::string text(before);
      while (text.size() < 30'000) text += piece;
      const Result<CrashReport> report = parse_crash_text(text, "input");
      if (report.is_ok()) (void)infer_class(report.value());
    }
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

}  // namespace
}  // namespace ravel
