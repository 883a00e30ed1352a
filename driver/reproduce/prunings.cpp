// SPDX-License-Identifier: Apache-2.0
#include "driver/reproduce/prunings.h"

namespace ravel {
namespace {

struct Words {
  const char* key;
  const char* name;
  const char* sentence;
};

constexpr Words kWords[] = {
#define RAVEL_PRUNING(enumerator, key, name, sentence) {key, name, sentence},
#include "driver/reproduce/pruning.def"
#undef RAVEL_PRUNING
};
static_assert(std::size(kWords) == kPrunings);

const Words& words_of(Pruning pruning) { return kWords[static_cast<std::size_t>(pruning)]; }

}  // namespace

const char* pruning_key(Pruning pruning) { return words_of(pruning).key; }
const char* pruning_name(Pruning pruning) { return words_of(pruning).name; }
const char* pruning_sentence(Pruning pruning) { return words_of(pruning).sentence; }

std::optional<Pruning> pruning_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kPrunings; ++i) {
    if (name == kWords[i].name || name == kWords[i].key) return static_cast<Pruning>(i);
  }
  return std::nullopt;
}

}  // namespace ravel
