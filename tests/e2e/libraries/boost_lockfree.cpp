// SPDX-License-Identifier: Apache-2.0
// Boost.Lockfree: queue and stack for several producers and consumers, nodes from the heap or from a fixed array, and
// the ring for one of each.
#include "variants.h"

#include <atomic>
#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/spsc_queue.hpp>
#include <boost/lockfree/stack.hpp>
#include <cassert>
#include <string>
#include <thread>

template <typename Container>
static void exchange(Container& container) {
  std::atomic<int> sum{0};
  std::atomic<int> taken{0};
  auto produce = [&](int first) {
    for (int i = 0; i < 2; ++i) {
      while (!container.push(first + i)) std::this_thread::yield();
    }
  };
  auto consume = [&] {
    while (taken.load() < 4) {
      int value = 0;
      if (container.pop(value)) {
        sum += value;
        taken += 1;
      } else {
        std::this_thread::yield();
      }
    }
  };
  std::thread one(produce, 1);
  std::thread two(produce, 10);
  std::thread three(consume);
  consume();
  one.join();
  two.join();
  three.join();
  assert(sum == 1 + 2 + 10 + 11);
}

static void queue() {
  boost::lockfree::queue<int> container(1);
  exchange(container);
}

static void fixed_queue() {
  boost::lockfree::queue<int, boost::lockfree::capacity<2>> container;
  exchange(container);
}

static void stack() {
  boost::lockfree::stack<int> container(1);
  exchange(container);
}

static void fixed_stack() {
  boost::lockfree::stack<int, boost::lockfree::capacity<2>> container;
  exchange(container);
}

static void single() {
  boost::lockfree::spsc_queue<std::string, boost::lockfree::capacity<2>> ring;
  std::thread producer([&] {
    for (std::size_t i = 1; i <= 4; ++i) {
      while (!ring.push(std::string(20 * i, 'x'))) std::this_thread::yield();
    }
  });
  for (std::size_t i = 1; i <= 4; ++i) {
    std::string text;
    while (!ring.pop(text)) std::this_thread::yield();
    assert(text.size() == 20 * i);
  }
  producer.join();
}

int main(int count, char** arguments) {
  return run_variant(count, arguments,
                     {{"queue", queue},
                      {"fixed_queue", fixed_queue},
                      {"stack", stack},
                      {"fixed_stack", fixed_stack},
                      {"single", single}});
}
