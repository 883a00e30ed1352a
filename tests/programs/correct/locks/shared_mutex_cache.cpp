// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// A cache under std::shared_mutex: look up shared, and on a miss take the exclusive lock and look again.
#include <cassert>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

static std::shared_mutex cache_mutex;
static std::map<int, int> cache;
static int computed = 0;

static int square(int n) {
  {
    std::shared_lock lock(cache_mutex);
    if (auto found = cache.find(n); found != cache.end()) return found->second;
  }
  std::unique_lock lock(cache_mutex);
  auto [place, fresh] = cache.try_emplace(n, n * n);
  if (fresh) ++computed;
  return place->second;
}

int main() {
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([] {
      assert(square(3) == 9);
      assert(square(4) == 16);
    });
  }
  for (auto& reader : readers) reader.join();
  assert(computed == 2);
}
