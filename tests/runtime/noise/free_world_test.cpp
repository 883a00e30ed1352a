// SPDX-License-Identifier: Apache-2.0
#include "runtime/noise/free_world.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "runtime/noise/noise.h"

namespace ravel {
namespace {

// The calling thread is T0 of a run.
class FreeWorldTest : public ::testing::Test {
 protected:
  FreeWorldTest() {
    void* const memory =
        mmap(nullptr, sizeof(Channel), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    channel_ = static_cast<Channel*>(memory);
    t_free_self = FreeSelf{};
    g_free_world = FreeWorld{};
  }
  ~FreeWorldTest() override {
    t_free_self = FreeSelf{};
    g_free_world = FreeWorld{};
    munmap(channel_, sizeof(Channel));
  }

  FreeRun& run() { return channel_->result.free; }
  NoisePlan& plan() { return asked_.noise; }
  void begin(bool record) {
    plan().record = record ? 1 : 0;
    write_request(*channel_, asked_);
    begin_free_run(*channel_);
  }
  // Performs `body` on another thread of the run, to its end.
  template <typename Body>
  void on_new_thread(Body body) {
    const TaskId id = announce_thread(0x10);
    std::thread([&] {
      thread_began(id, 0x20);
      body();
      thread_ended();
    }).join();
  }
  std::vector<FreeEvent> events() {
    std::vector<FreeEvent> all;
    for (std::uint32_t i = 0; i < run().chunks; ++i) {
      for (const FreeEvent& event : run().chunk[i].event) {
        if (event.clock != 0) all.push_back(event);
      }
    }
    return all;
  }
  std::vector<FreeEvent> accesses() {
    std::vector<FreeEvent> all = events();
    std::erase_if(all, [](const FreeEvent& event) { return !is_memory_access(event.kind); });
    return all;
  }
  static void write(std::uint64_t address, std::uint64_t pc) { free_access(address, 4, OperationKind::write, pc); }

  Channel* channel_ = nullptr;
  RequestHead asked_;
};

TEST_F(FreeWorldTest, NothingIsAnEventBeforeThereIsASecondThread) {
  begin(true);
  write(0x1000, 1);
  EXPECT_TRUE(events().empty());
}

TEST_F(FreeWorldTest, MemoryOfOneThreadIsNoEventAndThatOfTwoIs) {
  begin(true);
  on_new_thread([] {
    write(0x1000, 1);
    write(0x1000, 1);
  });
  EXPECT_TRUE(accesses().empty());
  write(0x1000, 2);
  ASSERT_EQ(accesses().size(), 1U);
  EXPECT_EQ(accesses()[0].pc, 2U);
  ASSERT_EQ(channel_->result.sites, 1U);
  EXPECT_EQ(channel_->request.site[0], 2U);
}

TEST_F(FreeWorldTest, MemoryThatIsAllocatedAgainIsNobodys) {
  begin(true);
  constexpr std::uint64_t kBig = std::uint64_t{1} << 21;
  for (const std::uint64_t size : {std::uint64_t{64}, kBig}) {
    const std::uint64_t block = 0x7fff'fff0'0000;  // the table of owners wraps in the middle of the larger one
    on_new_thread([=] {
      write(block, 1);
      write(block + size - 8, 1);
    });
    free_allocation(block, size);
    const std::size_t before = accesses().size();
    write(block, 2);
    write(block + size - 8, 2);
    EXPECT_EQ(accesses().size(), before) << size;
    write(block + size, 3);
  }
}

TEST_F(FreeWorldTest, OnlyWhatIsAimedAtIsDisturbed) {
  plan().probability[static_cast<unsigned>(NoiseKind::yield)] = 700'000;
  plan().targets_only = 1;
  channel_->request.site[0] = 7;
  channel_->request.site_weight[0] = kTargetWeight;
  asked_.sites_known = 1;
  begin(false);
  on_new_thread([] { write(0x1000, 8); });
  for (int i = 0; i < 100; ++i) write(0x1000, 8);
  EXPECT_EQ(run().noises[static_cast<unsigned>(NoiseKind::yield)], 0U);
  for (int i = 0; i < 100; ++i) write(0x1000, 7);
  EXPECT_GT(run().noises[static_cast<unsigned>(NoiseKind::yield)], 0U);
}

TEST_F(FreeWorldTest, CodeThatIsKnownMakesEventsFromItsFirstAccessOn) {
  channel_->request.site[0] = 7;
  channel_->request.site_weight[0] = 1;
  asked_.sites_known = 1;
  begin(true);
  on_new_thread([] { write(0x1000, 7); });
  EXPECT_EQ(accesses().size(), 1U);
  EXPECT_EQ(channel_->result.sites, 1U) << "it was known";
}

TEST_F(FreeWorldTest, KnownCodeThatWorksOnItsOwnMemoryForLongIsLeftAlone) {
  channel_->request.site[0] = 7;
  channel_->request.site_weight[0] = 1;
  asked_.sites_known = 1;
  begin(true);
  on_new_thread([] {
    for (std::uint64_t i = 0; i < (1U << 16); ++i) write(0x100000 + 8 * i, 7);
  });
  EXPECT_EQ(accesses().size(), std::size_t{1} << 14);
}

TEST_F(FreeWorldTest, ClocksOrderTheEventsOfAnObjectAndOfAThread) {
  begin(true);
  on_new_thread([] {
    for (int i = 0; i < 10; ++i) concurrent_access({.kind = OperationKind::atomic_rmw, .object = 0x40, .pc = 1});
  });
  for (int i = 0; i < 10; ++i) concurrent_access({.kind = OperationKind::atomic_rmw, .object = 0x40, .pc = 2});
  std::vector<FreeEvent> all = accesses();
  ASSERT_EQ(all.size(), 20U);
  std::sort(all.begin(), all.end(), [](const FreeEvent& a, const FreeEvent& b) { return a.clock < b.clock; });
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].pc, i < 10 ? 1U : 2U);
    if (i > 0) {
      EXPECT_LT(all[i - 1].clock, all[i].clock);
    }
  }
}

