// SPDX-License-Identifier: Apache-2.0
// Two-stage update under two locks, N threads. Writers set the order under one lock and the invoice under another one.
// Shown by: the auditor comes after some writer's first stage and before every writer's second stage.
// SIZES: 2 10 30 100
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

int main(int, char** arguments) {
  const int count = std::atoi(arguments[1]);
  std::mutex order_mutex;
  std::mutex invoice_mutex;
  int order = 0;
  int invoice = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i + 1 < count; ++i) {
    threads.emplace_back([&] {
      int placed = 0;
      {
        std::lock_guard lock(order_mutex);
        order = 7;
        placed = order;
      }
      std::lock_guard lock(invoice_mutex);
      invoice = placed;
    });
  }
  threads.emplace_back([&] {
    int placed = 0;
    {
      std::lock_guard lock(order_mutex);
      placed = order;
    }
    if (placed != 0) {
      std::lock_guard lock(invoice_mutex);
      assert(invoice == placed);
    }
  });
  for (auto& thread : threads) {
    thread.join();
  }
}
