// SPDX-License-Identifier: Apache-2.0
// The supervisor joins its worker only when the worker has said that it has started; when it is slow, its thread
// object is destroyed joinable and the program is terminated.
// FINDING: uncaught-exception, abort
#include <atomic>
#include <thread>

class Supervisor {
 public:
  Supervisor() : worker_([this] { work(); }) {}
  ~Supervisor() {
    if (started_.load()) worker_.join();  // CAUSE: first
  }

 private:
  void work() {
    started_.store(true);  // CAUSE: second
  }

  std::atomic<bool> started_{false};
  std::thread worker_;
};

int main() {
  Supervisor supervisor;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
}
