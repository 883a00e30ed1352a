// SPDX-License-Identifier: Apache-2.0
// Randomness of the program, from one generator seeded by the launch options: the same numbers in every run of a
// schedule. rand, random and drand48 are already deterministic and left alone.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

namespace ravel {

std::uint32_t random_word();
ssize_t fill_random(void* buffer, std::size_t size);

}  // namespace ravel
