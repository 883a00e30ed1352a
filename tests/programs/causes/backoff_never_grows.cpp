// SPDX-License-Identifier: Apache-2.0
// A retry loop multiplies its delay by a factor that is read before it is configured: it stays zero and the loop
// never ends.
// FINDING: timeout
// OPTIONS: --timeout 500ms
#include <atomic>
#include <thread>

struct RetryPolicy {
  std::atomic<int> factor{0};
};

static int rounds_until(int limit, int factor) {
  int rounds = 0;
  int delay = 1;
  while (delay < limit) {
    delay *= factor;
    ++rounds;
  }
  return rounds;
}

int main() {
  RetryPolicy policy;
  int rounds = 0;
  std::thread client([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    rounds = rounds_until(100, policy.factor.load());  // CAUSE: first
  });
  policy.factor.store(2);  // CAUSE: second
  client.join();
  return rounds == 7 ? 0 : 1;
}
