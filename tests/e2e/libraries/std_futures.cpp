// SPDX-License-Identifier: Apache-2.0
// The standard library: async, promise, packaged_task, shared_future, exceptions through them, call_once.
#include "variants.h"

#include <cassert>
#include <chrono>
#include <future>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

static void async() {
  std::vector<int> values{1, 2, 3, 4};
  auto sum = [&](std::size_t begin, std::size_t end) {
    int total = 0;
    for (std::size_t i = begin; i < end; ++i) total += values[i];
    return total;
  };
  std::future<int> low = std::async(std::launch::async, sum, 0, 2);
  std::future<int> high = std::async(std::launch::async, sum, 2, 4);
  std::future<int> all = std::async(std::launch::deferred, sum, 0, 4);
  assert(low.get() + high.get() == all.get());
  values.clear();
}

static void promises() {
  std::promise<std::string> text;
  std::promise<void> failing;
  std::shared_future<std::string> shared = text.get_future().share();
  std::future<void> failure = failing.get_future();
  std::packaged_task<std::size_t()> length([shared] { return shared.get().size(); });
  std::future<std::size_t> result = length.get_future();
  std::thread one(std::move(length));
  std::thread two([&text, failing = std::move(failing)]() mutable {
    text.set_value("a text that is too long for a small buffer");
    try {
      throw std::runtime_error("on purpose");
    } catch (...) {
      failing.set_exception(std::current_exception());
    }
  });
  while (shared.wait_for(std::chrono::seconds(1)) != std::future_status::ready) {
  }
  assert(result.get() == shared.get().size());
  bool thrown = false;
  try {
    failure.get();
  } catch (const std::runtime_error& error) {
    thrown = std::string(error.what()) == "on purpose";
  }
  assert(thrown);
  one.join();
  two.join();
}

static void once() {
  std::once_flag flag;
  int attempts = 0;
  std::vector<int> table;
  auto use = [&] {
    std::call_once(flag, [&] {
      attempts += 1;
      table.assign(4, 1);
    });
    assert(table.size() == 4 && attempts == 1);
  };
  std::thread one(use);
  std::thread two(use);
  use();
  one.join();
  two.join();
}

int main(int count, char** arguments) {
  return run_variant(count, arguments, {{"async", async}, {"promises", promises}, {"once", once}});
}
