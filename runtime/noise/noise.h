// SPDX-License-Identifier: Apache-2.0
//
// Noise: what is done to a thread at a concurrent event, and when. The event itself follows; nothing of this is visible
// to the program but the time it takes.
//
// When: each thread counts down its events. How many are left alone is drawn from the probability asked for and the
// mood of the thread: in a dense mood noise is more frequent than asked for, in a quiet one far rarer, and moods last
// for several noises, so long undisturbed stretches occur as well as dense ones.
//
// Thread safety: on the thread that `self` belongs to.
#pragma once

#include "runtime/noise/free_world.h"

namespace ravel {

// So many looks at the same thing are nothing but waiting.
inline constexpr std::uint32_t kPatience = 8;

NoisePlace place_of_access(FreeSelf& self, const Operation& operation);

// How rarely the thread comes to this code: kUsualRarity, more at its first visits, less where it is all the time. A
// thread with few events, and code that runs once in a run, thereby get their share beside loops.
std::uint32_t rarity_of(const FreeSelf& self, std::uint64_t pc);

// What the event counts. A loop that only looks, again and again, counts less and less: whoever waits is not to be held
// up when what it waits for comes.
std::int64_t weight_of(FreeSelf& self, const Operation& operation, NoisePlace place);

void draw_countdown(FreeSelf& self, const NoisePlan& plan);

// The countdown is over: performs one noise before `operation`, and draws the next countdown.
void make_noise(FreeSelf& self, const Operation& operation);

}  // namespace ravel
