// SPDX-License-Identifier: Apache-2.0
// What plain_functions_test.py builds: tests as plain functions, or with PROGRAM a program that is one itself.
#include <ravel/race_test.h>

#include <cstdio>
#include <cstdlib>

namespace {

void say(const char* text) { std::printf("%s\n", text); }

}  // namespace

#ifdef PROGRAM

RAVEL_RACE_PROGRAM(
    other, [] { say("setup of other"); }, nullptr)
RAVEL_RACE_PROGRAM(
    whole, [] { say("setup"); }, [] { say("teardown"); })
RAVEL_RACE_PROGRAM("bare", nullptr, nullptr);

int main(int count, char** words) {
  say(count > 1 ? words[1] : "main");
  // Teardown comes wherever the program exits.
  std::exit(count > 1 ? 3 : 0);
}

#else

namespace {

void setup() { say("setup"); }
void test() { say(ravel_sync_is_running("first") != 0 ? "test, with actions" : "test"); }
void teardown() { say("teardown"); }

}  // namespace

RAVEL_RACE_TEST(first, setup, test, teardown)
RAVEL_RACE_TEST(
    "second", nullptr, [] { say("second"); }, nullptr);
RAVEL_RACE_TEST(
    "with-dashes.1", nullptr, [] { say("third"); }, nullptr)

RAVEL_RACE_TEST_MAIN()

#endif
