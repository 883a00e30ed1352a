// SPDX-License-Identifier: Apache-2.0
// An iterator is kept over a gap in the lock; the other thread erases the node it points to.
// FINDING: use-after-free
#include <map>
#include <mutex>
#include <string>
#include <thread>

class Clipboard {
 public:
  void put(int slot, std::string text) {
    std::lock_guard lock(mutex_);
    slots_[slot] = std::move(text);
  }
  std::size_t length(int slot) {
    std::map<int, std::string>::iterator found;
    {
      std::lock_guard lock(mutex_);
      found = slots_.find(slot);  // CAUSE: first
      if (found == slots_.end()) return 0;
    }
    std::lock_guard lock(mutex_);
    return found->second.size();  // CAUSE: second
  }
  void clear() {
    std::lock_guard lock(mutex_);
    slots_.clear();  // CAUSE: first, second
  }

 private:
  std::mutex mutex_;
  std::map<int, std::string> slots_;
};

int main() {
  Clipboard clipboard;
  clipboard.put(1, "text");
  std::thread reader([&] { clipboard.length(1); });
  std::thread cleaner([&] { clipboard.clear(); });
  reader.join();
  cleaner.join();
}
