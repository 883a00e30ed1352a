// SPDX-License-Identifier: Apache-2.0
// Feeds the schedule reader with mutated schedules for a fixed number of inputs: the same ones on every machine. The
// libFuzzer target (fuzz_schedule_reader) searches further.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "tests/fuzz/mutation.h"
#include "tests/fuzz/schedule_reader_fuzz.h"
#include "tests/trace/sample_schedules.h"
#include "trace/schedule_writer.h"

namespace ravel {
namespace {

// Pieces the format is made of: a mutation that inserts one gets deeper than one that inserts a random byte.
constexpr std::string_view kPieces[] = {
    "\n",
    " ",
    "words: ",
    "words: Aab BAA CBB DCC\n",
    "places: ",
    "operations: ",
    "decisions: ",
    "sites: ",
    "end ",
    "{",
    "}",
    "{99999}",
    "{16383}",
    "<choose=1>",
    "<reads-from=",
    "=",
    ";",
    "+",
    "\"",
    "\\x",
    "4294967295",
    "18446744073709551615",
    "a",
    "module: x -\n",
    "?",
    "\r\n",
    "ravel-schedule 1\n",
    "0",
    "lock@0+1",
    std::string_view("\0", 1),
};

TEST(ScheduleReaderFuzz, MutatedSchedulesAreAnswered) {
  std::vector<std::string> seeds{format_schedule(example_schedule()), format_schedule(long_schedule(3, 4000, 1))};
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    std::string text = format_schedule(random_schedule(seed));
    if (text.size() < 8000) seeds.push_back(std::move(text));
  }
  Random random(1);
  for (int input = 0; input < 6000; ++input) {
    std::string text = seeds[random.below(static_cast<std::uint32_t>(seeds.size()))];
    for (std::uint32_t mutations = 1 + random.below(4); mutations > 0; --mutations) mutate(text, random, kPieces, 200);
    check_schedule_reader(text);
  }
}

TEST(ScheduleReaderFuzz, NoiseIsAnswered) {
  Random random(2);
  for (int input = 0; input < 10'000; ++input) {
    std::string text =
        "ravel-schedule 1\nprogram: x\nlaunch:\nplan: pct\nsteps: 0\noperation-hash: 0123456789abcdef\nsites: 0\n";
    for (std::uint32_t length = random.below(60); length > 0; --length) {
      text += random.below(2) == 0 ? std::string(1, static_cast<char>(' ' + random.below(95)))
                                   : std::string(kPieces[random.below(std::size(kPieces))]);
    }
    check_schedule_reader(text);
  }
}

}  // namespace
}  // namespace ravel