TEST_F(FreeWorldTest, TheRecordGoesOnInAnotherChunk) {
  begin(true);
  on_new_thread([] {
    for (std::size_t i = 0; i < 3 * kEventChunk; ++i) {
      concurrent_access({.kind = OperationKind::atomic_load, .object = 0x40, .pc = 1});
    }
  });
  EXPECT_EQ(accesses().size(), 3 * kEventChunk);
}

TEST_F(FreeWorldTest, WithoutARecordNothingIsWritten) {
  begin(false);
  on_new_thread([] { concurrent_access({.kind = OperationKind::atomic_load, .object = 0x40, .pc = 1}); });
  EXPECT_EQ(run().chunks, 0U);
}

TEST_F(FreeWorldTest, LocksAreKeptInTheOrderTheyWereTaken) {
  begin(false);
  FreeThread& me = run().thread[0];
  lock_taken(0x100, false, 1);
  lock_taken(0x200, true, 2);
  lock_taken(0x300, false, 3);
  EXPECT_EQ(me.held_count, 3U);
  EXPECT_EQ(me.held[1], 0x201U);
  lock_given_back(0x200);
  ASSERT_EQ(me.held_count, 2U);
  EXPECT_EQ(me.held[1], 0x300U);
  EXPECT_EQ(me.held_pc[1], 3U);
  lock_given_back(0x999);
  EXPECT_EQ(me.held_count, 2U) << "it was never taken";
  lock_given_back(0x300);
  lock_given_back(0x100);
  EXPECT_EQ(me.held_count, 0U);
}

TEST_F(FreeWorldTest, MoreLocksThanFitAreCounted) {
  begin(false);
  FreeThread& me = run().thread[0];
  for (std::uint64_t lock = 1; lock <= kFreeHeld + 3; ++lock) lock_taken(lock * 16, false, 1);
  EXPECT_EQ(me.held_count, kFreeHeld + 3);
  for (std::uint64_t lock = kFreeHeld + 3; lock > 0; --lock) lock_given_back(lock * 16);
  EXPECT_EQ(me.held_count, 0U);
}

TEST_F(FreeWorldTest, ThreadsAreNamedByTheirCreator) {
  begin(false);
  on_new_thread([] {
    EXPECT_EQ(announce_thread(0x30), 2U);
    EXPECT_EQ(announce_thread(0x31), 3U);
  });
  EXPECT_EQ(announce_thread(0x32), 4U);
  EXPECT_EQ(run().thread[1].creator, 0U);
  EXPECT_EQ(run().thread[3].creator, 1U);
  EXPECT_EQ(run().thread[3].birth, 1U);
  EXPECT_EQ(run().thread[4].creator, 0U);
  EXPECT_EQ(run().thread[4].birth, 1U);
}

