// SPDX-License-Identifier: Apache-2.0
// Feeds what reads the listings of test binaries with mutated listings for a fixed number of inputs: the same ones on
// every machine. The libFuzzer target (fuzz_case_listing) searches further.
#include <gtest/gtest.h>

#include <string>

#include "base/random.h"
#include "tests/fuzz/case_listing_fuzz.h"
#include "tests/fuzz/mutation.h"

namespace ravel {
namespace {

constexpr std::string_view kSeed = R"(Running main() from gtest_main.cc
Queue.
  Push
Typed/std::map-like.  # TypeParam = std::map<int, char>
  Holds/0  # GetParam() = 1
"#hash"
[doctest] listing all test case names
===============================================
push, then \ pop [fast] "now"
===============================================
[doctest] unskipped test cases passing the current filters: 1
)";

constexpr std::string_view kPieces[] = {
    "\n",
    "  ",
    ".",
    "\r\n",
    "  # ",
    "\"",
    "#",
    "\\",
    ",",
    "[",
    "]",
    ":",
    "-",
    "~",
    "*",
    "exclude:",
    "DISABLED_",
    "/",
    "?",
    "\t",
    " ",
    "=",
    "===================\n",
};

TEST(CaseListingFuzz, MutatedListingsAreAnswered) {
  Random random(1);
  for (int input = 0; input < 10'000; ++input) {
    std::string text(kSeed);
    for (std::uint32_t mutations = 1 + random.below(5); mutations > 0; --mutations) mutate(text, random, kPieces, 60);
    check_case_listing(text);
  }
}

}  // namespace
}  // namespace ravel
