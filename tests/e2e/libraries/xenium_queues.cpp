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

static void kfifo() {
  xenium::kirsch_kfifo_queue<Value, Hazard> queue(2);
  of_pointers(queue);
}

static void bounded_kfifo() {
  xenium::kirsch_bounded_kfifo_queue<Value> queue(2, 4);
  exchange(
      [&](int value) {
        while (!queue.try_push(std::make_unique<int>(value))) std::this_thread::yield();
      },
      [&](int& value) {
        Value taken;
        if (!queue.try_pop(taken)) return false;
        value = *taken;
        return true;
      });
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
