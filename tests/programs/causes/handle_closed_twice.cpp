// SPDX-License-Identifier: Apache-2.0
// Two owners close a handle: each looks whether it is open and then closes it. The handle table aborts on the second.
// FINDING: abort
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

class HandleTable {
 public:
  void close(std::size_t handle) {
    if (!open_[handle].exchange(false)) {
      std::fputs("handle closed twice\n", stderr);
      std::abort();
    }
  }
  bool is_open(std::size_t handle) const { return open_[handle].load(); }

 private:
  std::array<std::atomic<bool>, 4> open_{true, true, true, true};
};

class Stream {
 public:
  explicit Stream(HandleTable& table) : table_(table) {}
  void close() {
    if (closed_.load()) return;  // CAUSE: first
    closed_.store(true);         // CAUSE: second
    table_.close(2);
  }

 private:
  HandleTable& table_;
  std::atomic<bool> closed_{false};
};

int main() {
  HandleTable table;
  Stream stream(table);
  std::thread reader([&] { stream.close(); });
  std::thread writer([&] { stream.close(); });
  reader.join();
  writer.join();
  return table.is_open(2) ? 1 : 0;
}
