// SPDX-License-Identifier: Apache-2.0
#include "trace/schedule_packing.h"

#include <algorithm>

#include "base/check.h"

namespace ravel {
namespace {

// Shorter sections stay plain: their size does not matter, readability does.
constexpr std::size_t kPackFrom = 2000;

// A word costs four characters in the list; with fewer uses it is not worth it.
constexpr std::uint32_t kLeastUses = 12;

std::size_t pair_index(char first, char second) {
  return static_cast<std::size_t>(static_cast<unsigned char>(first)) * 128 + static_cast<unsigned char>(second);
}

void replace_pairs(std::string& text, const PackingWord& word) {
  std::size_t out = 0;
  std::size_t in = 0;
  while (in < text.size()) {
    if (in + 1 < text.size() && text[in] == word.first && text[in + 1] == word.second) {
      text[out++] = word.symbol;
      in += 2;
    } else {
      text[out++] = text[in++];
    }
  }
  text.resize(out);
}

}  // namespace

PackedText pack_text(std::string plain) {
  PackedText packed;
  packed.text = std::move(plain);
  if (packed.text.size() < kPackFrom) return packed;

  bool used[128] = {};
  for (const char c : packed.text) {
    RAVEL_CHECK(is_section_character(c), "section text holds a character that is not printable");
    used[static_cast<unsigned char>(c)] = true;
  }

  std::vector<std::uint32_t> uses(128 * 128);
  for (char symbol = '!'; symbol <= '~'; ++symbol) {
    if (used[static_cast<unsigned char>(symbol)]) continue;
    std::fill(uses.begin(), uses.end(), 0U);
    for (std::size_t i = 0; i + 1 < packed.text.size(); ++i) ++uses[pair_index(packed.text[i], packed.text[i + 1])];
    const auto best = std::max_element(uses.begin(), uses.end());  // the first of equals: deterministic
    if (*best < kLeastUses) break;
    const auto index = static_cast<std::size_t>(best - uses.begin());
    const PackingWord word{symbol, static_cast<char>(index / 128), static_cast<char>(index % 128)};
    replace_pairs(packed.text, word);
    packed.words.push_back(word);
  }
  return packed;
}

bool PlainTextReader::define(const PackingWord& word) {
  if (!is_section_character(word.symbol) || !is_section_character(word.first) || !is_section_character(word.second)) {
    return false;
  }
  const auto symbol = static_cast<unsigned char>(word.symbol);
  // If an earlier word used the symbol as a plain character, that word would get a second meaning, or there would be a
  // cycle.
  if (word_[symbol].first != 0 || meant_[symbol] || word.first == word.symbol || word.second == word.symbol)
    return false;
  word_[symbol] = {word.first, word.second};
  meant_[static_cast<unsigned char>(word.first)] = true;
  meant_[static_cast<unsigned char>(word.second)] = true;
  return true;
}

char PlainTextReader::peek() {
  if (pending_.empty()) pending_.push_back(packed_[position_++]);
  for (;;) {
    const auto c = static_cast<unsigned char>(pending_.back());
    if (c >= 128 || word_[c].first == 0) return pending_.back();
    pending_.back() = word_[c].second;
    pending_.push_back(word_[c].first);
  }
}

const std::vector<std::uint32_t>* SuccessorTable::find(std::uint32_t place) const {
  const std::size_t index = place == kStart ? 0 : std::size_t{place} + 1;
  return index < successors_.size() ? &successors_[index] : nullptr;
}

std::optional<std::uint32_t> SuccessorTable::rank(std::uint32_t place, std::uint32_t next) const {
  const auto* list = find(place);
  if (list == nullptr) return std::nullopt;
  const auto at = std::find(list->begin(), list->end(), next);
  if (at == list->end()) return std::nullopt;
  return static_cast<std::uint32_t>(at - list->begin());
}

std::optional<std::uint32_t> SuccessorTable::at_rank(std::uint32_t place, std::uint32_t rank) const {
  const auto* list = find(place);
  if (list == nullptr || rank >= list->size()) return std::nullopt;
  return (*list)[rank];
}

void SuccessorTable::saw(std::uint32_t place, std::uint32_t next) {
  const std::size_t index = place == kStart ? 0 : std::size_t{place} + 1;
  if (index >= successors_.size()) successors_.resize(index + 1);
  auto& list = successors_[index];
  const auto at = std::find(list.begin(), list.end(), next);
  if (at != list.end()) {
    std::rotate(list.begin(), at, at + 1);
    return;
  }
  list.insert(list.begin(), next);
  if (list.size() > kRanks) list.pop_back();
}

}  // namespace ravel
