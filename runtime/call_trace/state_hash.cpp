// SPDX-License-Identifier: Apache-2.0
// The state of an object as one number: its bytes, and those of every heap block that can be reached from it. A pointer
// into such a block counts as the block's turn in this walk, so equal contents at other addresses are equal.
#include "runtime/call_trace/recorder.h"

#include <cstring>

namespace ravel {
namespace {

constexpr std::uint32_t kMostReached = 4096;
constexpr std::uint64_t kHashStart = 14695981039346656037ULL;

struct Reached {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
};

struct Walk {
  Reached block[kMostReached] = {};
  std::uint32_t count = 0;
  std::uint64_t hash = 0;

  void mix(std::uint64_t value) {
    hash = (hash ^ value) * 1099511628211ULL;
    hash ^= hash >> 29U;
  }

  std::uint32_t turn_of(std::uint64_t begin, std::uint64_t size) {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (block[i].begin == begin) return i;
    }
    if (count == kMostReached) return count;
    block[count] = {begin, size};
    return count++;
  }

  void visit(const Reached& one) {
    std::uint64_t word = 0;
    for (std::uint64_t at = 0; at < one.size; at += sizeof word) {
      word = 0;
      const std::uint64_t rest = one.size - at;
      std::memcpy(&word, reinterpret_cast<const void*>(one.begin + at), rest < sizeof word ? rest : sizeof word);
      std::uint64_t begin = 0;
      std::uint64_t size = 0;
      if (find_block(word, begin, size)) {
        mix(turn_of(begin, size) + 1);
        mix(word - begin);
      } else {
        mix(word);
      }
    }
  }
};

constinit Walk g_walk;

}  // namespace

std::uint64_t hash_state(const void* object, std::uint64_t size) {
  g_walk.count = 0;
  g_walk.hash = kHashStart;
  const auto begin = reinterpret_cast<std::uint64_t>(object);
  if (begin == 0) return 0;
  // A handle: what its size is, the heap knows.
  std::uint64_t block = begin;
  if (size == 0 && !find_block(begin, block, size)) return 0;
  g_walk.turn_of(block, size);
  for (std::uint32_t i = 0; i < g_walk.count; ++i) g_walk.visit(g_walk.block[i]);
  return g_walk.hash;
}

}  // namespace ravel
