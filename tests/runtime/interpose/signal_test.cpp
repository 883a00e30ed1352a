// SPDX-License-Identifier: Apache-2.0
// Signals from task to task, and waiting for them.
#include <gtest/gtest.h>

#include "operation_script.h"

namespace ravel::test {
namespace {

TEST(Signal, IsDeliveredWhenTheTaskRunsNext) {
  play(R"(
    A: handle USR1 handler, yield, yield
    handler: yield
    B: kill A USR1
    --
    A starts, handle USR1 handler = 0
    B kill A USR1 = 0
    A yield ...
    A yield, ... yield
    A yield
  )");
}

TEST(Signal, ToOneselfStrikesAtOnce) {
  play(R"(
    A: handle USR1 handler, kill A USR1
    handler: yield
    --
    A starts, handle USR1 handler = 0
    A kill A USR1 ...
    A yield, ... kill A USR1 = 0
  )");
}

TEST(Signal, IsDeliveredOnceHoweverOftenItIsSent) {
  play(R"(
    A: handle USR1 handler, yield, yield
    handler: lock m, unlock m
    B: kill A USR1, kill A USR1
    --
    A starts, handle USR1 handler = 0
    B kill A USR1 = 0
    B kill A USR1 = 0
    A yield ...
    A lock m = 0
    A unlock m = 0, ... yield
    A yield
  )");
}

TEST(Signal, OfSeveralTheFirstNumberComesFirstAndTheNextStrikesItsHandler) {
  play(R"(
    A: handle USR1 first, handle USR2 second, yield
    first: lock m, unlock m
    second: lock n, unlock n
    B: kill A USR2, kill A USR1
    --
    A starts, handle USR1 first = 0, handle USR2 second = 0
    B kill A USR2 = 0
    B kill A USR1 = 0
    A yield ...
    A lock m ...
    A lock n = 0
    A unlock n = 0, ... lock m = 0
    A unlock m = 0, ... yield
  )");
}

TEST(Signal, ATaskThatWaitsForALockHandlesItAndWaitsOn) {
  play(R"(
    A: handle USR1 handler, lock m, unlock m
    handler: set x 1
    B: lock m, kill A USR1, unlock m
    --
    A starts, handle USR1 handler = 0
    B lock m = 0       | B
    B kill A USR1 = 0  | B
    B unlock m = 0     | A B
    A lock m = 0
  )");
}

// A handler may have let others run: what the wait was for can be gone again.
TEST(Signal, AHandlerThatLetsAnotherTakeTheLockWaitsOn) {
  play(R"(
    A: handle USR1 handler, lock m, unlock m
    handler: yield
    B: lock m, kill A USR1, unlock m, lock m, unlock m
    --
    A starts, handle USR1 handler = 0
    B lock m = 0
    B kill A USR1 = 0
    B unlock m = 0     | A B
    A lock m ...       | A B
    B lock m = 0       | A B
    A yield            | B
    B unlock m = 0     | A B
    A ... lock m = 0
  )");
}

TEST(Signal, WithoutAHandlerEndsTheProcess) {
  play(R"(
    A: yield, yield
    B: kill A USR1
    --
    B kill A USR1 = 0
    A is killed by signal 10
  )");
}

TEST(Signal, TargetsAndNumbersAreChecked) {
  play(R"(
    A: kill B 0, kill B 65, kill B 32, kill B USR1
    B: yield
    --
    B yield
    B ends
    A kill B 0 = 0, kill B 65 = EINVAL, kill B 32 = EINVAL
    A kill B USR1 = 0
  )");
}

TEST(Signal, ToADetachedTaskThatEndedIsRefused) {
  play(R"(
    A: detach B, yield, kill B USR1
    B: yield
    --
    A detach B = 0
    B yield
    B ends
    A yield, kill B USR1 = ESRCH
  )");
}

// -- blocked signals --------------------------------------------------------------------------------------------------

TEST(BlockedSignal, StaysWithItsTaskUntilThatUnblocksIt) {
  play(R"(
    A: handle USR1 handler, block USR1, yield, pending, yield, unblock USR1
    handler: yield
    B: kill A USR1, pending
    --
    A starts, handle USR1 handler = 0, block USR1 = 0
    B kill A USR1 = 0, pending = none
    A yield, pending = USR1
    A yield
    A yield, unblock USR1 = 0
  )");
}

TEST(BlockedSignal, DoesNotInterrupt) {
  play(R"(
    A: handle USR1 handler, block USR1, sleep 9ms
    handler: set x 1
    B: kill A USR1
    --
    A starts, handle USR1 handler = 0, block USR1 = 0
    B kill A USR1 = 0
    B ends             | nobody
    at 9ms
    A sleep 9ms = 0
  )");
}

TEST(BlockedSignal, EachTaskHasAMaskOfItsOwn) {
  play(R"(
    A: handle USR1 handler, block USR1, yield, yield
    handler: yield
    B: yield, kill-process USR1
    --
    A starts, handle USR1 handler = 0, block USR1 = 0
    A yield
    B yield
    B kill-process USR1 ...
    B yield, ... kill-process USR1 = 0
  )");
}

TEST(BlockedSignal, ToTheProcessGoesToATaskThatLetsItThrough) {
  play(R"(
    blocked USR1
    A: kill-process USR1
    B: handle USR1 handler, unblock USR1, yield, yield
    handler: yield
    --
    B starts, handle USR1 handler = 0, unblock USR1 = 0
    A kill-process USR1 = 0
    B yield ...
    B yield, ... yield
  )");
}

TEST(BlockedSignal, ToTheProcessStaysPendingWhenEverybodyBlocksIt) {
  play(R"(
    blocked USR1
    A: handle USR1 handler, yield, pending, unblock USR1
    handler: yield
    B: kill-process USR1, pending
    --
    A starts, handle USR1 handler = 0
    B kill-process USR1 = 0, pending = USR1
    A yield, pending = USR1
    A yield, unblock USR1 = 0
  )");
}

TEST(BlockedSignal, ThatIsIgnoredInterruptsNobody) {
  play(R"(
    A: sleep 9ms
    B: kill A WINCH
    --
    B kill A WINCH = 0
    B ends             | nobody
    at 9ms
    A sleep 9ms = 0
  )");
}

// -- waiting for signals ----------------------------------------------------------------------------------------------

TEST(SigWait, TakesASignalThatIsPending) {
  play(R"(
    A: block USR2, yield, sigwait USR1 USR2
    B: kill A USR2
    --
    A starts, block USR2 = 0
    B kill A USR2 = 0
    A yield
    A sigwait USR1 USR2 = USR2
  )");
}

TEST(SigWait, WaitsForOneOfTheSet) {
  play(R"(
    A: sigwait USR1 USR2
    B: kill A USR2
    --
    B kill A USR2 = 0            | A B
    A sigwait USR1 USR2 = USR2
  )");
}

TEST(SigWait, SignalsOfTheSetDoNotReachTheirHandlers) {
  play(R"(
    A: handle USR1 handler, sigwait USR1
    handler: lock m
    B: kill A USR1
    --
    A starts, handle USR1 handler = 0
    B kill A USR1 = 0
    A sigwait USR1 = USR1
  )");
}

TEST(SigWait, OthersInterruptIt) {
  play(R"(
    A: handle USR2 handler, sigwait USR1
    handler: set x 1
    B: kill A USR2
    --
    A starts, handle USR2 handler = 0
    B kill A USR2 = 0
    A sigwait USR1 = EINTR
  )");
}

TEST(SigWait, AValueComesWithTheSignal) {
  play(R"(
    A: sigwait USR1
    B: sigqueue A USR1 42
    --
    B sigqueue A USR1 42 = 0
    A sigwait USR1 = USR1 42
  )");
}

TEST(SigWait, ASignalToTheProcessIsForOneOfThoseWhoWait) {
  play(R"(
    A: block USR1, sigwait USR1
    B: sigwait USR1
    C: kill-process USR1, kill-process USR1
    --
    A starts, block USR1 = 0
    C kill-process USR1 = 0  | A B C
    B sigwait USR1 = USR1    | B C
    C kill-process USR1 = 0  | A B C
    A sigwait USR1 = USR1
  )");
}

TEST(SigWait, ATimedOneGivesUp) {
  play(R"(
    A: sigtimedwait USR1 5ms
    B: sleep 9ms
    --
    at 5ms
    A sigtimedwait USR1 5ms = EAGAIN
  )");
}

TEST(SigWait, ATimedOneTakesWhatComesInTime) {
  play(R"(
    A: sigtimedwait USR1 5ms, sigtimedwait USR1 invalid
    B: kill A USR1
    --
    B kill A USR1 = 0
    A sigtimedwait USR1 5ms = USR1, sigtimedwait USR1 invalid = EINVAL
  )");
}

TEST(SigWait, IsACancellationPoint) {
  play(R"(
    A: sigwait USR1
    B: cancel A
    --
    B cancel A = 0
    A sigwait USR1 left
  )");
}

TEST(Pause, EndsWithTheHandlerOfAnySignal) {
  play(R"(
    A: handle USR1 handler, pause
    handler: yield
    B: kill A USR1
    --
    A starts, handle USR1 handler = 0
    A pause ...                        | B
    B kill A USR1 = 0                  | A B
    A ...
    A yield, ... pause = EINTR
  )");
}

// It must be in the pause when the signal comes.
TEST(Pause, IsNotEndedByASignalThatComesJustBefore) {
  play(R"(
    A: handle USR1 handler, pause
    handler: set x 1
    B: kill A USR1
    --
    A starts, handle USR1 handler = 0
    B kill A USR1 = 0
    B ends
    A pause ...        | nobody
    deadlock: A signal-task
  )");
}

TEST(Pause, GetsASignalToTheProcessBeforeOthers) {
  play(R"(
    A: handle USR1 handler, pause
    handler: yield
    B: kill-process USR1
    --
    A starts, handle USR1 handler = 0
    A pause ...
    B kill-process USR1 = 0  | A B
    A ...
    A yield, ... pause = EINTR
  )");
}

TEST(Pause, ForEverIsADeadlock) {
  play(R"(
    A: yield, pause
    --
    A yield
    A pause ...
    deadlock: A signal-task
  )");
}

TEST(SigSuspend, TakesWhatWasSentToTheProcessBefore) {
  play(R"(
    blocked USR1
    A: handle USR1 handler, yield, sigsuspend, pending, yield
    handler: set x 1
    B: kill-process USR1
    --
    A starts, handle USR1 handler = 0
    B kill-process USR1 = 0
    A yield
    A sigsuspend = EINTR, pending = none
  )");
}

TEST(SigSuspend, TakesWhatIsSentToTheProcessMeanwhile) {
  play(R"(
    blocked USR1
    A: handle USR1 handler, sigsuspend, pending, yield
    handler: set x 1
    B: yield, kill-process USR1
    --
    A starts, handle USR1 handler = 0
    B yield                  | B
    B kill-process USR1 = 0  | A B
    A sigsuspend = EINTR, pending = none
  )");
}

TEST(SigSuspend, LetsSignalsThroughForItsTime) {
  play(R"(
    A: handle USR1 handler, block USR1, sigsuspend, yield
    handler: set x 1
    B: kill A USR1
    --
    A starts, handle USR1 handler = 0, block USR1 = 0
    B kill A USR1 = 0
    A sigsuspend = EINTR
  )");
}

}  // namespace
}  // namespace ravel::test
