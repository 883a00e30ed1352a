// SPDX-License-Identifier: Apache-2.0
#include "pushback_reader.h"

#include <stdexcept>

namespace streams {

using Guard = std::lock_guard<std::mutex>;

PushbackReader::PushbackReader(const std::string& text) : PushbackReader(text, 1) {}

PushbackReader::PushbackReader(const std::string& text, int size)
    : text_(text), pushed_(nullptr), size_(size), position_(size) {
  if (size <= 0 || size > 1 << 20) throw std::invalid_argument("not a size of a buffer");
  storage_ = std::make_unique<char[]>(static_cast<std::size_t>(size));
  pushed_ = storage_.get();
}

void PushbackReader::ensure_open() const {
  if (pushed_ == nullptr) throw std::runtime_error("the reader is closed");
}

int PushbackReader::read() {
  Guard guard(mutex_);
  ensure_open();
  if (position_ < size_) return pushed_[position_++];
  return at_ < text_.size() ? text_[at_++] : -1;
}

int PushbackReader::read(char* to, int length) {
  Guard guard(mutex_);
  ensure_open();
  if (to == nullptr || length < 0 || length > 4096) throw std::out_of_range("not in the buffer");
  int count = 0;
  while (count < length && position_ < size_) to[count++] = pushed_[position_++];
  while (count < length && at_ < text_.size()) to[count++] = text_[at_++];
  return count == 0 && length > 0 ? -1 : count;
}

std::string PushbackReader::read_all() {
  Guard guard(mutex_);
  ensure_open();
  std::string all(pushed_ + position_, pushed_ + size_);
  position_ = size_;
  all += text_.substr(at_);
  at_ = text_.size();
  return all;
}

void PushbackReader::unread(int character) {
  Guard guard(mutex_);
  ensure_open();
  if (position_ == 0) throw std::overflow_error("the buffer is full");
  pushed_[--position_] = static_cast<char>(character);
}

void PushbackReader::unread(const std::string& text) {
  Guard guard(mutex_);
  ensure_open();
  const int length = static_cast<int>(text.size());
  if (length > position_) throw std::overflow_error("the buffer is full");
  position_ -= length;
  for (int i = 0; i < length; ++i) pushed_[position_ + i] = text[static_cast<std::size_t>(i)];
}

bool PushbackReader::ready() const {
  Guard guard(mutex_);
  ensure_open();
  return position_ < size_ || at_ < text_.size();
}

long PushbackReader::skip(int count) {
  Guard guard(mutex_);
  ensure_open();
  if (count < 0) throw std::invalid_argument("not a count");
  long skipped = 0;
  while (skipped < count && position_ < size_) {
    ++position_;
    ++skipped;
  }
  while (skipped < count && at_ < text_.size()) {
    ++at_;
    ++skipped;
  }
  return skipped;
}

void PushbackReader::mark() { throw std::logic_error("marks are not supported"); }
void PushbackReader::reset() { throw std::logic_error("marks are not supported"); }

void PushbackReader::close() { pushed_ = nullptr; }

bool PushbackReader::is_open() const {
  Guard guard(mutex_);
  return pushed_ != nullptr;
}

int PushbackReader::free_space() const {
  Guard guard(mutex_);
  return position_;
}

}  // namespace streams
