// SPDX-License-Identifier: Apache-2.0
#include "buffered_input.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace streams {

using Guard = std::lock_guard<std::mutex>;

int ByteSource::read_some(char* to, int most) {
  const int count = std::min(most, available());
  std::memcpy(to, text_.data() + at_, static_cast<std::size_t>(count));
  at_ += static_cast<std::size_t>(count);
  return count;
}

BufferedInputStream::BufferedInputStream(ByteSource& source) : BufferedInputStream(source, 2048) {}

BufferedInputStream::BufferedInputStream(ByteSource& source, int size) : source_(source), buffer_(nullptr) {
  if (size <= 0 || size > 1 << 20) throw std::invalid_argument("not a size of a buffer");
  buffer_ = new Buffer{std::make_unique<char[]>(static_cast<std::size_t>(size)), size};
}

void BufferedInputStream::check_open() const {
  if (buffer_ == nullptr) throw std::runtime_error("the stream is closed");
}

// Keeps what is behind the mark.
void BufferedInputStream::fill() {
  if (mark_ < 0 || position_ - mark_ > mark_limit_) {
    mark_ = -1;
    position_ = 0;
    count_ = 0;
  } else if (mark_ > 0) {
    std::memmove(buffer_->bytes.get(), buffer_->bytes.get() + mark_, static_cast<std::size_t>(position_ - mark_));
    position_ -= mark_;
    count_ = position_;
    mark_ = 0;
  }
  if (position_ >= buffer_->size) {
    mark_ = -1;
    position_ = 0;
  }
  const int got = source_.read_some(buffer_->bytes.get() + position_, buffer_->size - position_);
  count_ = position_ + got;
}

int BufferedInputStream::next_byte() {
  if (position_ >= count_) {
    fill();
    if (position_ >= count_) return -1;
  }
  return static_cast<unsigned char>(buffer_->bytes[static_cast<std::size_t>(position_++)]);
}

int BufferedInputStream::read() {
  Guard guard(mutex_);
  check_open();
  return next_byte();
}

int BufferedInputStream::read(char* to, int offset, int length) {
  Guard guard(mutex_);
  check_open();
  if (to == nullptr || offset < 0 || length < 0 || offset + length > 4096) throw std::out_of_range("not in the buffer");
  for (int i = 0; i < length; ++i) {
    const int byte = next_byte();
    if (byte < 0) return i == 0 ? -1 : i;
    to[offset + i] = static_cast<char>(byte);
  }
  return length;
}

std::string BufferedInputStream::read_line() {
  Guard guard(mutex_);
  check_open();
  std::string line;
  for (int byte = next_byte(); byte >= 0 && byte != '\n'; byte = next_byte()) line += static_cast<char>(byte);
  return line;
}

long BufferedInputStream::skip(long count) {
  Guard guard(mutex_);
  check_open();
  long skipped = 0;
  while (skipped < count && next_byte() >= 0) ++skipped;
  return skipped;
}

int BufferedInputStream::peek() {
  Guard guard(mutex_);
  check_open();
  const int byte = next_byte();
  if (byte >= 0) --position_;
  return byte;
}

int BufferedInputStream::available() const {
  Guard guard(mutex_);
  check_open();
  return count_ - position_ + source_.available();
}

void BufferedInputStream::mark(int limit) {
  Guard guard(mutex_);
  mark_limit_ = limit;
  mark_ = position_;
}

void BufferedInputStream::reset() {
  Guard guard(mutex_);
  check_open();
  if (mark_ < 0) throw std::runtime_error("there is no mark");
  position_ = mark_;
}

void BufferedInputStream::close() { buffer_ = nullptr; }

bool BufferedInputStream::is_open() const {
  Guard guard(mutex_);
  return buffer_ != nullptr;
}

int BufferedInputStream::position() const {
  Guard guard(mutex_);
  return position_;
}

int BufferedInputStream::buffered() const {
  Guard guard(mutex_);
  return count_ - position_;
}

int BufferedInputStream::capacity() const {
  Guard guard(mutex_);
  check_open();
  return buffer_->size;
}

}  // namespace streams
