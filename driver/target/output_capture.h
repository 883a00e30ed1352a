// SPDX-License-Identifier: Apache-2.0
// OutputCapture: what one execution wrote to its stdout and stderr, in bounded memory: the first and the last part of
// it, and how much lay between. Used by Target, read by reports. Not thread-safe: one worker owns it.
//
// Invariant: head_ fills first; tail_ is a ring that holds what came last after head_ was full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ravel {

class OutputCapture {
 public:
  static constexpr std::size_t kHeadBytes = 64 * 1024;
  static constexpr std::size_t kTailBytes = 64 * 1024;

  OutputCapture() = default;
  // Who compares output needs all of it.
  explicit OutputCapture(std::size_t head_bytes) : head_bytes_(head_bytes) {}

  void clear();
  void append(std::string_view bytes);

  std::uint64_t total_bytes() const { return total_; }
  std::uint64_t dropped_bytes() const;

  // Head, a line telling how many bytes were left out (only when some were), tail.
  std::string text() const;

 private:
  std::size_t head_bytes_ = kHeadBytes;
  std::string head_;
  std::string tail_;
  std::size_t tail_start_ = 0;  // oldest byte of the ring, once it is full
  std::uint64_t total_ = 0;
};

}  // namespace ravel
