// SPDX-License-Identifier: Apache-2.0
// A bug that needs five preemptions. A valve goes through three states, and a poller looks three times; only a poller
// that catches each of the three states in its turn takes the branch that is wrong.
// Shown by: state, look, state, look, state, look; the two threads alternate, with noise of their own between.
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  std::atomic<int> state{0};
  std::atomic<int> moves{0};
  std::atomic<int> looks{0};
  std::thread valve([&] {
    for (int next = 1; next <= 3; ++next) {
      moves.fetch_add(1);
      state.store(next);
      moves.fetch_add(1);
    }
    state.store(0);
  });
  std::thread poller([&] {
    int caught = 0;
    for (int look = 1; look <= 3; ++look) {
      looks.fetch_add(1);
      caught += state.load() == look ? 1 : 0;
      looks.fetch_add(1);
    }
    assert(caught < 3);
  });
  valve.join();
  poller.join();
}
