// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/unwritten_memory.h"

#include <gtest/gtest.h>

#include <cstring>

namespace ravel {
namespace {

struct UnwrittenMemoryTest : ::testing::Test {
  UnwrittenMemoryTest() {
    EXPECT_TRUE(memory.prepare());
    std::memset(bytes, 0, sizeof bytes);
  }
  std::uint64_t at(std::size_t offset) const { return reinterpret_cast<std::uint64_t>(bytes) + offset; }

  UnwrittenMemory memory;
  alignas(16) char bytes[1024];
};

TEST_F(UnwrittenMemoryTest, MemoryNobodyHandedOutCountsAsWritten) {
  EXPECT_FALSE(memory.unwritten(at(0), 8));
  EXPECT_FALSE(UnwrittenMemory{}.unwritten(at(0), 8));
}

TEST_F(UnwrittenMemoryTest, HandedOutMemoryIsUnwrittenToItsLastByte) {
  memory.handed_out(at(16), 100);
  EXPECT_TRUE(memory.unwritten(at(16), 1));
  EXPECT_TRUE(memory.unwritten(at(16), 100));
  EXPECT_TRUE(memory.unwritten(at(115), 1));
  EXPECT_FALSE(memory.unwritten(at(8), 16)) << "half of it was never handed out";
  EXPECT_FALSE(memory.unwritten(at(120), 1));
}

TEST_F(UnwrittenMemoryTest, AWriteThatIsToldMakesItWritten) {
  memory.handed_out(at(0), 64);
  memory.written(at(9), 1);
  EXPECT_TRUE(memory.unwritten(at(0), 8));
  EXPECT_FALSE(memory.unwritten(at(8), 8));
  EXPECT_FALSE(memory.unwritten(at(4), 8)) << "one half was written";
  EXPECT_TRUE(memory.unwritten(at(16), 48));
}

TEST_F(UnwrittenMemoryTest, AWriteNobodyTellsMakesItWritten) {
  memory.handed_out(at(0), 64);
  bytes[20] = 1;
  EXPECT_FALSE(memory.unwritten(at(20), 1));
  EXPECT_TRUE(memory.unwritten(at(0), 16));
}

TEST_F(UnwrittenMemoryTest, HandedOutAnewItIsUnwrittenAgain) {
  memory.handed_out(at(0), 64);
  memory.written(at(0), 64);
  EXPECT_FALSE(memory.unwritten(at(0), 1));
  memory.handed_out(at(0), 32);
  EXPECT_TRUE(memory.unwritten(at(0), 32));
  EXPECT_FALSE(memory.unwritten(at(32), 1));
}

}  // namespace
}  // namespace ravel
