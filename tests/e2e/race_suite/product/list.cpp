// SPDX-License-Identifier: Apache-2.0
// Fault: the number of elements is read without the lock that those who add hold. With FIXED the lock is taken, so that
// nobody can ask while an element is added: the order that the race test forces is not possible any more.
#include "list.h"

#include <utility>

namespace shop {

namespace {

int checked(int value) {
  constexpr int kLargest = 1000000;
  return value > kLargest ? kLargest : value;
}

}  // namespace

void List::add(int value) {
  const std::lock_guard<std::mutex> guard(mutex_);
  auto node = std::make_unique<Node>();
  node->value = checked(value);
  node->next = std::move(head_);
  head_ = std::move(node);
  /* ravel: 1 */
  ++size_;
}

void List::add(std::initializer_list<int> values) {
  for (const int value : values) add(value);
}

bool List::is_empty() const {
#ifdef FIXED
  const std::lock_guard<std::mutex> guard(mutex_);
#endif
  const bool result = size_ == 0;
  return result;
}

int List::total() const {
  const std::lock_guard<std::mutex> guard(mutex_);
  int result = 0;
  for (const Node* node = head_.get(); node != nullptr; node = node->next.get()) result += node->value;
  return result;
}

}  // namespace shop
