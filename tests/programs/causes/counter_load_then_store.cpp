// SPDX-License-Identifier: Apache-2.0
// A sequence number is taken with a load and a store instead of fetch_add: two requests get the same one.
// FINDING: assertion
#include <atomic>
#include <cassert>
#include <thread>

class Sequence {
 public:
  int next() {
    const int number = last_.load() + 1;  // CAUSE: first
    last_.store(number);                  // CAUSE: second
    return number;
  }

 private:
  std::atomic<int> last_{0};
};

int main() {
  Sequence sequence;
  int one = 0;
  int two = 0;
  std::thread a([&] { one = sequence.next(); });
  std::thread b([&] { two = sequence.next(); });
  a.join();
  b.join();
  assert(one != two);
}
