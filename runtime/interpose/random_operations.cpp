// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/random_operations.h"

#include "base/random.h"
#include "runtime/scheduler/scheduler.h"

namespace ravel {
namespace {

// The source of all random numbers the program asks the system for. For the running task; each execution starts from
// where the process was when it was forked.
struct ProgramRandom {
  Random generator;
  bool seeded = false;
};
constinit ProgramRandom g_random;

Random& generator() {
  if (!g_random.seeded) {
    g_random.generator = Random(scheduler().channel().launch.options.random_seed);
    g_random.seeded = true;
  }
  return g_random.generator;
}

}  // namespace

std::uint32_t random_word() { return static_cast<std::uint32_t>(generator().next() >> 32); }

ssize_t fill_random(void* buffer, std::size_t size) {
  auto* bytes = static_cast<unsigned char*>(buffer);
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (i % 8 == 0) word = generator().next();
    bytes[i] = static_cast<unsigned char>(word >> (8 * (i % 8)));
  }
  return static_cast<ssize_t>(size);
}

}  // namespace ravel
