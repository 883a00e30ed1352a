// SPDX-License-Identifier: Apache-2.0
// ConTest, second experiment. Threads move money between accounts, main adds the accounts up while they do: no money
// may appear or vanish. Every single change is atomic, a move is not.
// Shown by: check_sum() between the two halves of a move, or a move between two accounts that check_sum() reads.
//
//   move_money         threads do nothing but move money
//   move_money busy    before every move and every check comes much work on memory of the thread's own, as in a real
//                      program, so that the critical places are a tiny part of the run
#include <array>
#include <atomic>
#include <cassert>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

constexpr int kAccounts = 10;
constexpr int kOpening = 100;
constexpr int kThreads = 8;
constexpr int kMoves = 8;
constexpr int kChecks = 8;

static std::array<std::atomic<int>, kAccounts> accounts;

static void work(int rounds) {
  [[maybe_unused]] volatile int scratch = 0;
  for (int i = 0; i < rounds; ++i) scratch = i;
}

static void move_money(unsigned seed, int rounds) {
  std::minstd_rand random(seed);
  for (int i = 0; i < kMoves; ++i) {
    const unsigned from = random() % kAccounts;
    const unsigned to = (from + 1 + random() % (kAccounts - 1)) % kAccounts;
    const int amount = 1 + static_cast<int>(random() % kOpening);
    work(rounds);
    accounts[to].fetch_add(amount, std::memory_order_relaxed);
    accounts[from].fetch_sub(amount, std::memory_order_relaxed);
  }
}

static int check_sum() {
  int sum = 0;
  for (const std::atomic<int>& account : accounts) sum += account.load(std::memory_order_relaxed);
  return sum;
}

int main(int argc, char** argv) {
  const bool busy = argc > 1 && std::strcmp(argv[1], "busy") == 0;
  const int rounds = busy ? 600'000 : 0;
  for (std::atomic<int>& account : accounts) account = kOpening;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kThreads; ++i) threads.emplace_back(move_money, i + 1, rounds);
  for (int i = 0; i < kChecks; ++i) {
    work(rounds);
    assert(check_sum() == kAccounts * kOpening);
  }
  for (std::thread& thread : threads) thread.join();
  assert(check_sum() == kAccounts * kOpening);
}
