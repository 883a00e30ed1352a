// SPDX-License-Identifier: Apache-2.0
#include "trace/schedule_text.h"

namespace ravel {
namespace {

bool is_harmless(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_./=:,+@%-").find(c) != std::string_view::npos;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

void append_quoted(std::string& out, std::string_view word) {
  bool harmless = !word.empty();
  for (const char c : word) harmless = harmless && is_harmless(c);
  if (harmless) {
    out += word;
    return;
  }
  out += '"';
  for (const char c : word) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c >= ' ' && c < '\x7f') {
      out += c;
    } else {
      constexpr char kHex[] = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(c);
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
  }
  out += '"';
}

std::optional<std::vector<std::string>> split_quoted(std::string_view text) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == ' ') {
      ++at;
      continue;
    }
    std::string word;
    if (text[at] != '"') {
      while (at < text.size() && text[at] != ' ') {
        if (!is_harmless(text[at])) return std::nullopt;
        word += text[at++];
      }
    } else {
      ++at;
      for (;;) {
        if (at >= text.size()) return std::nullopt;
        const char c = text[at++];
        if (c == '"') break;
        if (c < ' ' || c > '~') return std::nullopt;
        if (c != '\\') {
          word += c;
          continue;
        }
        if (at >= text.size()) return std::nullopt;
        const char escape = text[at++];
        if (escape == '"' || escape == '\\') {
          word += escape;
        } else if (escape == 'n') {
          word += '\n';
        } else if (escape == 't') {
          word += '\t';
        } else if (escape == 'x' && at + 2 <= text.size() && hex_digit(text[at]) >= 0 && hex_digit(text[at + 1]) >= 0) {
          word += static_cast<char>(hex_digit(text[at]) * 16 + hex_digit(text[at + 1]));
          at += 2;
        } else {
          return std::nullopt;
        }
      }
      if (at < text.size() && text[at] != ' ') return std::nullopt;
    }
    words.push_back(std::move(word));
  }
  return words;
}

std::optional<KeyValue> split_key_value(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  return KeyValue{word.substr(0, equals), word.substr(equals + 1)};
}

}  // namespace ravel
