// SPDX-License-Identifier: Apache-2.0
//
// TextBuffer: builds text in the caller's memory, always terminated, cut where it does not fit. For the few
// exported functions that hand text to the program; the target must not call printf or allocate.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ravel {

class TextBuffer {
 public:
  TextBuffer(char* start, std::size_t capacity) : start_(start), capacity_(start == nullptr ? 0 : capacity) {
    if (capacity_ > 0) start_[0] = 0;
  }

  TextBuffer& add(const char* text) {
    for (; text != nullptr && *text != 0; ++text) put(*text);
    return *this;
  }
  TextBuffer& decimal(std::uint64_t number) { return digits(number, 10); }
  TextBuffer& hex(std::uint64_t number) {
    add("0x");
    return digits(number, 16);
  }

  std::size_t size() const { return size_; }

 private:
  void put(char c) {
    if (size_ + 1 >= capacity_) return;
    start_[size_++] = c;
    start_[size_] = 0;
  }

  TextBuffer& digits(std::uint64_t number, unsigned base) {
    char reversed[24];
    unsigned count = 0;
    do {
      reversed[count++] = "0123456789abcdef"[number % base];
      number /= base;
    } while (number != 0);
    while (count > 0) put(reversed[--count]);
    return *this;
  }

  char* start_;
  std::size_t capacity_;
  std::size_t size_ = 0;
};

}  // namespace ravel
