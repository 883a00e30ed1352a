// SPDX-License-Identifier: Apache-2.0
// A script runtime keeps the thread of a script in a member that is assigned after the thread has begun. The thread
// itself uses the member through the runtime. After a defect of a browser's garbage collector, whose thread began
// before its creator had stored the handle.
// FINDING: signal
#include <atomic>
#include <cassert>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

// A thread with a name and a list of what to run when it ends.
class ScriptThread {
 public:
  ScriptThread(std::string name, std::function<void()> body) : name_(std::move(name)), thread_(std::move(body)) {}
  ~ScriptThread() { thread_.join(); }

  const std::string& name() const { return name_; }
  void at_exit(std::function<void()> action) {
    std::lock_guard lock(mutex_);
    at_exit_.push_back(std::move(action));
  }
  void run_exit_actions() {
    std::vector<std::function<void()>> actions;
    {
      std::lock_guard lock(mutex_);
      actions.swap(at_exit_);
    }
    for (const auto& action : actions) action();
  }

 private:
  const std::string name_;
  std::mutex mutex_;
  std::vector<std::function<void()>> at_exit_;
  std::thread thread_;
};

class ScriptRuntime {
 public:
  ~ScriptRuntime() { delete current_.load(); }

  void start(const std::string& name, std::function<int()> script) {
    auto* const thread = new ScriptThread(name, [this, script = std::move(script)] { run(script); });
    current_.store(thread);  // CAUSE: second
  }

  void wait() {
    delete current_.load();
    current_.store(nullptr);
  }

  int result() const { return result_.load(); }
  bool collected() const { return collected_.load(); }

 private:
  void run(const std::function<int()>& script) {
    result_.store(script());
    ScriptThread* const self = current_.load();  // CAUSE: first
    self->at_exit([this] { collected_.store(true); });
    self->run_exit_actions();
  }

  std::atomic<ScriptThread*> current_{nullptr};
  std::atomic<int> result_{0};
  std::atomic<bool> collected_{false};
};

int main() {
  ScriptRuntime runtime;
  runtime.start("sum", [] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // it reads a file
    return 42;
  });
  runtime.wait();
  assert(runtime.result() == 42);
  assert(runtime.collected());
}
