// SPDX-License-Identifier: Apache-2.0
// OutputCapture: what a process wrote to its stdout and stderr, in bounded memory: the first and the last part, and how
// much was between. Used by Target and run_process. Not thread-safe: one thread owns it.
//
// Invariant: head_ fills first; tail_ is a ring of the latest bytes written after head_ was full.
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
  // For callers that compare output and so need all of it.
  explicit OutputCapture(std::size_t head_bytes) : head_bytes_(head_bytes) {}

  void clear();
  void append(std::string_view bytes);
  // Appends what a non-blocking pipe contains, but no more than kMostDrained: a process that never stops writing must
  // not hold up the reader.
  static constexpr std::size_t kMostDrained = std::size_t{1} << 20;
  void drain(int pipe);

  std::uint64_t total_bytes() const { return total_; }
  std::uint64_t dropped_bytes() const;

  // Head, a line saying how many bytes were left out (if any), tail.
  std::string text() const;

 private:
  std::size_t head_bytes_ = kHeadBytes;
  std::string head_;
  std::string tail_;
  std::size_t tail_start_ = 0;  // oldest byte of the ring, once it is full
  std::uint64_t total_ = 0;
};

}  // namespace ravel
