// SPDX-License-Identifier: Apache-2.0
// A name is static until somebody renames it, and renaming frees the old one: the second renamer reads the pointer
// before the first has noted that it is from the heap.
// FINDING: bad-free
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>

static char unnamed[] = "unnamed";

class Channel {
 public:
  void rename(const char* name) {
    const bool owned = owned_.exchange(true);        // CAUSE: first, second
    char* const old = name_.exchange(strdup(name));  // CAUSE: first, second
    if (owned) std::free(old);
  }
  ~Channel() {
    if (owned_.load()) std::free(name_.load());
  }

 private:
  std::atomic<char*> name_{unnamed};
  std::atomic<bool> owned_{false};
};

int main() {
  Channel channel;
  std::thread one([&] { channel.rename("news"); });
  std::thread two([&] { channel.rename("chat"); });
  one.join();
  two.join();
}
