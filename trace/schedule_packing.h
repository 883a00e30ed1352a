// SPDX-License-Identifier: Apache-2.0
// Makes the long sections of a schedule file small while they stay text. Writer and reader share two means:
//
//   words      a character that the section does not use stands for two others (byte-pair encoding); the list of words
//              is written before the section, so a reader only substitutes;
//   successor  the operations of a task mostly follow each other as they did last time: SuccessorTable remembers that,
//              and only the differences cost bytes.
//
// Driver-side only. No shared state: an object may be used by one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ravel {

// `symbol` stands for `first` followed by `second`, which are plain characters or symbols of earlier words.
struct PackingWord {
  char symbol;
  char first;
  char second;
};

struct PackedText {
  std::vector<PackingWord> words;
  std::string text;
};

// Printable ASCII without the space: what section text consists of.
constexpr bool is_section_character(char c) { return c > ' ' && c < '\x7f'; }

// `plain` contains only section characters. Short texts come back unchanged, so that people can read them.
PackedText pack_text(std::string plain);

// Reads the plain characters of a packed text one by one without expanding it in memory: a few words can stand for more
// characters than there is memory. The text must outlive the reader.
class PlainTextReader {
 public:
  explicit PlainTextReader(std::string_view packed) : packed_(packed) {}

  // False when the word may not be defined: its symbol already has a meaning, or its parts are not section characters.
  bool define(const PackingWord& word);

  bool at_end() const { return pending_.empty() && position_ == packed_.size(); }
  char peek();  // not at_end()
  char take() {
    const char c = peek();
    pending_.pop_back();
    return c;
  }

  // Position of the packed character that the next plain one comes from; for error messages.
  std::size_t position() const { return position_ - (position_ > 0 && !pending_.empty() ? 1 : 0); }

 private:
  struct Pair {
    char first = 0;  // 0: not a word
    char second = 0;
  };
  std::string_view packed_;
  std::size_t position_ = 0;
  std::string pending_;  // next character last; invariant: at most one more than there are words
  Pair word_[128] = {};
  bool meant_[128] = {};  // used inside a definition: may not become a symbol later
};

// For each place, which places followed it within a task, most recent first. Writer and reader make the same calls, so
// their tables are the same.
class SuccessorTable {
 public:
  static constexpr std::uint32_t kStart = 0xffffffffU;  // "the place before a task's first operation"
  static constexpr std::uint32_t kRanks = 27;           // successors remembered per place

  // 0: the same as last time; nullopt: not among the remembered ones.
  std::optional<std::uint32_t> rank(std::uint32_t place, std::uint32_t next) const;
  std::optional<std::uint32_t> at_rank(std::uint32_t place, std::uint32_t rank) const;
  void saw(std::uint32_t place, std::uint32_t next);

 private:
  const std::vector<std::uint32_t>* find(std::uint32_t place) const;
  std::vector<std::vector<std::uint32_t>> successors_;  // index: place + 1, kStart being 0
};

}  // namespace ravel
