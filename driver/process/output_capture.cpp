// SPDX-License-Identifier: Apache-2.0
#include "driver/process/output_capture.h"

#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

namespace ravel {

void OutputCapture::clear() {
  head_.clear();
  tail_.clear();
  tail_start_ = 0;
  total_ = 0;
}

void OutputCapture::append(std::string_view bytes) {
  total_ += bytes.size();
  const std::size_t to_head = std::min(bytes.size(), head_bytes_ - head_.size());
  head_.append(bytes.substr(0, to_head));
  bytes.remove_prefix(to_head);
  if (bytes.size() > kTailBytes) bytes.remove_prefix(bytes.size() - kTailBytes);
  const std::size_t to_grow = std::min(bytes.size(), kTailBytes - tail_.size());
  tail_.append(bytes.substr(0, to_grow));
  bytes.remove_prefix(to_grow);
  for (const char byte : bytes) {
    tail_[tail_start_] = byte;
    tail_start_ = (tail_start_ + 1) % kTailBytes;
  }
}

void OutputCapture::drain(int pipe) {
  char buffer[65536];
  for (std::size_t left = kMostDrained; left > 0;) {
    const ssize_t size = ::read(pipe, buffer, std::min(left, sizeof buffer));
    if (size <= 0) return;
    append(std::string_view(buffer, static_cast<std::size_t>(size)));
    left -= static_cast<std::size_t>(size);
  }
}

std::uint64_t OutputCapture::dropped_bytes() const { return total_ - head_.size() - tail_.size(); }

std::string OutputCapture::text() const {
  std::string text = head_;
  if (dropped_bytes() > 0) {
    if (!text.empty() && text.back() != '\n') text += '\n';
    text += fmt::format("[... {} bytes left out ...]\n", dropped_bytes());
  }
  text.append(tail_, tail_start_);
  text.append(tail_, 0, tail_start_);
  return text;
}

}  // namespace ravel
