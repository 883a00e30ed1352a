// SPDX-License-Identifier: Apache-2.0
// Feeds the reader of race.txt with mutated files for a fixed number of inputs: the same ones on every machine. The
// libFuzzer target (fuzz_race_file) searches further.
#include <gtest/gtest.h>

#include <string>

#include "base/random.h"
#include "tests/fuzz/mutation.h"
#include "tests/fuzz/race_file_fuzz.h"

namespace ravel {
namespace {

constexpr std::string_view kSeed = R"(test list_add_empty
at list.cpp List::add 1 notify("linking")
at list.cpp f(int, char) 1 wait("linking") on arrival 2
at "my list.cpp" List::grow 3 wait("linking") if i == '"' && this->size_ > 0 for T2
at list.cpp:42 notify("asked")
at list.cpp List::add call 2 of push_back after wait("asked")
at list.cpp access 1 of size_ notify("grown")
expect race at list.cpp List::add access 1 of size_ and list.cpp:57
)";

constexpr std::string_view kPieces[] = {
    "\n",    " ",        "\"",         "'",          "\\",
    "#",     "(",        ")",          "<",          ">",
    ":",     "1",        "0",          "-1",         "wait(\"",
    "wait(", "notify(",  "after ",     " if ",       " for T1",
    " of ",  "call 1",   "at ",        "and ",       "expect ",
    "test ", "access 1", "operator ",  "4294967296", "on arrival 1",
    "race ", "\r\n",     "::",         "T",          "\")",
    "f ",    "const ",   "deadlock\n", "\t",         std::string_view("\0", 1),
};

TEST(RaceFileFuzz, MutatedFilesAreAnswered) {
  Random random(1);
  for (int input = 0; input < 30'000; ++input) {
    std::string text(kSeed);
    for (std::uint32_t mutations = 1 + random.below(5); mutations > 0; --mutations) mutate(text, random, kPieces, 60);
    check_race_file(text);
  }
}

}  // namespace
}  // namespace ravel
