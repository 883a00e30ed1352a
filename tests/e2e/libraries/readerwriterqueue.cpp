// SPDX-License-Identifier: Apache-2.0
// moodycamel::ReaderWriterQueue: one producer, one consumer. The queue grows, blocks and goes round.
#include "variants.h"

#include <readerwriterqueue/readerwritercircularbuffer.h>
#include <readerwriterqueue/readerwriterqueue.h>
#include <cassert>
#include <string>
#include <thread>

static constexpr int kCount = 5;

static void polling() {
  moodycamel::ReaderWriterQueue<std::string> queue(1);  // grows by a block at once
  std::thread producer([&] {
    for (int i = 0; i < kCount; ++i) queue.enqueue(std::string(40, static_cast<char>('a' + i)));
  });
  for (int i = 0; i < kCount; ++i) {
    std::string text;
    while (!queue.try_dequeue(text)) std::this_thread::yield();
    assert(text == std::string(40, static_cast<char>('a' + i)));
  }
  producer.join();
  assert(queue.peek() == nullptr);
}

static void blocking() {
  moodycamel::BlockingReaderWriterQueue<int> queue(2);
  std::thread producer([&] {
    for (int i = 0; i < kCount; ++i) queue.enqueue(i);
  });
  for (int i = 0; i < kCount; ++i) {
    int value = -1;
    queue.wait_dequeue(value);
    assert(value == i);
  }
  producer.join();
}

static void circular() {
  moodycamel::BlockingReaderWriterCircularBuffer<int> buffer(2);
  std::thread producer([&] {
    for (int i = 0; i < kCount; ++i) buffer.wait_enqueue(i);
  });
  for (int i = 0; i < kCount; ++i) {
    int value = -1;
    buffer.wait_dequeue(value);
    assert(value == i);
  }
  producer.join();
}

int main(int count, char** arguments) {
  return run_variant(count, arguments, {{"polling", polling}, {"blocking", blocking}, {"circular", circular}});
}
