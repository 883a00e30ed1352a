// SPDX-License-Identifier: Apache-2.0
// A container is one object: what puts something in may be what a look at any element sees.
#include <cstdio>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

std::mutex lock;
std::vector<int> list;     // [empty]
std::map<int, int> table;  // [blank]

int main() {
  std::thread writes([] {
    std::lock_guard<std::mutex> guard(lock);
    list.push_back(1);  // list = empty  [pushed]
    table[1] = 2;       // table = blank  [entered]
  });
  std::thread reads([] {
    std::lock_guard<std::mutex> guard(lock);
    if (list.empty()) return;    // list = π empty pushed
    std::printf("%d\n", list[0]  // list[] = π empty pushed; list = π empty pushed
    );
    std::printf("%zu\n", table.size());  // table = π blank entered
  });
  writes.join();
  reads.join();
}
