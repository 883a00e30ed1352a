// SPDX-License-Identifier: Apache-2.0
#include "driver/process/process.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace ravel {
namespace {

ProcessOrder shell(const std::string& script) { return ProcessOrder({"sh", "-c", script}); }

// What the started process wrote to standard output.
std::string output_of(ProcessOrder order) {
  const FileDescriptor file(::memfd_create("output", MFD_CLOEXEC));
  order.descriptors.push_back({file.get(), STDOUT_FILENO});
  auto process = Process::start(order);
  EXPECT_TRUE(process.is_ok()) << process.status().what();
  if (!process.is_ok()) return "";
  process.value().wait();
  std::string text(65536, '\0');
  const ssize_t size = ::pread(file.get(), text.data(), text.size(), 0);
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return text;
}

TEST(Process, TellsTheExitCode) {
  auto process = Process::start(shell("exit 7"));
  ASSERT_TRUE(process.is_ok());
  EXPECT_GT(process.value().pid(), 0);
  EXPECT_EQ(exit_code(process.value().wait()), 7);
  EXPECT_EQ(process.value().pid(), -1);
  EXPECT_TRUE(process.value().has_ended());
}

TEST(Process, TellsTheSignalItDiedOf) {
  auto process = Process::start(shell("kill -TERM $$"));
  ASSERT_TRUE(process.is_ok());
  const int status = process.value().wait();
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
  EXPECT_EQ(exit_code(status), 128 + SIGTERM);
}

TEST(Process, HasEndedDoesNotBlock) {
  auto process = Process::start(ProcessOrder({"sleep", "1000"}));
  ASSERT_TRUE(process.is_ok());
  EXPECT_FALSE(process.value().has_ended());
  process.value().kill();
  EXPECT_TRUE(process.value().has_ended());
  EXPECT_EQ(WTERMSIG(process.value().wait_status()), SIGKILL);
}

TEST(Process, IsKilledWhenItsOwnerGoesAway) {
  pid_t pid = 0;
  {
    auto process = Process::start(ProcessOrder({"sleep", "1000"}));
    ASSERT_TRUE(process.is_ok());
    pid = process.value().pid();
  }
  EXPECT_EQ(::kill(pid, 0), -1);
}

TEST(Process, MovesWithItsOwner) {
  auto started = Process::start(ProcessOrder({"sleep", "1000"}));
  ASSERT_TRUE(started.is_ok());
  const pid_t pid = started.value().pid();
  Process owner;
  owner = std::move(started.value());
  EXPECT_EQ(owner.pid(), pid);
  EXPECT_FALSE(owner.has_ended());
}

TEST(Process, LeavesNothingOfItsGroupBehind) {
  // The second process has the writing end of a pipe. Once no process has it, reading reaches the end.
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const FileDescriptor reader(ends[0]);
  FileDescriptor writer(ends[1]);
  ProcessOrder order = shell("sleep 1000 & exit 3");
  order.own_group = true;
  order.descriptors = {{writer.get(), 5}};
  auto process = Process::start(order);
  ASSERT_TRUE(process.is_ok());
  writer.reset();
  EXPECT_EQ(exit_code(process.value().wait()), 3);
  char byte = 0;
  EXPECT_EQ(::read(reader.get(), &byte, 1), 0);
}

TEST(Process, DiesWithTheThreadThatStartedIt) {
  Process process;
  std::thread([&] {
    ProcessOrder order({"sleep", "1000"});
    order.dies_with_thread = true;
    auto started = Process::start(order);
    ASSERT_TRUE(started.is_ok());
    process = std::move(started.value());
  }).join();
  const int status = process.wait();
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
}

TEST(Process, OutlivesTheThreadThatStartedItOtherwise) {
  Process process;
  std::thread([&] { process = std::move(Process::start(shell("sleep 0.2; exit 4")).value()); }).join();
  EXPECT_EQ(exit_code(process.wait()), 4);
}

TEST(Process, GetsTheEnvironmentOfTheDriverWithTheEntriesOfTheOrder) {
  ::setenv("RAVEL_TEST_KEPT", "kept", 1);
  ::setenv("RAVEL_TEST_REPLACED", "old", 1);
  ProcessOrder order = shell("echo $RAVEL_TEST_KEPT $RAVEL_TEST_REPLACED $RAVEL_TEST_NEW");
  order.environment = {"RAVEL_TEST_REPLACED=replaced", "RAVEL_TEST_NEW=new"};
  EXPECT_EQ(output_of(order), "kept replaced new\n");
}

TEST(Process, StartsInTheDirectoryOfTheOrder) {
  ProcessOrder order({"pwd", "-P"});
  order.directory = "/usr";
  EXPECT_EQ(output_of(order), "/usr\n");
}

TEST(Process, IsCalledByItsFirstWordWhateverItsFile) {
  ProcessOrder order({"a name", "-c", "echo $0"});
  order.file = "/bin/sh";
  EXPECT_EQ(output_of(order), "a name\n");
}

TEST(Process, GetsOnlyTheDescriptorsOfTheOrder) {
  const FileDescriptor secret(::memfd_create("secret", MFD_CLOEXEC));
  const FileDescriptor high(::fcntl(secret.get(), F_DUPFD_CLOEXEC, 500));
  ProcessOrder order = shell("for fd in 500 600 601; do test -e /proc/self/fd/$fd && echo $fd; done");
  const FileDescriptor given(::fcntl(secret.get(), F_DUPFD_CLOEXEC, 600));
  order.descriptors = {{given.get(), given.get()}, {given.get(), 601}};
  EXPECT_EQ(output_of(order), "600\n601\n");
}

TEST(Process, RunsOnTheProcessorsOfTheOrder) {
  cpu_set_t all;
  ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
  unsigned last = 0;
  for (unsigned i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &all)) last = i;
  }
  ProcessOrder order = shell("sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status");
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(last, &one);
  order.processors = one;
  EXPECT_EQ(output_of(order), std::to_string(last) + "\n");
}

