// SPDX-License-Identifier: Apache-2.0
// atomic_queue: fixed rings for several producers and consumers, and its spin locks.
#include "variants.h"

#include <atomic_queue/atomic_queue.h>
#include <atomic_queue/spinlock.h>
#include <atomic>
#include <cassert>
#include <string>
#include <thread>

template <typename Push, typename Pop>
static void exchange(Push push, Pop pop) {
  std::atomic<unsigned> sum{0};
  auto produce = [&](unsigned first) {
    push(first);
    push(first + 1);
  };
  auto consume = [&] {
    for (int i = 0; i < 2; ++i) sum += pop();
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

static void of_atoms() {
  atomic_queue::AtomicQueue<unsigned, 2> queue;
  exchange(
      [&](unsigned value) {
        while (!queue.try_push(value)) std::this_thread::yield();
      },
      [&] {
        unsigned value = 0;
        while (!queue.try_pop(value)) std::this_thread::yield();
        return value;
      });
}

static void waiting() {
  atomic_queue::AtomicQueue<unsigned, 2> queue;
  exchange([&](unsigned value) { queue.push(value); }, [&] { return queue.pop(); });
}

static void of_objects() {
  atomic_queue::AtomicQueueB2<std::string> queue(2);
  exchange(
      [&](unsigned value) {
        while (!queue.try_push(std::string(value, 'x'))) std::this_thread::yield();
      },
      [&] {
        std::string value;
        while (!queue.try_pop(value)) std::this_thread::yield();
        return static_cast<unsigned>(value.size());
      });
}

template <typename Lock>
static void guarded() {
  Lock lock;
  int count = 0;
  auto work = [&] {
    for (int i = 0; i < 2; ++i) {
      typename Lock::scoped_lock guard(lock);
      count += 1;
    }
  };
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
  assert(count == 4);
}

int main(int count, char** arguments) {
  return run_variant(count, arguments,
                     {{"atoms", of_atoms},
                      {"waiting", waiting},
                      {"objects", of_objects},
                      {"spinlock", guarded<atomic_queue::Spinlock>},
                      {"ticket_lock", guarded<atomic_queue::TicketSpinlock>}});
}
