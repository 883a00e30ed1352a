// SPDX-License-Identifier: Apache-2.0
#include "base/intrusive_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.h"

namespace ravel {
namespace {

struct Guest {
  int number = 0;
  ListLinks<Guest> seat;
  ListLinks<Guest> room;
};

using Seats = IntrusiveList<Guest, &Guest::seat>;
using Rooms = IntrusiveList<Guest, &Guest::room>;

template <typename List>
std::vector<int> numbers(const List& list) {
  std::vector<int> result;
  for (const Guest* guest = list.first(); guest != nullptr; guest = List::next(*guest)) {
    result.push_back(guest->number);
  }
  return result;
}

class IntrusiveListTest : public testing::Test {
 protected:
  IntrusiveListTest() {
    for (int i = 0; i < 8; ++i) guest[i].number = i;
  }

  Guest guest[8];
  Seats seats;
};

TEST_F(IntrusiveListTest, IsEmptyAtFirst) {
  EXPECT_TRUE(seats.empty());
  EXPECT_EQ(seats.first(), nullptr);
  EXPECT_FALSE(guest[0].seat.linked());
}

TEST_F(IntrusiveListTest, PushFrontPutsTheNewestFirst) {
  for (int i = 0; i < 3; ++i) seats.push_front(guest[i]);
  EXPECT_EQ(numbers(seats), (std::vector{2, 1, 0}));
}

TEST_F(IntrusiveListTest, PushBackKeepsTheOrderOfArrival) {
  for (int i = 0; i < 3; ++i) seats.push_back(guest[i]);
  EXPECT_EQ(numbers(seats), (std::vector{0, 1, 2}));
}

TEST_F(IntrusiveListTest, BothEndsCanBeMixed) {
  seats.push_back(guest[1]);
  seats.push_front(guest[0]);
  seats.push_back(guest[2]);
  EXPECT_EQ(numbers(seats), (std::vector{0, 1, 2}));
}

TEST_F(IntrusiveListTest, RemovesTheFirstTheLastAndOneInBetween) {
  for (int i = 0; i < 5; ++i) seats.push_back(guest[i]);
  seats.remove(guest[0]);
  EXPECT_EQ(numbers(seats), (std::vector{1, 2, 3, 4}));
  seats.remove(guest[4]);
  EXPECT_EQ(numbers(seats), (std::vector{1, 2, 3}));
  seats.remove(guest[2]);
  EXPECT_EQ(numbers(seats), (std::vector{1, 3}));
  seats.push_back(guest[4]);  // the end is still known
  EXPECT_EQ(numbers(seats), (std::vector{1, 3, 4}));
}

TEST_F(IntrusiveListTest, TheOnlyElementIsLinkedUntilItIsRemoved) {
  seats.push_front(guest[0]);
  EXPECT_TRUE(guest[0].seat.linked());
  EXPECT_FALSE(seats.empty());
  seats.remove(guest[0]);
  EXPECT_FALSE(guest[0].seat.linked());
  EXPECT_TRUE(seats.empty());
}

TEST_F(IntrusiveListTest, ARemovedElementCanComeBack) {
  seats.push_back(guest[0]);
  seats.push_back(guest[1]);
  seats.remove(guest[0]);
  seats.push_back(guest[0]);
  EXPECT_EQ(numbers(seats), (std::vector{1, 0}));
}

TEST_F(IntrusiveListTest, AnElementIsInOneListPerLinks) {
  Rooms rooms;
  seats.push_back(guest[0]);
  seats.push_back(guest[1]);
  rooms.push_front(guest[0]);
  rooms.push_front(guest[1]);
  seats.remove(guest[0]);
  EXPECT_EQ(numbers(seats), (std::vector{1}));
  EXPECT_EQ(numbers(rooms), (std::vector{1, 0}));
}

TEST_F(IntrusiveListTest, DoesWhatAVectorDoes) {
  Random random(1);
  std::vector<int> expected;
  for (int i = 0; i < 10'000; ++i) {
    Guest& one = guest[random.next() % std::size(guest)];
    if (one.seat.linked()) {
      seats.remove(one);
      std::erase(expected, one.number);
    } else if (random.next() % 2 == 0) {
      seats.push_front(one);
      expected.insert(expected.begin(), one.number);
    } else {
      seats.push_back(one);
      expected.push_back(one.number);
    }
    ASSERT_EQ(numbers(seats), expected) << "after " << i + 1 << " changes";
  }
}

}  // namespace
}  // namespace ravel
