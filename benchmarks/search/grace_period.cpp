// SPDX-License-Identifier: Apache-2.0
// Grace period that is counted too early. The updater waits for the readers it saw, but looks before it unlinks.
// Shown by: a reader enters and picks up the old version after the updater's look and before the new one is linked.
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  std::array<std::atomic<bool>, 2> alive{true, true};
  std::atomic<int> version{0};
  std::atomic<int> readers{0};
  auto read = [&] {
    readers.fetch_add(1);
    const int mine = version.load();
    assert(alive[mine].load());
    readers.fetch_sub(1);
  };
  std::thread updater([&] {
    if (readers.load() == 0) {
      version.store(1);
      alive[0].store(false);
    }
  });
  std::thread first([&] {
    read();
    read();
  });
  std::thread second(read);
  updater.join();
  first.join();
  second.join();
}
