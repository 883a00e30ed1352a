// SPDX-License-Identifier: Apache-2.0
// Schedules to test the format with: the worked example of docs/formats/schedule.md, random ones, long ones.
#pragma once

#include <cstdint>

#include "model/schedule.h"

namespace ravel {

// Small enough to read: a lock-order deadlock of two tasks.
Schedule example_schedule();

// Everything the format can hold, chosen by the seed.
Schedule random_schedule(std::uint64_t seed);

// A long execution of a loop with branches in each of `tasks` tasks; at every step another task is chosen at random.
Schedule long_schedule(std::uint32_t tasks, std::uint32_t steps, std::uint64_t seed);

// What the format does not keep is at its default in all of the above, so a round trip gives an equal schedule.
void expect_equal(const Schedule& expected, const Schedule& actual);

}  // namespace ravel
