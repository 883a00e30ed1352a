// SPDX-License-Identifier: Apache-2.0
// A bug that needs exactly N preemptions, buried in hundreds of switches that do not matter: what shrinking has to find
// again. Usage: planted N NOISE
//
// Two tasks move a counter in turn, N + 2 times in all; each looks once for each of its moves and never waits. So
// between two moves of one task the other must get in, which takes a preemption each time; only the last two moves can
// follow each other because the first of the tasks has ended.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

namespace {

int moves = 3;
int noise = 8;
std::atomic<int> counter{0};
std::atomic<int> chatter[4];

// Points to switch at that change nothing that matters.
void chat(int seed) {
  for (int i = 0; i < noise; ++i) chatter[(seed + i) % 4].fetch_add(1);
}

void move(int first) {
  for (int mine = first; mine < moves; mine += 2) {
    chat(mine);
    if (counter.load() == mine) counter.store(mine + 1);
    chat(mine + 1);
  }
}

void bystander(int number) {
  for (int i = 0; i < 3; ++i) chat(number + i);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) moves = std::atoi(argv[1]) + 2;
  if (argc > 2) noise = std::atoi(argv[2]);
  std::thread even(move, 0);
  std::thread odd(move, 1);
  std::thread third(bystander, 0);
  std::thread fourth(bystander, 2);
  even.join();
  odd.join();
  third.join();
  fourth.join();
  assert(counter.load() != moves);
}