TEST_F(FreeWorldTest, MoreThreadsThanCanBeToldAreLeftAlone) {
  begin(true);
  for (TaskId id = 1; id < kMaxFreeThreads; ++id) EXPECT_EQ(announce_thread(0x30), id);
  EXPECT_EQ(announce_thread(0x30), kNoTask);
}

TEST_F(FreeWorldTest, NoiseComesAboutAsOftenAsAskedFor) {
  plan().probability[static_cast<unsigned>(NoiseKind::yield)] = 100'000;
  begin(false);
  on_new_thread([] {
    for (int i = 0; i < 20'000; ++i) {
      concurrent_event({.kind = OperationKind::condition_signal, .object = 0x40, .pc = 1}, NoisePlace::usual,
                       Recorded::no);
    }
  });
  const std::uint64_t noises = run().noises[static_cast<unsigned>(NoiseKind::yield)];
  EXPECT_GT(noises, 200U) << "quiet moods";
  EXPECT_LT(noises, 2'500U);
}

TEST_F(FreeWorldTest, RareCodeIsDisturbedMoreThanALoop) {
  plan().probability[static_cast<unsigned>(NoiseKind::yield)] = 2'000;
  plan().by_rarity = 1;
  begin(false);
  constexpr std::uint64_t kEvents = 3'000;
  const auto noises_of = [&](std::uint64_t places) {
    const std::uint64_t before = run().noises[static_cast<unsigned>(NoiseKind::yield)];
    for (int thread = 0; thread < 20; ++thread) {
      on_new_thread([&] {
        for (std::uint64_t i = 0; i < kEvents; ++i) {
          concurrent_event({.kind = OperationKind::condition_signal, .object = 0x40, .pc = 100 + i % places},
                           NoisePlace::usual, Recorded::no);
        }
      });
    }
    return run().noises[static_cast<unsigned>(NoiseKind::yield)] - before;
  };
  const std::uint64_t in_loop = noises_of(1);
  EXPECT_GT(noises_of(kEvents), 4 * in_loop);
}

TEST_F(FreeWorldTest, LongStretchesWithoutNoiseOccurBesideDenseOnes) {
  NoisePlan plan;
  plan.probability[0] = 100'000;
  FreeSelf self;
  self.random = Random(5);
  std::vector<std::int64_t> gaps;
  for (int i = 0; i < 2'000; ++i) {
    draw_countdown(self, plan);
    gaps.push_back(self.countdown / (kUsualWeight * kUsualRarity));
  }
  EXPECT_GT(std::count_if(gaps.begin(), gaps.end(), [](std::int64_t gap) { return gap < 10; }), 800);
  EXPECT_GT(std::count_if(gaps.begin(), gaps.end(), [](std::int64_t gap) { return gap > 200; }), 50);
}

TEST_F(FreeWorldTest, ALoopThatOnlyLooksIsNotHeldUp) {
  plan().probability[static_cast<unsigned>(NoiseKind::yield)] = 1'000'000;
  begin(false);
  on_new_thread([] {
    for (int i = 0; i < 10'000; ++i) concurrent_access({.kind = OperationKind::atomic_load, .object = 0x40, .pc = 1});
  });
  EXPECT_LT(run().noises[static_cast<unsigned>(NoiseKind::yield)], 20U);
  EXPECT_LT(run().thread[1].events, 20U) << "nor is it progress";
}

TEST_F(FreeWorldTest, WhatInterruptsIsTold) {
  plan().probability[static_cast<unsigned>(NoiseKind::sleep)] = 1'000'000;
  plan().longest_us = 20'000;
  plan().coverage = 1;
  begin(false);
  const TaskId id = announce_thread(0x10);
  std::atomic<bool> over{false};
  std::thread other([&] {
    thread_began(id, 0x20);
    t_free_self.countdown = std::int64_t{1} << 40;  // undisturbed itself
    while (!over.load()) {
      concurrent_event({.kind = OperationKind::condition_signal, .object = 0x80, .pc = 2}, NoisePlace::usual,
                       Recorded::no);
    }
    thread_ended();
  });
  for (int i = 0; i < 20; ++i) {
    concurrent_event({.kind = OperationKind::condition_signal, .object = 0x40, .pc = 1}, NoisePlace::usual,
                     Recorded::no);
  }
  over.store(true);
  other.join();
  const bool found = std::any_of(std::begin(run().interruption), std::end(run().interruption),
                                 [](const Interruption& entry) { return entry.interrupted == 1 && entry.by == 2; });
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace ravel
