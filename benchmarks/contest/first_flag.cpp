// SPDX-License-Identifier: Apache-2.0
// ConTest, first experiment. Three threads ask whether they are the first; one of them may be.
// Shown by: a switch between the question and the answer, so that two of them are.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> first{true};
static std::atomic<int> winners{0};

static void run() {
  if (first) {
    first = false;
    ++winners;
  }
}

int main() {
  std::thread one(run);
  std::thread two(run);
  std::thread three(run);
  one.join();
  two.join();
  three.join();
  assert(winners == 1);
}
