// SPDX-License-Identifier: Apache-2.0
// Waits that end outside of the program or by its race test: pipes, events; and choices that a program asks for.
#include <gtest/gtest.h>

#include "operation_script.h"

namespace ravel::test {
namespace {

TEST(Pipe, AReaderWaitsForAWriter) {
  play(R"(
    A: pipe-read p
    B: yield, pipe-write p hello
    --
    B yield                   | B
    B pipe-write p hello = 5  | A B
    A pipe-read p = hello
  )");
}

TEST(Pipe, WhatIsThereIsReadAtOnce) {
  play(R"(
    A: pipe-write p hello, pipe-read p
    --
    A pipe-write p hello = 5  | A
    A pipe-read p = hello
  )");
}

TEST(Pipe, OneReaderTakesItAndTheOtherWaitsOn) {
  play(R"(
    A: pipe-read p
    B: pipe-read p
    C: pipe-write p one, pipe-write p two
    --
    C pipe-write p one = 3  | A B C
    B pipe-read p = one     | B C
    C pipe-write p two = 3  | A B C
    A pipe-read p = two
  )");
}

TEST(Pipe, AClosedOneHasNothingMore) {
  play(R"(
    A: pipe-read p
    B: pipe-close p
    --
    B pipe-close p = 0  | A B
    A pipe-read p = 0
  )");
}

// Whoever writes there tells nobody.
TEST(Pipe, WhatComesFromOutsideIsNoticedWhenNobodyCanRun) {
  play(R"(
    A: pipe-read p
    B: yield, outside-writes p hello
    --
    B yield, outside-writes p hello  | B
    B ends                           | nobody
    A pipe-read p = hello
  )");
}

TEST(Pipe, NobodyWhoCouldWriteIsADeadlock) {
  play(R"(
    A: pipe-read p
    B: yield
    --
    B yield
    B ends  | nobody
    deadlock: A io
  )");
}

TEST(Pipe, ASignalInterruptsARead) {
  play(R"(
    A: handle USR1 handler, pipe-read p
    handler: set x 1
    B: kill A USR1
    --
    A starts, handle USR1 handler = 0
    B kill A USR1 = 0         | A B
    A pipe-read p = EINTR
  )");
}

TEST(Pipe, AReadIsACancellationPoint) {
  play(R"(
    A: pipe-read p
    B: cancel A
    --
    B cancel A = 0      | A B
    A pipe-read p left
  )");
}

TEST(Poll, WaitsForADescriptorOrItsTime) {
  play(R"(
    A: poll p 5ms, poll p
    B: sleep 9ms, pipe-write p x
    --
    at 5ms
    A poll p 5ms = 0
    at 9ms
    B sleep 9ms = 0
    B pipe-write p x = 1  | A B
    A poll p = 1
  )");
}

// -- events of race tests ---------------------------------------------------------------------------------------------

TEST(Event, AWaitEndsWithTheNotification) {
  play(R"(
    A: wait-event e
    B: notify-event d, notify-event e
    --
    B notify-event d  | B
    B notify-event e  | A B
    A wait-event e
  )");
}

TEST(Event, OnceNotifiedItStaysSo) {
  play(R"(
    A: notify-event e
    B: yield, wait-event e, wait-event e
    --
    A notify-event e
    B yield           | A B
    B wait-event e    | A B
    B wait-event e
  )");
}

TEST(Event, OneThatNobodyNotifiesIsADeadlock) {
  play(R"(
    A: yield, wait-event e
    --
    A yield
    deadlock: test test waits for "e" at here, which was never notified
  )");
}

// -- what a program asks Ravel ----------------------------------------------------------------------------------------

TEST(Choose, IsAnsweredByTheStrategy) {
  play(R"(
    A: yield, choose 3, yield, choose 3
    B: yield
    --
    A(choose 2) yield, choose 3 = 2
    A yield, choose 3 = 0
  )");
}

TEST(Random, NumbersFollowFromTheSeedOfTheLaunch) {
  play(R"(
    A: random, yield
    B: yield, random
    --
    A starts, random = 2433363436
    B yield, random = 3203108257
  )");
}

}  // namespace
}  // namespace ravel::test
