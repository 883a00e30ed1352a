// SPDX-License-Identifier: Apache-2.0
//
// make_noise() and when to call it: what is done to a thread at a concurrent event. The event itself follows; all that
// the program notices is the time it takes.
//
// When: each thread counts down its events. How many are left alone is drawn from the requested probability and the
// mood of the thread: in a dense mood noise is more frequent than requested, in a quiet one far rarer. Moods last for
// several noises, so both long undisturbed stretches and dense ones occur.
//
// Thread safety: on the thread that `self` belongs to.
#pragma once

#include "runtime/noise/free_world.h"

namespace ravel {

// After this many reads of the same thing, a loop is only waiting.
inline constexpr std::uint32_t kPatience = 8;

NoisePlace place_of_access(FreeSelf& self, const Operation& operation);

// How rarely the thread reaches this code: kUsualRarity, more at its first visits, less where it is all the time. So a
// thread with few events, and code that runs once in a run, get their share besides loops.
std::uint32_t rarity_of(const FreeSelf& self, std::uint64_t pc);

// The weight of the event. A loop that only polls counts less and less: a waiting thread should not be delayed when
// what it waits for happens.
std::int64_t weight_of(FreeSelf& self, const Operation& operation, NoisePlace place);

void draw_countdown(FreeSelf& self, const NoisePlan& plan);

// The countdown is over: performs one noise before `operation`, and draws the next countdown.
void make_noise(FreeSelf& self, const Operation& operation);

}  // namespace ravel
