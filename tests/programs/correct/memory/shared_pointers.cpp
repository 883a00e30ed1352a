// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Shared ownership: the last owner, whichever task it is, destroys the object exactly once.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>
#include <vector>

static std::atomic<int> destroyed{0};

struct Resource {
  int value = 3;
  ~Resource() { destroyed.fetch_add(1); }
};

int main() {
  {
    auto resource = std::make_shared<Resource>();
    std::weak_ptr<Resource> weak = resource;
    std::vector<std::thread> tasks;
    for (int i = 0; i < 2; ++i) {
      tasks.emplace_back([copy = resource] { assert(copy->value == 3); });
    }
    tasks.emplace_back([weak] {
      if (auto alive = weak.lock()) assert(alive->value == 3);
    });
    resource.reset();
    for (auto& task : tasks) task.join();
    assert(weak.expired());
  }
  assert(destroyed.load() == 1);
}
