// SPDX-License-Identifier: Apache-2.0
// ConTest, fourth experiment. Threads create each other, ten in a row. A new thread finds its parameter in a table,
// under its own id; its creator puts it there when it knows the id, which is after the start.
// Shown by: a new thread that looks before its creator has come to it.
#include <cassert>
#include <chrono>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>

class ParameterTable {
 public:
  void put(std::thread::id thread, int parameter) {
    std::lock_guard lock(mutex_);
    parameters_[thread] = parameter;
  }

  std::optional<int> take(std::thread::id thread) {
    std::lock_guard lock(mutex_);
    const auto found = parameters_.find(thread);
    if (found == parameters_.end()) return std::nullopt;
    const int parameter = found->second;
    parameters_.erase(found);
    return parameter;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::thread::id, int> parameters_;
};

static ParameterTable table;

static void start_next(int remaining);

// A thread that opens a file or a connection first gives its processor away. Without that, a kernel that lets a new
// thread run at once shows the fault in nearly every run, with no tool at all.
static void set_up() { std::this_thread::sleep_for(std::chrono::microseconds(100)); }

static void run() {
  set_up();
  const std::optional<int> remaining = table.take(std::this_thread::get_id());
  assert(remaining.has_value());
  start_next(*remaining);
}

static void start_next(int remaining) {
  if (remaining == 0) return;
  std::thread next(run);
  table.put(next.get_id(), remaining - 1);
  next.join();
}

int main() { start_next(10); }
