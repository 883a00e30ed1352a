// SPDX-License-Identifier: Apache-2.0
#include "driver/noise/sync_calls.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>

namespace ravel {
namespace {

__attribute__((noinline)) void take_and_give_back(pthread_mutex_t* mutex) {
  pthread_mutex_lock(mutex);
  asm volatile("");
  pthread_mutex_unlock(mutex);
  asm volatile("");
}

__attribute__((noinline)) void do_nothing(int* value) {
  asm volatile("" : : "r"(value) : "memory");
  asm volatile(".skip 160, 0x90");
}

std::size_t calls_near(const void* function) {
  Dl_info info{};
  EXPECT_NE(dladdr(function, &info), 0);
  const auto start = reinterpret_cast<std::uint64_t>(function) - reinterpret_cast<std::uint64_t>(info.dli_fbase);
  const std::vector<std::uint64_t> calls = synchronising_calls("/proc/self/exe");
  return static_cast<std::size_t>(std::count_if(
      calls.begin(), calls.end(), [&](std::uint64_t call) { return call > start && call <= start + 128; }));
}

TEST(SyncCallsTest, CallsOfLocksAreFoundInTheFile) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  take_and_give_back(&mutex);
  EXPECT_GE(calls_near(reinterpret_cast<const void*>(&take_and_give_back)), 2U);
  int value = 0;
  do_nothing(&value);
  EXPECT_EQ(calls_near(reinterpret_cast<const void*>(&do_nothing)), 0U);
}

TEST(SyncCallsTest, WhatIsNoProgramHasNone) {
  EXPECT_TRUE(synchronising_calls("/nowhere").empty());
  EXPECT_TRUE(synchronising_calls("/etc/passwd").empty());
}

}  // namespace
}  // namespace ravel
