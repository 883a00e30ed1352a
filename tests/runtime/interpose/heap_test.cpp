// SPDX-License-Identifier: Apache-2.0
// The heap: what becomes of blocks, and what a program does against the rules.
#include <gtest/gtest.h>

#include "operation_script.h"

namespace ravel::test {
namespace {

TEST(Heap, ABlockMayBeFreedByAnotherTask) {
  play(R"(
    launch heap
    A: malloc b 16, yield
    B: yield, free b
    --
    A starts, malloc b 16
    B yield, free b
  )");
}

TEST(Heap, FreeingTwiceIsFound) {
  const Script run = play(R"(
    launch heap
    A: malloc b 16, yield, free b, yield
    B: yield, free b
    --
    A starts, malloc b 16
    A yield, free b
    B yield, free b
    double-free by B: T2 frees a block of 16 bytes that T1 already freed
  )");
  const FindingRecord& finding = run.result().finding[0];
  EXPECT_EQ(finding.block.size, 16U);
  EXPECT_EQ(finding.block.allocated_by, 1U);
  EXPECT_EQ(finding.block.freed_by, 1U);
}

TEST(Heap, APlaceIsToldOnce) {
  play(R"(
    launch heap
    A: malloc b 16, free b, repeat 3 free b, free b, yield
    --
    A starts, malloc b 16, free b, free b, free b, free b, free b
    double-free by A: T1 frees a block of 16 bytes that T1 already freed
    double-free by A: T1 frees a block of 16 bytes that T1 already freed
  )");
}

TEST(Heap, AFreedBlockIsHeldBack) {
  play(R"(
    launch heap
    A: malloc b 16, free b, malloc c 16, free b, free c, yield
    --
    A starts, malloc b 16, free b, malloc c 16, free b, free c
    double-free by A: T1 frees a block of 16 bytes that T1 already freed
  )");
}

// The second block is too much for one kilobyte: the first one leaves, and its memory is the next to be handed out.
TEST(Heap, TheQuarantineHasABound) {
  play(R"(
    launch heap quarantine=1
    A: malloc b 600, malloc c 600, free b, free c, malloc d 600, free c, free b, yield
    --
    A starts, malloc b 600, malloc c 600, free b, free c, malloc d 600, free c, free b
    double-free by A: T1 frees a block of 600 bytes that T1 already freed
  )");
}

TEST(Heap, FreeingTheMiddleOfABlockIsFound) {
  play(R"(
    launch heap
    A: malloc b 64, free b+16, free b, free b+16, yield
    --
    A starts, malloc b 64, free b+16, free b, free b+16
    bad-free by A: T1 frees memory inside a block of 64 bytes, 16 bytes after its start
    bad-free by A: T1 frees memory inside a block of 64 bytes, 16 bytes after its start; the block was already freed
  )");
}

TEST(Heap, FreeingWhatIsNoBlockIsFound) {
  play(R"(
    launch heap
    A: free-other stack, free-other global, yield
    --
    A starts, free-other stack, free-other global
    bad-free by A: T1 frees memory on the stack of T1
    bad-free by A: T1 frees memory of a global variable
  )");
}

TEST(Heap, TheFunctionThatFreesBelongsToTheOneThatAllocated) {
  play(R"(
    launch heap
    A: malloc b 8, delete b, new c 8, free c, new-array d 8, delete d, new e 8, delete-array e, call aligned, yield
    aligned: new-aligned f 8, delete f
    --
    A starts, malloc b 8, delete b, new c 8, free c, new-array d 8, delete d, new e 8, delete-array e, new-aligned f 8, delete f
    bad-free by A: T1 frees a block of 8 bytes from malloc with delete
    bad-free by A: T1 frees a block of 8 bytes from new with free
    bad-free by A: T1 frees a block of 8 bytes from new[] with delete
    bad-free by A: T1 frees a block of 8 bytes from new with delete[]
    bad-free by A: T1 frees a block of 8 bytes from aligned new with delete
  )");
}

TEST(Heap, MatchingOnesAreRight) {
  play(R"(
    launch heap
    A: malloc b 8, free b, new c 8, delete c, new-array d 8, delete-array d, new e 8, delete-sized e 8, yield
    --
    A starts, malloc b 8, free b, new c 8, delete c, new-array d 8, delete-array d, new e 8, delete-sized e 8
  )");
}

TEST(Heap, ASizedDeleteKnowsTheSize) {
  play(R"(
    launch heap
    A: new b 8, delete-sized b 4, yield
    --
    A starts, new b 8, delete-sized b 4
    bad-free by A: T1 frees a block of 8 bytes with delete as one of 4 bytes
  )");
}

TEST(Heap, WithoutHeapChecksNothingIsFound) {
  play(R"(
    A: malloc b 8, delete b, yield
    --
    A starts, malloc b 8, delete b
  )");
}

// -- realloc ----------------------------------------------------------------------------------------------------------

TEST(Realloc, OfNothingAllocates) {
  play(R"(
    launch heap
    A: realloc b 16, free b, yield
    --
    A starts, realloc b 16 = moved, free b
  )");
}

TEST(Realloc, LeavesABlockThatFitsWhereItIs) {
  play(R"(
    launch heap
    A: malloc b 100, realloc b 90, realloc b 100, free b, yield
    --
    A starts, malloc b 100, realloc b 90 = same, realloc b 100 = same, free b
  )");
}

TEST(Realloc, MovesABlockThatBecomesMuchSmaller) {
  play(R"(
    launch heap
    A: malloc b 100, realloc b 20, free b, yield
    --
    A starts, malloc b 100, realloc b 20 = moved, free b
  )");
}

TEST(Realloc, MovesABlockAndFreesTheOldOne) {
  play(R"(
    launch heap
    A: malloc b 16, realloc b 500 c, free b, free c, yield
    --
    A starts, malloc b 16, realloc b 500 c = moved, free b, free c
    double-free by A: T1 frees a block of 16 bytes that T1 already freed
  )");
}

TEST(Realloc, ToNothingFrees) {
  play(R"(
    launch heap
    A: malloc b 16, realloc b 0, yield
    --
    A starts, malloc b 16, realloc b 0 = null
  )");
}

TEST(Realloc, OfAFreedBlockIsADoubleFree) {
  play(R"(
    launch heap
    A: malloc b 16, free b, realloc b 500, free b, yield
    --
    A starts, malloc b 16, free b, realloc b 500 = moved, free b
    double-free by A: T1 reallocates a block of 16 bytes that T1 already freed
  )");
}

TEST(Realloc, IsForBlocksOfMalloc) {
  play(R"(
    launch heap
    A: new b 16, realloc b 500, free b, yield
    --
    A starts, new b 16, realloc b 500 = moved, free b
    bad-free by A: T1 reallocates a block of 16 bytes from new
  )");
}

// -- use of freed and of unwritten memory -----------------------------------------------------------------------------

TEST(UseAfterFree, AnAccessToAFreedBlockIsFound) {
  const Script run = play(R"(
    launch heap instrumented points=all
    A: malloc b 16, yield, free b, yield
    B: yield, read b+4, write b+8 1
    --
    A starts, malloc b 16
    A yield, free b
    B yield
    B read b+4
    use-after-free by B: T2 reads 4 bytes of a block of 16 bytes that T1 freed
    B write b+8 1
    use-after-free by B: T2 writes 4 bytes of a block of 16 bytes that T1 freed
  )");
  EXPECT_EQ(run.result().finding[0].block.freed_by, 1U);
}

TEST(UseAfterFree, BeforeTheFreeIsFine) {
  play(R"(
    launch heap instrumented points=all
    A: malloc b 16, yield, free b, yield
    B: yield, read b+4
    --
    A starts, malloc b 16
    B yield
    B read b+4
    A yield, free b
  )");
}

TEST(UseAfterFree, MemoryThatWasHandedOutAgainIsNew) {
  play(R"(
    launch heap instrumented points=all quarantine=0
    A: malloc b 16, free b, malloc b 16, yield, free b
    B: yield, read b+4
    --
    A starts, malloc b 16, free b, malloc b 16
    B yield
    B read b+4
    A yield, free b
  )");
}

TEST(UseAfterFree, AMovedBlockIsFreed) {
  play(R"(
    launch heap instrumented points=all
    A: malloc b 16, realloc b 500 c, read c+4, read b+4, free c
    --
    A starts, malloc b 16, realloc b 500 c = moved
    A read c+4
    A read b+4, free c
    use-after-free by A: T1 reads 4 bytes of a block of 16 bytes that T1 freed
  )");
}

TEST(UninitialisedRead, OfMallocedMemoryIsFound) {
  play(R"(
    launch heap instrumented points=all uninitialised
    A: malloc b 16, read b+4, write b+4 1, read b+4, read b+8
    --
    A starts, malloc b 16
    A read b+4
    uninitialised-read by A: T1 reads 4 bytes, never written, of a block of 16 bytes that T1 allocated
    A write b+4 1
    A read b+4
    A read b+8
    uninitialised-read by A: T1 reads 4 bytes, never written, of a block of 16 bytes that T1 allocated
  )");
}

TEST(UninitialisedRead, CallocWritesZeroes) {
  play(R"(
    launch heap instrumented points=all uninitialised
    A: calloc b 16, read b+4, yield
    --
    A starts, calloc b 16
    A read b+4
    A yield
  )");
}

TEST(UninitialisedRead, ReallocKeepsWhatWasWritten) {
  play(R"(
    launch heap instrumented points=all uninitialised
    A: malloc b 16, write b+4 1, realloc b 500, read b+4, read b+64, yield
    --
    A starts, malloc b 16
    A write b+4 1, realloc b 500 = moved
    A read b+4
    A read b+64
    uninitialised-read by A: T1 reads 4 bytes, never written, of a block of 500 bytes that T1 allocated
    A yield
  )");
}

// c has left the quarantine when d came: its memory, of which nothing was written, is what b gets.
TEST(UninitialisedRead, WhatReallocCopiedIsWrittenWhateverWasThereBefore) {
  play(R"(
    launch heap instrumented points=all uninitialised quarantine=1
    A: malloc b 16, write b+4 1, malloc c 500, malloc d 500, free c, free d, realloc b 500, read b+4, yield
    --
    A starts, malloc b 16
    A write b+4 1, malloc c 500, malloc d 500, free c, free d, realloc b 500 = moved
    A read b+4
    A yield
  )");
}

}  // namespace
}  // namespace ravel::test
