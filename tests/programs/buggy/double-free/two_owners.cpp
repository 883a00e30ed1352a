// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: double-free
// Two unique_ptr are made from one pointer when both tasks find the work still unclaimed; each frees it at the end.
#include <atomic>
#include <memory>
#include <thread>

static std::atomic<int*> work{nullptr};

static void claim() {
  std::unique_ptr<int> mine(work.load());
  work.store(nullptr);
}

int main() {
  work.store(new int(1));
  std::thread first(claim);
  std::thread second(claim);
  first.join();
  second.join();
}
