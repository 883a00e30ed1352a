// SPDX-License-Identifier: Apache-2.0
// Records as the target leaves them in the channel, including when it died while writing.
#include "driver/noise/recording.h"

#include <gtest/gtest.h>

#include <sys/mman.h>

#include <vector>

namespace ravel {
namespace {

// Zeros, like a fresh channel; most of it is never touched.
class RecordingTest : public testing::Test {
 protected:
  RecordingTest() {
    void* const memory =
        ::mmap(nullptr, sizeof(FreeRun), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    run_ = memory == MAP_FAILED ? nullptr : static_cast<FreeRun*>(memory);
  }
  ~RecordingTest() override {
    if (run_ != nullptr) ::munmap(run_, sizeof(FreeRun));
  }
  void SetUp() override { ASSERT_NE(run_, nullptr); }

  void add_thread(TaskId creator, std::uint32_t birth) {
    run_->thread[run_->threads].creator = creator;
    run_->thread[run_->threads].birth = birth;
    ++run_->threads;
  }
  EventChunk& add_chunk(TaskId task) {
    EventChunk& chunk = run_->chunk[run_->chunks++];
    chunk.task = task;
    return chunk;
  }
  static FreeEvent event(std::uint64_t clock, OperationKind kind, std::uint64_t pc, std::uint64_t object = 0x100) {
    FreeEvent made;
    made.clock = clock;
    made.kind = kind;
    made.pc = pc;
    made.object = object;
    return made;
  }

  FreeRun* run_ = nullptr;
};

TEST_F(RecordingTest, OfARunThatToldNothingIsEmpty) {
  const Recording recording = read_recording(*run_);
  EXPECT_TRUE(recording.threads.empty());
  EXPECT_TRUE(recording.events.empty());
  EXPECT_TRUE(follow_details(recording).empty());
}

TEST_F(RecordingTest, HasEveryThreadAndEvent) {
  add_thread(kNoTask, 0);
  add_thread(0, 0);
  EventChunk& first = add_chunk(0);
  EventChunk& second = add_chunk(1);
  EventChunk& third = add_chunk(0);
  for (std::size_t i = 0; i < kEventChunk; ++i) first.event[i] = event(2 * i + 1, OperationKind::mutex_lock, 0x10 + i);
  second.event[0] = event(2, OperationKind::write, 0x5000, 0x700);
  third.event[0] = event(5000, OperationKind::task_join, 0x20);
  const Recording recording = read_recording(*run_);
  ASSERT_EQ(recording.threads.size(), 2U);
  EXPECT_EQ(recording.threads[1].creator, 0U);
  ASSERT_EQ(recording.events.size(), kEventChunk + 2);
  const RecordedEvent& written = recording.events[kEventChunk];
  EXPECT_EQ(written.clock, 2U);
  EXPECT_EQ(written.thread, 1U);
  EXPECT_EQ(written.kind, OperationKind::write);
  EXPECT_EQ(written.pc, 0x5000U);
  EXPECT_EQ(written.object, 0x700U);
  EXPECT_EQ(recording.events.back().thread, 0U);
  EXPECT_EQ(recording.events.back().clock, 5000U);
}

// The end may come after a chunk was claimed, after its owner was written, or in the middle of its events.
TEST_F(RecordingTest, OfATargetThatDiedHasWhatWasWritten) {
  add_thread(kNoTask, 0);
  add_thread(0, 0);
  EventChunk& cut = add_chunk(1);
  cut.event[0] = event(1, OperationKind::write, 0x1);
  cut.event[2] = event(3, OperationKind::write, 0x3);  // after one that was not finished
  add_chunk(0);
  add_chunk(kNoTask).event[0] = event(4, OperationKind::write, 0x4);
  add_chunk(2).event[0] = event(5, OperationKind::write, 0x5);  // a thread that is not in the table
  EventChunk& torn = add_chunk(0);
  torn.event[0] = event(6, static_cast<OperationKind>(kOperationKinds), 0x6);
  torn.event[1] = event(7, OperationKind::read, 0x7);
  const Recording recording = read_recording(*run_);
  ASSERT_EQ(recording.events.size(), 2U);
  EXPECT_EQ(recording.events[0].pc, 0x1U);
  EXPECT_EQ(recording.events[1].pc, 0x7U);
}

// More may have been claimed than there is room for.
TEST_F(RecordingTest, StaysWithinItsTables) {
  run_->threads = kMaxFreeThreads + 10;
  run_->chunks = kMaxEventChunks + 10;
  run_->chunk[kMaxEventChunks - 1].event[0] = event(1, OperationKind::read, 0x1);
  const Recording recording = read_recording(*run_);
  EXPECT_EQ(recording.threads.size(), kMaxFreeThreads);
  EXPECT_EQ(recording.events.size(), 1U);
}

TEST_F(RecordingTest, AccessSitesAreThoseOfPlainAccesses) {
  add_thread(kNoTask, 0);
  EventChunk& chunk = add_chunk(0);
  const OperationKind kinds[] = {OperationKind::write,      OperationKind::read,         OperationKind::atomic_load,
                                 OperationKind::read_write, OperationKind::mutex_lock,   OperationKind::read,
                                 OperationKind::heap_free,  OperationKind::atomic_store, OperationKind::task_create};
  const std::uint64_t pcs[] = {0x90, 0x20, 0x30, 0x40, 0x50, 0x20, 0x60, 0x70, 0x80};
  for (std::size_t i = 0; i < std::size(pcs); ++i) chunk.event[i] = event(i + 1, kinds[i], pcs[i]);
  EXPECT_EQ(recorded_access_sites(read_recording(*run_)), (std::vector<std::uint64_t>{0x20, 0x40, 0x90}));
}

}  // namespace
}  // namespace ravel
