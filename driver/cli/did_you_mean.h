// SPDX-License-Identifier: Apache-2.0
// did_you_mean(): the word that somebody who mistyped one probably meant. Who calls it: the command line, for commands
// and options. Pure function.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ravel {

// The nearest of `known`; empty when none is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

}  // namespace ravel
