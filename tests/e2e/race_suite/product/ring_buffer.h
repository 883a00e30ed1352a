// SPDX-License-Identifier: Apache-2.0
// A queue of fixed size for one thread that pushes and one that pops. Header only.
//
// Fault: the indices are plain numbers, so what was pushed is not ordered before it is popped. With FIXED they are
// atomics: the order that the race test forces is still possible.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

namespace shop {

template <typename T, std::size_t Capacity>
class RingBuffer {
 public:
#ifdef FIXED
  using Index = std::atomic<std::size_t>;
#else
  using Index = std::size_t;
#endif

  bool push(const T& value) {
    const std::size_t tail = tail_;
    if (tail - head_ == Capacity) return false;
    slots_[tail % Capacity] = value;
    tail_ = tail + 1;
    return true;
  }

  template <typename U>
  bool push(const U& value) {
    return push(static_cast<T>(value));
  }

  bool pop(T& value) {
    const std::size_t head = head_;
    const bool is_empty = head == tail_;
    if (is_empty) return false;
    value = slots_[head % Capacity];
    head_ = head + 1;
    return true;
  }

  std::size_t room() const {
    const std::size_t used = tail_ - head_;
    return Capacity - used;
  }

 private:
  std::array<T, Capacity> slots_{};
  Index head_{0};
  Index tail_{0};
};

}  // namespace shop
