// SPDX-License-Identifier: Apache-2.0
// moodycamel::ConcurrentQueue: any number of producers and consumers, with and without tokens, single and in bulk.
#include "variants.h"

#include <concurrentqueue/blockingconcurrentqueue.h>
#include <concurrentqueue/concurrentqueue.h>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <memory>
#include <thread>

// What went in comes out once: the sum of all values is that of what was put in. The values are owned by plain
// pointers, so that the queue is what orders the write of a value before its read.
static void implicit_producers() {
  moodycamel::ConcurrentQueue<std::unique_ptr<int>> queue;
  std::atomic<int> sum{0};
  std::atomic<int> taken{0};
  auto produce = [&](int first) {
    for (int i = 0; i < 2; ++i) queue.enqueue(std::make_unique<int>(first + i));
  };
  auto consume = [&] {
    while (taken.load() < 4) {
      std::unique_ptr<int> value;
      if (queue.try_dequeue(value)) {
        sum += *value;
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

static void tokens_and_bulk() {
  moodycamel::ConcurrentQueue<int> queue;
  std::atomic<int> sum{0};
  std::atomic<int> taken{0};
  auto produce = [&](int first) {
    moodycamel::ProducerToken token(queue);
    int values[2] = {first, first + 1};
    queue.enqueue_bulk(token, values, 2);
    queue.enqueue(token, first + 2);
  };
  auto consume = [&] {
    moodycamel::ConsumerToken token(queue);
    while (taken.load() < 6) {
      int values[2];
      std::size_t count = queue.try_dequeue_bulk(token, values, 2);
      for (std::size_t i = 0; i < count; ++i) sum += values[i];
      taken += static_cast<int>(count);
      if (count == 0) std::this_thread::yield();
    }
  };
  std::thread one(produce, 1);
  std::thread two(produce, 10);
  std::thread three(consume);
  consume();
  one.join();
  two.join();
  three.join();
  assert(sum == 1 + 2 + 3 + 10 + 11 + 12);
}

static void blocking() {
  moodycamel::BlockingConcurrentQueue<int> queue;
  std::atomic<int> sum{0};
  auto produce = [&](int first) {
    queue.enqueue(first);
    queue.enqueue(first + 1);
  };
  auto consume = [&] {
    for (int i = 0; i < 2; ++i) {
      int value = 0;
      queue.wait_dequeue(value);
      sum += value;
    }
  };
  std::thread one(produce, 1);
  std::thread two(consume);
  std::thread three(consume);
  produce(10);
  one.join();
  two.join();
  three.join();
  assert(sum == 1 + 2 + 10 + 11);
}

int main(int count, char** arguments) {
  return run_variant(count, arguments,
                     {{"implicit", implicit_producers}, {"tokens", tokens_and_bulk}, {"blocking", blocking}});
}
