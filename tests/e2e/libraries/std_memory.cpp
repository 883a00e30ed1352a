// SPDX-License-Identifier: Apache-2.0
// The standard library: shared and weak pointers, their atomic functions, the synchronised pool resource.
#include "variants.h"

#include <atomic>
#include <cassert>
#include <memory>
#include <memory_resource>
#include <string>
#include <thread>
#include <vector>

static void shared_pointers() {
  auto value = std::make_shared<std::string>("a text that is too long for a small buffer");
  std::weak_ptr<std::string> observer = value;
  auto use = [](std::shared_ptr<std::string> mine) {
    std::shared_ptr<std::string> another = mine;
    mine.reset();
    assert(another->size() == 42);
  };
  std::thread one(use, value);
  std::thread two(use, value);
  std::thread three([observer] {
    if (std::shared_ptr<std::string> mine = observer.lock()) assert(mine->front() == 'a');
  });
  value.reset();
  one.join();
  two.join();
  three.join();
  assert(observer.expired());
}

static void atomic_functions() {
  auto current = std::make_shared<int>(0);
  auto increment = [&current] {
    std::shared_ptr<int> old = std::atomic_load(&current);
    std::shared_ptr<int> next = std::make_shared<int>(*old + 1);
    while (!std::atomic_compare_exchange_strong(&current, &old, next)) next = std::make_shared<int>(*old + 1);
  };
  std::thread one(increment);
  std::thread two(increment);
  assert(*std::atomic_load(&current) <= 2);
  one.join();
  two.join();
  assert(*current == 2);
}

static void pool_resource() {
  std::pmr::synchronized_pool_resource pool;
  auto work = [&pool](char mark) {
    std::pmr::vector<std::pmr::string> texts(&pool);
    for (int i = 0; i < 3; ++i) texts.emplace_back(40, mark);
    for (const std::pmr::string& text : texts) assert(text.back() == mark);
  };
  std::thread one(work, 'a');
  std::thread two(work, 'b');
  one.join();
  two.join();
}

// Memory of the pool that one task took and another gives back.
static void pool_across() {
  std::pmr::synchronized_pool_resource pool;
  std::atomic<int*> handed{nullptr};
  std::thread giver([&] {
    int* block = static_cast<int*>(pool.allocate(sizeof(int), alignof(int)));
    *block = 42;
    handed.store(block, std::memory_order_release);
  });
  std::thread taker([&] {
    int* block = nullptr;
    while ((block = handed.load(std::memory_order_acquire)) == nullptr) std::this_thread::yield();
    assert(*block == 42);
    pool.deallocate(block, sizeof(int), alignof(int));
  });
  giver.join();
  taker.join();
}

int main(int count, char** arguments) {
  return run_variant(count, arguments,
                     {{"shared_pointers", shared_pointers},
                      {"atomic_functions", atomic_functions},
                      {"pool_resource", pool_resource},
                      {"pool_across", pool_across}});
}
