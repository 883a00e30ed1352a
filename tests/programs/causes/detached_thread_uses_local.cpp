// SPDX-License-Identifier: Apache-2.0
// A detached thread adds to a total that its function's caller has freed when it did not wait long enough.
// FINDING: use-after-free
#include <atomic>
#include <memory>
#include <thread>

struct Progress {
  std::atomic<int> done{0};
};

static void begin_upload(Progress* progress, std::atomic<bool>& ended) {
  std::thread([progress, &ended] {
    progress->done.fetch_add(1);  // CAUSE: second
    ended.store(true);
  }).detach();
}

int main() {
  std::atomic<bool> ended{false};
  {
    auto progress = std::make_unique<Progress>();
    begin_upload(progress.get(), ended);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }  // CAUSE: first
  while (!ended.load()) std::this_thread::yield();
}
