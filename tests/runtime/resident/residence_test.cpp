// SPDX-License-Identifier: Apache-2.0
#include "runtime/resident/residence.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/raw_syscall.h"

namespace ravel::testing {
namespace {

constexpr int kCannotSettle = 99;
constexpr int kMemoryDiffers = 98;
constexpr int kExecutions = 5;
constexpr std::uint64_t kAnyTime = ~std::uint64_t{0};

// Shared by test, server and resident process: the one memory that is not put back.
struct Shared {
  int executions;       // ended, each with memory as it was
  int stays;            // how often the process could stay
  std::uint64_t pages;  // that the last one wrote
};

struct Scene {
  Shared* shared;
  void (*body)();  // of one execution
  pid_t server;
};
Scene g_scene;

void after_execution(int exit_code) {
  Residence& residence = *internal::g_residence;
  Shared& shared = *g_scene.shared;
  if (exit_code != 0) raw_exit(exit_code);
  ++shared.executions;
  if (!residence.can_stay()) raw_exit(0);
  ++shared.stays;
  if (!residence.put_back(kAnyTime)) raw_exit(kMemoryDiffers);
  shared.pages = residence.pages();
  if (shared.executions == kExecutions) raw_exit(0);
  residence.begin();
}

// The fork server of the scene: one resident process, whose end is its own.
void serve(void*) {
  const pid_t child = ::fork();
  if (child == 0) {
    const auto start = reinterpret_cast<std::uint64_t>(g_scene.shared);
    if (!internal::g_residence->settle(g_scene.server, {start, start + kPageBytes}, &after_execution)) {
      raw_exit(kCannotSettle);
    }
    internal::g_residence->begin();
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  raw_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

class ResidenceTest : public ::testing::Test {
 protected:
  ResidenceTest()
      : shared_(static_cast<Shared*>(
            ::mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  ~ResidenceTest() override { ::munmap(shared_, kPageBytes); }

  // Performs `body` up to kExecutions times in one process. False: this kernel cannot.
  bool perform(void (*body)()) {
    const pid_t server = ::fork();
    if (server == 0) {
      g_scene = {shared_, body, ::getpid()};
      Residence::prepare().leave_program(&serve, nullptr);
      g_scene.body();
      end_execution(0);
    }
    int status = 0;
    ::waitpid(server, &status, 0);
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return exit_code_ != kCannotSettle;
  }

  Shared* shared_;
  int exit_code_ = 0;
};

void expect(bool as_it_was) {
  if (!as_it_was) end_execution(kMemoryDiffers);
}

int g_initialised = 7;
int g_zero = 0;
std::vector<std::string>* g_names;
char* g_pages;

TEST_F(ResidenceTest, GlobalsAndHeapAreAsTheyWere) {
  g_names = new std::vector<std::string>{"a name that is too long to be kept in the object itself"};
  const bool can = perform([] {
    expect(g_initialised == 7 && g_zero == 0 && g_names->size() == 1 && g_names->front().size() > 20);
    ++g_initialised;
    --g_zero;
    g_names->front().clear();
    for (int i = 0; i < 1000; ++i) g_names->push_back(std::string(100, 'x'));
  });
  if (!can) GTEST_SKIP() << "this kernel does not offer what residence needs";
  EXPECT_EQ(exit_code_, 0);
  EXPECT_EQ(shared_->executions, kExecutions);
  EXPECT_EQ(shared_->stays, kExecutions);
  delete g_names;
}

TEST_F(ResidenceTest, PagesThatDidNotExistReadAsZero) {
  constexpr std::size_t kBytes = std::size_t{64} << 20;
  g_pages = static_cast<char*>(::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  const bool can = perform([] {
    for (std::size_t at = 0; at < kBytes; at += kBytes / 64) {
      expect(g_pages[at] == 0);
      g_pages[at] = 1;
    }
  });
  if (!can) GTEST_SKIP() << "this kernel does not offer what residence needs";
  EXPECT_EQ(exit_code_, 0);
  EXPECT_EQ(shared_->stays, kExecutions);
  EXPECT_GE(shared_->pages, 64U);
  EXPECT_LT(shared_->pages, 500U);
  ::munmap(g_pages, kBytes);
}

// More pages than are copied back without being looked for.
TEST_F(ResidenceTest, ManyPagesAreAsTheyWere) {
  constexpr std::size_t kBytes = std::size_t{8} << 20;
  g_pages = static_cast<char*>(::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  std::memset(g_pages, 5, kBytes);
  const bool can = perform([] {
    for (std::size_t at = 0; at < kBytes; ++at) expect(g_pages[at] == 5);
    const std::size_t part = kBytes / kExecutions * static_cast<std::size_t>(g_scene.shared->executions);
    std::memset(g_pages + part, 6, kBytes / kExecutions);  // another part each time
  });
  if (!can) GTEST_SKIP() << "this kernel does not offer what residence needs";
  EXPECT_EQ(exit_code_, 0);
  EXPECT_EQ(shared_->stays, kExecutions);
  ::munmap(g_pages, kBytes);
}

TEST_F(ResidenceTest, WhatWasMappedIsUnmapped) {
  const bool can = perform([] {
    static char* last = nullptr;
    void* const mapped = ::mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    expect(last == nullptr && static_cast<char*>(mapped)[0] == 0);
    last = static_cast<char*>(mapped);
    *last = 1;
  });
  if (!can) GTEST_SKIP() << "this kernel does not offer what residence needs";
  EXPECT_EQ(exit_code_, 0);
  EXPECT_EQ(shared_->stays, kExecutions);
}

TEST_F(ResidenceTest, AReplacedMappingIsNoticed) {
  g_pages = static_cast<char*>(::mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  const bool can = perform([] {
    mappings_may_differ();
    ::mmap(g_pages, kPageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  });
  if (!can) GTEST_SKIP() << "this kernel does not offer what residence needs";
  EXPECT_EQ(exit_code_, 0);
  EXPECT_EQ(shared_->executions, 1);
  EXPECT_EQ(shared_->stays, 0);
  ::munmap(g_pages, kPageBytes);
}

TEST_F(ResidenceTest, ADescriptorThatWasOpenedIsNoticed) {
  const bool can = perform([] { expect(::dup(STDOUT_FILENO) >= 0); });
  if (!can) GTEST_SKIP() << "this kernel does not offer what residence needs";
  EXPECT_EQ(exit_code_, 0);
  EXPECT_EQ(shared_->stays, 0);
}

TEST_F(ResidenceTest, ADescriptorThatWasReplacedIsNoticed) {
  const bool can = perform([] {
    const int other = ::open("/dev/zero", O_RDONLY);
    expect(::dup2(other, STDERR_FILENO) >= 0 && ::close(other) == 0);
  });
  if (!can) GTEST_SKIP() << "this kernel does not offer what residence needs";
  EXPECT_EQ(shared_->stays, 0);
}

TEST_F(ResidenceTest, GivingUpEndsTheProcessWithTheExecution) {
  const bool can = perform([] {
    cannot_be_put_back();
    end_execution(3);
  });
  if (!can) GTEST_SKIP() << "this kernel does not offer what residence needs";
  EXPECT_EQ(exit_code_, 3);
  EXPECT_EQ(shared_->executions, 0);
}

}  // namespace
}  // namespace ravel::testing
