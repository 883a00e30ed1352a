// SPDX-License-Identifier: Apache-2.0
#include "driver/reproduce/call.h"

#include <algorithm>

namespace ravel {

std::string sequence_text(const Sequence& sequence) {
  std::string text;
  for (const Call& call : sequence) {
    text += (text.empty() ? "" : ";") + std::to_string(call.operation);
    for (const unsigned value : call.values) text += " " + std::to_string(value);
  }
  return text;
}

std::vector<Call> possible_calls(const ClassListing& listing, unsigned operation) {
  constexpr std::size_t kMost = 24;
  std::vector<std::size_t> sizes;
  std::size_t all = 1;
  std::size_t largest = 1;
  for (const unsigned pool : listing.operations[operation].pools) {
    sizes.push_back(listing.pools[pool].values.size());
    all = std::min<std::size_t>(all * sizes.back(), kMost * kMost);
    largest = std::max(largest, sizes.back());
  }
  std::vector<Call> calls;
  if (all <= kMost) {
    for (std::size_t number = 0; number < all; ++number) {
      Call call{operation, {}};
      std::size_t rest = number;
      for (const std::size_t size : sizes) {
        call.values.push_back(static_cast<unsigned>(rest % size));
        rest /= size;
      }
      calls.push_back(std::move(call));
    }
    return calls;
  }
  // Diagonals: with each further one, the values of a parameter meet other values of the next.
  for (std::size_t shift = 0; shift < largest && calls.size() < kMost; ++shift) {
    for (std::size_t i = 0; i < largest && calls.size() < kMost; ++i) {
      Call call{operation, {}};
      for (std::size_t k = 0; k < sizes.size(); ++k) {
        call.values.push_back(static_cast<unsigned>((i + k * shift) % sizes[k]));
      }
      if (std::find(calls.begin(), calls.end(), call) == calls.end()) calls.push_back(std::move(call));
    }
  }
  return calls;
}

Sequence extended(const Sequence& sequence, const Call& call) {
  Sequence result = sequence;
  result.push_back(call);
  return result;
}

}  // namespace ravel
