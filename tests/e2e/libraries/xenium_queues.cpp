// SPDX-License-Identifier: Apache-2.0
// The queues of xenium, used by two producers and two consumers, over hazard pointers and over epochs.
#include "variants.h"

#include <atomic>
#include <cassert>
#include <memory>
#include <thread>
#include <xenium/kirsch_bounded_kfifo_queue.hpp>
#include <xenium/kirsch_kfifo_queue.hpp>
#include <xenium/michael_scott_queue.hpp>
#include <xenium/ramalhete_queue.hpp>
#include <xenium/reclamation/generic_epoch_based.hpp>
#include <xenium/reclamation/hazard_pointer.hpp>
#include <xenium/vyukov_bounded_queue.hpp>

using Hazard = xenium::policy::reclaimer<xenium::reclamation::hazard_pointer<>>;
using Epoch = xenium::policy::reclaimer<xenium::reclamation::new_epoch_based<>>;
using Value = std::unique_ptr<int>;

template <typename Push, typename Pop>
static void exchange(Push push, Pop pop) {
  std::atomic<int> sum{0};
  std::atomic<int> taken{0};
  auto produce = [&](int first) {
    push(first);
    push(first + 1);
  };
  auto consume = [&] {
    while (taken.load() < 4) {
      int value = 0;
      if (pop(value)) {
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

template <typename Queue>
static void of_values() {
  Queue queue;
  exchange([&](int value) { queue.push(value); }, [&](int& value) { return queue.try_pop(value); });
}

template <typename Queue>
static void of_pointers(Queue& queue) {
  exchange([&](int value) { queue.push(std::make_unique<int>(value)); },
           [&](int& value) {
             Value taken;
             if (!queue.try_pop(taken)) return false;
             value = *taken;
             return true;
           });
}

template <typename Reclaimer>
using Ramalhete =
    xenium::ramalhete_queue<int*, Reclaimer, xenium::policy::entries_per_node<2>, xenium::policy::pop_retries<2>>;

template <typename Reclaimer>
static void ramalhete() {
  int values[12] = {};
  Ramalhete<Reclaimer> queue;
  exchange(
      [&](int value) {
        values[value] = value;
        queue.push(&values[value]);
      },
      [&](int& value) {
        int* taken = nullptr;
        if (!queue.try_pop(taken)) return false;
        value = *taken;
        return true;
      });
}

// A defect of xenium 0.0.2: the destructor of a node deletes the values between pop_idx and push_idx, and both run past
// the end of the node (several producers may find it full, push_idx counts each). Values that were popped long ago are
// deleted again: each of them has one owner, who has destroyed it ([basic.stc.dynamic.deallocation]).
static void ramalhete_owning() {
  xenium::ramalhete_queue<Value, Hazard, xenium::policy::entries_per_node<2>, xenium::policy::pop_retries<2>> queue;
  of_pointers(queue);
}

template <typename Queue>
static void push_into(Queue& queue, Value value) {
  if constexpr (requires { queue.try_push(std::move(value)); }) {
    bool pushed = queue.try_push(std::move(value));
    assert(pushed);  // there is room for all
  } else {
    queue.push(std::move(value));
  }
}

// Nobody waits for a value: what is still there when the tasks have ended is taken by the last.
template <typename Queue>
static void drain(Queue& queue) {
  std::atomic<int> sum{0};
  auto produce = [&](int first) {
    for (int value = first; value < first + 2; ++value) push_into(queue, std::make_unique<int>(value));
  };
  auto take = [&] {
    Value taken;
    if (!queue.try_pop(taken)) return false;
    sum += *taken;
    return true;
  };
  std::thread one(produce, 1);
  std::thread two(produce, 10);
  std::thread three([&] {
    take();
    take();
  });
  take();
  one.join();
  two.join();
  three.join();
  while (take()) {
  }
  assert(sum == 1 + 2 + 10 + 11);
}

// A defect of xenium 0.0.2: the queue loses values, as the memory orders it uses allow it (with --memory-model sc it is
// clean). Who pushes a value into the oldest segment stores it (2, release) and then keeps others from leaving that
// segment behind by a compare-exchange of head_ that raises its mark; who pops must see the value once it sees the
// mark. But that compare-exchange, in committed(), is relaxed: a load of head_ that reads it learns nothing of the
// store before it, so the loads in find_index() may still return what the segment held before ([intro.races]/18: the
// store does not happen before them). The segment is taken for empty, head_ has the mark that was seen, so moving it on
// succeeds, and the segment is reclaimed with the value in it: an assertion of the library says so in ~segment().
//
// It breaks in one more, rarer, way: try_pop() notices by a relaxed load that tail_ has moved on, so in advance_head()
// (7) may read the old null of `next` and (8) the new segment: head_ becomes null, and is followed.
static void kfifo() {
  xenium::kirsch_kfifo_queue<Value, Hazard> queue(2);
  drain(queue);
}

// Another: this queue loses values under --memory-model sc, too. committed() reads tail_ and head_ one after the other:
//
//   C   try_pop: finds segment 0 empty
//   P   try_push: stores its value in segment 0; committed: reads tail_ = 0
//   D   moves tail_ on, to segment 1
//   C   moves head_ on, to segment 1: nobody has changed it
//   P   reads head_ = segment 1, and takes "tail 0, head 1" for a queue that has wrapped around: segment 0 is valid
//
// The value lies behind head_.
static void bounded_kfifo() {
  xenium::kirsch_bounded_kfifo_queue<Value> queue(2, 4);
  drain(queue);
}

static void vyukov() {
  xenium::vyukov_bounded_queue<int> queue(2);
  exchange(
      [&](int value) {
        while (!queue.try_push(value)) std::this_thread::yield();
      },
      [&](int& value) { return queue.try_pop(value); });
}

int main(int count, char** arguments) {
  return run_variant(count, arguments,
                     {{"michael_scott_hazard", of_values<xenium::michael_scott_queue<int, Hazard>>},
                      {"michael_scott_epoch", of_values<xenium::michael_scott_queue<int, Epoch>>},
                      {"ramalhete_hazard", ramalhete<Hazard>},
                      {"ramalhete_epoch", ramalhete<Epoch>},
                      {"ramalhete_owning", ramalhete_owning},
                      {"kfifo", kfifo},
                      {"bounded_kfifo", bounded_kfifo},
                      {"vyukov", vyukov}});
}
