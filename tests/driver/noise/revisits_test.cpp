// SPDX-License-Identifier: Apache-2.0
#include "driver/noise/revisits.h"

#include <gtest/gtest.h>

namespace ravel {
namespace {

using Sites = std::vector<std::uint64_t>;

constexpr std::uint64_t kObject = 0x5000;
constexpr std::uint64_t kLock = 0xa0;

TEST(RevisitsTest, CheckThenUse) {
  Revisits revisits;
  revisits.access(1, OperationKind::atomic_load, kObject, 0x10);
  revisits.access(1, OperationKind::atomic_load, kObject, 0x11);
  revisits.access(2, OperationKind::atomic_rmw, kObject, 0x20);
  EXPECT_EQ(revisits.sites(), (Sites{0x11}));
}

TEST(RevisitsTest, NobodyElseWrites) {
  Revisits revisits;
  revisits.access(1, OperationKind::read, kObject, 0x10);
  revisits.access(1, OperationKind::read, kObject, 0x11);
  revisits.access(2, OperationKind::read, kObject, 0x20);
  EXPECT_EQ(revisits.sites(), Sites{});
}

TEST(RevisitsTest, AReadBetweenTwoWrites) {
  Revisits revisits;
  revisits.access(1, OperationKind::write, kObject, 0x10);
  revisits.access(1, OperationKind::write, kObject, 0x11);
  revisits.access(2, OperationKind::read, kObject, 0x20);
  EXPECT_EQ(revisits.sites(), (Sites{0x11}));
}

TEST(RevisitsTest, ALockThatIsHeldThroughoutKeepsOthersOut) {
  Revisits held;
  Revisits given_back;
  for (Revisits* const revisits : {&held, &given_back}) {
    revisits->take(1, kLock);
    revisits->access(1, OperationKind::read, kObject, 0x10);
    if (revisits == &given_back) {
      revisits->give_back(1, kLock);
      revisits->take(1, kLock);
    }
    revisits->access(1, OperationKind::write, kObject, 0x11);
    revisits->give_back(1, kLock);
    revisits->take(2, kLock);
    revisits->access(2, OperationKind::write, kObject, 0x20);
    revisits->give_back(2, kLock);
  }
  EXPECT_EQ(held.sites(), Sites{});
  EXPECT_EQ(given_back.sites(), (Sites{0x11}));
}

TEST(RevisitsTest, PollingIsNotComingBack) {
  Revisits revisits;
  for (int i = 0; i < 3; ++i) revisits.access(1, OperationKind::atomic_load, kObject, 0x10);
  revisits.access(2, OperationKind::atomic_store, kObject, 0x20);
  EXPECT_EQ(revisits.sites(), Sites{});
}

TEST(RevisitsTest, FarApartIsNotComingBack) {
  Revisits revisits;
  revisits.access(1, OperationKind::read, kObject, 0x10);
  for (std::uint64_t i = 1; i < 100; ++i) revisits.access(1, OperationKind::read, kObject + 8 * i, 0x12);
  revisits.access(1, OperationKind::read, kObject, 0x11);
  revisits.access(2, OperationKind::write, kObject, 0x20);
  EXPECT_EQ(revisits.sites(), Sites{});
}

TEST(RevisitsTest, WhatIsPreparedBeforeTheThreadExistsIsNotInItsWay) {
  Revisits revisits;
  revisits.access(0, OperationKind::write, kObject, 0x10);
  revisits.access(0, OperationKind::write, kObject, 0x11);
  revisits.created(0, 1);
  revisits.access(1, OperationKind::write, kObject, 0x20);
  EXPECT_EQ(revisits.sites(), Sites{});
}

}  // namespace
}  // namespace ravel
