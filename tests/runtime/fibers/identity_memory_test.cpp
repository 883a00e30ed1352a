// SPDX-License-Identifier: Apache-2.0
#include "runtime/fibers/identity_memory.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>

#include <cstring>

namespace ravel {
namespace {

constexpr std::size_t kStack = std::size_t{8} << 20;
constexpr std::uint64_t kPageTable = std::uint64_t{1} << 21;

TEST(IdentityMemory, DonorsAndTheTopOfTheFirstStackShareOnePageTable) {
  IdentityMemory memory;
  ASSERT_TRUE(memory.reserve(8, kStack));
  const auto table = [](std::uint64_t address) { return address / kPageTable; };
  const auto last_byte = reinterpret_cast<std::uint64_t>(memory.donor(7)) + memory.donor_bytes() - 1;
  EXPECT_EQ(table(last_byte), table(reinterpret_cast<std::uint64_t>(memory.donor(0))));
  EXPECT_EQ(table(last_byte), table(memory.stack_high(0) - 64 * 1024));
}

TEST(IdentityMemory, StacksDoNotOverlapAndHaveAPageBetweenThemThatNobodyMayTouch) {
  IdentityMemory memory;
  ASSERT_TRUE(memory.reserve(3, kStack));
  for (std::uint32_t index = 0; index < 3; ++index) {
    EXPECT_EQ(memory.stack_high(index) - memory.stack_low(index), kStack);
    *reinterpret_cast<char*>(memory.stack_low(index)) = 1;
    *reinterpret_cast<char*>(memory.stack_high(index) - 1) = 1;
    if (index > 0) {
      EXPECT_EQ(memory.stack_high(index) + 4096, memory.stack_low(index - 1));
    }
  }
  EXPECT_DEATH(*reinterpret_cast<volatile char*>(memory.stack_low(0) - 1) = 1, "");
}

TEST(IdentityMemory, ADonorsPlaceIsEnoughForAThread) {
  IdentityMemory memory;
  ASSERT_TRUE(memory.reserve(2, kStack));
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstack(&attributes, memory.donor(1), memory.donor_bytes()), 0);
  pthread_t thread = 0;
  const auto body = [](void* ran) -> void* {
    char frame[8192];
    std::memset(frame, 1, sizeof frame);
    *static_cast<int*>(ran) = frame[100];
    return nullptr;
  };
  int ran = 0;
  ASSERT_EQ(pthread_create(&thread, &attributes, body, &ran), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  EXPECT_EQ(ran, 1);
}

TEST(IdentityMemory, RefusesWhatTheSystemRefuses) {
  IdentityMemory memory;
  EXPECT_FALSE(memory.reserve(4096, std::size_t{1} << 40));
}

}  // namespace
}  // namespace ravel
