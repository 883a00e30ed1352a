// SPDX-License-Identifier: Apache-2.0
// One small change of a text, as the fuzzing tests make them: a byte, a stretch taken out or doubled, a piece that
// means something to the parser put in.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/random.h"

namespace ravel {

inline void mutate(std::string& text, Random& random, std::span<const std::string_view> pieces, std::uint32_t longest) {
  const auto size = static_cast<std::uint32_t>(text.size());
  const auto piece = [&] { return pieces[random.below(static_cast<std::uint32_t>(pieces.size()))]; };
  const std::uint32_t at = random.below(size + 1);
  const std::uint32_t length = 1 + random.below(random.below(4) == 0 ? longest : 8);
  switch (random.below(6)) {
    case 0:
      if (at < size) text[at] = static_cast<char>(random.below(256));
      break;
    case 1:
      text.erase(at, length);
      break;
    case 2:
      text.insert(at, text.substr(random.below(size + 1), length));
      break;
    case 3:
      text.insert(at, piece());
      break;
    case 4:
      text.replace(at, length, piece());
      break;
    default:
      if (at < size && text[at] >= '0' && text[at] <= '9') text[at] = static_cast<char>('0' + random.below(10));
      break;
  }
}

}  // namespace ravel
