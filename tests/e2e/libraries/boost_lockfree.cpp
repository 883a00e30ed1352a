// SPDX-License-Identifier: Apache-2.0
// Boost.Lockfree: queue and stack, nodes from the heap or from a fixed array, and the ring.
//
// Used by one producer and one consumer nothing may be found. With several of either, queue and stack have data races
// by the rules of C++ ([intro.races]), harmless as their authors mean them to be: a slow pop or allocation reads the
// link of a node (atomically or plainly) which another task has freed already, and which is being written plainly as a
// node of the free list (fixed_size_freelist, freelist_stack) or as the next element. The tag makes the late
// compare-exchange fail, but the read has been done.
#include "variants.h"

#include <atomic>
#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/spsc_queue.hpp>
#include <boost/lockfree/stack.hpp>
#include <cassert>
#include <cstddef>
#include <string>
#include <thread>

template <typename Container>
static void produce(Container& container, int first, int count) {
  for (int i = 0; i < count; ++i) {
    while (!container.push(first + i)) std::this_thread::yield();
  }
}

template <typename Container>
static void one_of_each(Container& container) {
  std::thread producer([&] { produce(container, 1, 4); });
  int sum = 0;
  for (int taken = 0; taken < 4;) {
    int value = 0;
    if (container.pop(value)) {
      sum += value;
      taken += 1;
    } else {
      std::this_thread::yield();
    }
  }
  producer.join();
  assert(sum == 1 + 2 + 3 + 4);
}

template <typename Container>
static void two_of_each(Container& container) {
  std::atomic<int> sum{0};
  std::atomic<int> taken{0};
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
  std::thread one([&] { produce(container, 1, 2); });
  std::thread two([&] { produce(container, 10, 2); });
  std::thread three(consume);
  consume();
  one.join();
  two.join();
  three.join();
  assert(sum == 1 + 2 + 10 + 11);
}

using Queue = boost::lockfree::queue<int>;
using Stack = boost::lockfree::stack<int>;
using FixedQueue = boost::lockfree::queue<int, boost::lockfree::capacity<2>>;
using FixedStack = boost::lockfree::stack<int, boost::lockfree::capacity<2>>;

template <typename Container, void (*use)(Container&)>
static void growing() {
  Container container(1);
  use(container);
}

template <typename Container, void (*use)(Container&)>
static void fixed() {
  Container container;
  use(container);
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
                     {{"queue", growing<Queue, one_of_each>},
                      {"stack", growing<Stack, one_of_each>},
                      {"fixed_queue", fixed<FixedQueue, one_of_each>},
                      {"fixed_stack", fixed<FixedStack, one_of_each>},
                      {"queue_by_several", growing<Queue, two_of_each>},
                      {"stack_by_several", growing<Stack, two_of_each>},
                      {"fixed_queue_by_several", fixed<FixedQueue, two_of_each>},
                      {"fixed_stack_by_several", fixed<FixedStack, two_of_each>},
                      {"single", single}});
}
