// SPDX-License-Identifier: Apache-2.0
// The worker says that it runs by storing the state that it expects to be true; a stop that came before is
// overwritten, and it runs for ever.
// FINDING: livelock
// OPTIONS: --max-steps 200000
#include <atomic>
#include <thread>

enum class State { idle, running, stopping };

class Engine {
 public:
  void run() {
    state_.store(State::running);  // CAUSE: second
    while (state_.load() != State::stopping) std::this_thread::yield();
  }
  void stop() { state_.store(State::stopping); }  // CAUSE: first

 private:
  std::atomic<State> state_{State::idle};
};

int main() {
  Engine engine;
  std::thread worker([&] { engine.run(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  engine.stop();
  worker.join();
}