TEST(Process, HasAFixedAddressLayoutWhereThatIsOrdered) {
  const std::string ours = output_of(ProcessOrder({"cat", "/proc/self/personality"}));
  for (const AddressLayout fixed : {AddressLayout::fixed, AddressLayout::fixed_if_allowed}) {
    ProcessOrder order({"cat", "/proc/self/personality"});
    order.addresses = fixed;
    EXPECT_EQ(output_of(order), "00040000\n");
  }
  EXPECT_EQ(output_of(ProcessOrder({"cat", "/proc/self/personality"})), ours);
}

TEST(Process, LeavesNoCoreFileWhereThatIsOrdered) {
  ProcessOrder order = shell("sed -n 's/^Max core file size *\\([^ ]*\\).*/\\1/p' /proc/self/limits");
  order.core_files = false;
  const std::string soft = output_of(order);
  EXPECT_TRUE(soft == "1\n" || soft == "0\n") << soft;
}

TEST(Process, HasTheSignalMaskOfItsStarter) {
  sigset_t blocked;
  sigset_t before;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGUSR1);
  ASSERT_EQ(::pthread_sigmask(SIG_SETMASK, &blocked, &before), 0);
  const std::string mask = output_of(ProcessOrder({"sed", "-n", "s/^SigBlk:[[:space:]]*//p", "/proc/self/status"}));
  sigset_t after;
  ::pthread_sigmask(SIG_SETMASK, &before, &after);
  EXPECT_EQ(mask, "0000000000000200\n");
  EXPECT_EQ(::sigismember(&after, SIGUSR1), 1);
  EXPECT_EQ(::sigismember(&after, SIGUSR2), 0);
}

TEST(Process, InheritsIgnoredSignalsUnlessDefaultsAreOrdered) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  ProcessOrder order = shell("kill -PIPE $$; echo alive");
  EXPECT_EQ(output_of(order), "alive\n");
  order.default_signals = true;
  EXPECT_EQ(output_of(order), "");
  std::signal(SIGPIPE, before);
}

TEST(Process, SaysWhichProgramIsNotThere) {
  const auto by_name = Process::start(ProcessOrder({"no-such-program"}));
  ASSERT_FALSE(by_name.is_ok());
  EXPECT_EQ(by_name.status().what(), "cannot start no-such-program: No such file or directory");
  EXPECT_EQ(by_name.status().advice(), "check that it is installed, and the limits of this shell (ulimit -a)");
  ProcessOrder order({"x"});
  order.file = "/no/such/program";
  EXPECT_EQ(Process::start(order).status().what(), "cannot start /no/such/program: No such file or directory");
  order.name = "the compiler x";
  order.advice = "install it";
  EXPECT_EQ(Process::start(order).status().what(), "cannot start the compiler x: No such file or directory");
  EXPECT_EQ(Process::start(order).status().advice(), "install it");
}

TEST(Process, SaysWhyAProgramCannotBeStarted) {
  EXPECT_EQ(Process::start(ProcessOrder({"/etc/passwd"})).status().what(),
            "cannot start /etc/passwd: Permission denied");
}

TEST(Process, SaysWhichDirectoryIsNotThere) {
  ProcessOrder order({"true"});
  order.directory = "/no/such";
  EXPECT_EQ(Process::start(order).status().what(), "cannot start true in /no/such: No such file or directory");
}

TEST(ProcessDeathTest, BecomesTheProgramInPlace) {
  EXPECT_EXIT(
      {
        const Status status = become_process(shell("echo $0 >&2; exit 9"));
        std::_Exit(status.is_ok() ? 1 : 2);
      },
      ::testing::ExitedWithCode(9), "sh");
}

TEST(Process, SaysWhyItCannotBecomeAProgram) {
  EXPECT_EQ(become_process(ProcessOrder({"no-such-program"})).what(),
            "cannot start no-such-program: No such file or directory");
}

}  // namespace
}  // namespace ravel
