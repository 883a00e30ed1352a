// SPDX-License-Identifier: Apache-2.0
// IntrusiveList: a doubly linked list through links that lie in the elements. Every change is O(1) and nothing is ever
// allocated, so code inside the target can keep lists in the program's address space.
//
//   struct Guest {
//     ListLinks<Guest> links;
//   };
//   IntrusiveList<Guest, &Guest::links> guests;
//   for (Guest* guest = guests.first(); guest != nullptr; guest = guests.next(*guest)) ...
//
// Memory of zeros is a valid empty list, and a valid element of no list.
//
// Thread safety: none.
//
// Invariants:
//  1. An element is in at most one list per links, and stays where it is while it is in one.
//  2. `previous` of the first element is the last one: the list itself needs only one pointer. So `previous` is null
//     exactly in elements that are in no list.
#pragma once

namespace ravel {

template <typename T>
struct ListLinks {
  T* next = nullptr;
  T* previous = nullptr;

  bool linked() const { return previous != nullptr; }
};

template <typename T, ListLinks<T> T::*kLinks>
class IntrusiveList {
 public:
  bool empty() const { return first_ == nullptr; }
  T* first() const { return first_; }
  static T* next(const T& element) { return (element.*kLinks).next; }

  // The element is in no list.
  void push_front(T& element) {
    T* const last = empty() ? &element : (first_->*kLinks).previous;
    if (!empty()) (first_->*kLinks).previous = &element;
    element.*kLinks = {first_, last};
    first_ = &element;
  }

  // The element is in no list.
  void push_back(T& element) {
    if (empty()) return push_front(element);
    T* const last = (first_->*kLinks).previous;
    element.*kLinks = {nullptr, last};
    (last->*kLinks).next = &element;
    (first_->*kLinks).previous = &element;
  }

  // The element is in this list.
  void remove(T& element) {
    const auto [next, previous] = element.*kLinks;
    (&element == first_ ? first_ : (previous->*kLinks).next) = next;
    T* const follower = next != nullptr ? next : first_;  // whose `previous` it was
    if (follower != nullptr) (follower->*kLinks).previous = previous;
    element.*kLinks = {};
  }

 private:
  T* first_ = nullptr;
};

}  // namespace ravel
