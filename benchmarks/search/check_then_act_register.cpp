// SPDX-License-Identifier: Apache-2.0
// Check-then-act among many. Users look for a free name, then register it; the registry is locked for each step only.
// Shown by: two of the users who want the same name look before either registers; the other users are noise.
#include <cassert>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

class Registry {
 public:
  bool is_free(int name) {
    std::lock_guard lock(mutex_);
    return !users_.contains(name);
  }

  void add(int name, int user) {
    std::lock_guard lock(mutex_);
    const bool added = users_.emplace(name, user).second;
    assert(added);
  }

 private:
  std::mutex mutex_;
  std::map<int, int> users_;
};

int main() {
  Registry registry;
  std::vector<std::thread> threads;
  for (int user = 0; user < 6; ++user) {
    threads.emplace_back([&registry, user] {
      const int name = user == 5 ? 0 : user;  // the last one wants what the first one wants
      if (registry.is_free(name)) {
        registry.add(name, user);
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
}
