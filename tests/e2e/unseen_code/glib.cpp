// SPDX-License-Identifier: Apache-2.0
// GLib: a mutex and a queue, which have atomics of their own before they wait.
#include <glib.h>

#include <cassert>
#include <thread>

#include "racing.h"

namespace {

GMutex mutex;
int shared = 0;

struct Item {
  int value;
};

void add(int amount) {
  g_mutex_lock(&mutex);
  shared += amount;
  g_mutex_unlock(&mutex);
}

}  // namespace

int main(int argument_count, char**) {
  racing = argument_count > 1;
  GAsyncQueue* const queue = g_async_queue_new();
  std::thread producer([queue] {
    for (int i = 1; i <= 2; ++i) {
      g_async_queue_push(queue, new Item{i});
      add(1);
      visit();
    }
  });
  for (int i = 1; i <= 2; ++i) {
    auto* const item = static_cast<Item*>(g_async_queue_pop(queue));
    visit();
    add(item->value);
    delete item;
  }
  producer.join();
  assert(shared == 5);
  g_async_queue_unref(queue);
}
