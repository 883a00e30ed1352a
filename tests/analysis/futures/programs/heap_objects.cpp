// SPDX-License-Identifier: Apache-2.0
// Objects on the heap, with what their constructors write.
#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>

struct State {
  std::mutex mutex;
  std::atomic<bool> ready{false};  // [no]
  int value = 7;                   // [seven]
};

int main() {
  auto state = std::make_shared<State>();  // [made]
  std::thread writes([state] {
    state->value = 8;     // [eight]
    state->ready = true;  // [yes]
  });
  std::thread reads([state] {
    if (state->ready)                     // State::ready = π no yes
      std::printf("%d\n", state->value);  // State::value = eight
    std::printf("%d\n", state->value);    // State::value = π seven eight
  });
  writes.join();
  reads.join();
  State* plain = new State;
  std::thread changes([plain] { plain->value = 9; });  // [nine]
  std::printf("%d\n", plain->value);                   // State::value = π seven nine
  changes.join();
  delete plain;
}
