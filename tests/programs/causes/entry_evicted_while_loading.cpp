// SPDX-License-Identifier: Apache-2.0
// An LRU cache that loads outside its lock. Before it loads, a thread puts an empty entry in place, so that others do
// not load as well; while it loads, others fill the cache and the empty entry is evicted. The load is then stored
// nowhere.
// FINDING: assertion, uncaught-exception
#include <atomic>
#include <cassert>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

class PageCache {
 public:
  using Loader = std::function<std::string(int)>;

  PageCache(std::size_t capacity, Loader loader) : capacity_(capacity), loader_(std::move(loader)) {}

  std::string get(int page) {
    {
      std::lock_guard lock(mutex_);
      if (const auto found = index_.find(page); found != index_.end() && found->second->content) {
        touch(found->second);
        return *found->second->content;
      }
      reserve(page);
    }
    std::string content = loader_(page);
    std::lock_guard lock(mutex_);
    fill(page, content);
    return content;
  }

  bool contains(int page) const {
    std::lock_guard lock(mutex_);
    const auto found = index_.find(page);
    return found != index_.end() && found->second->content.has_value();
  }

  std::size_t size() const {
    std::lock_guard lock(mutex_);
    return entries_.size();
  }

 private:
  struct Entry {
    int page = 0;
    std::optional<std::string> content;
  };
  using Entries = std::list<Entry>;

  void touch(Entries::iterator entry) { entries_.splice(entries_.begin(), entries_, entry); }

  void reserve(int page) {
    if (index_.contains(page)) return;
    while (entries_.size() >= capacity_) evict();
    entries_.push_front({page, std::nullopt});
    index_[page] = entries_.begin();
  }

  void evict() {
    index_.erase(entries_.back().page);  // CAUSE: first
    entries_.pop_back();                 // CAUSE: first
  }

  void fill(int page, const std::string& content) {
    const auto found = index_.find(page);  // CAUSE: second
    if (found == index_.end()) {           // CAUSE: second
      ++dropped_;                          // nothing must be loaded for nothing
      return;
    }
    found->second->content = content;
    touch(found->second);
  }

  const std::size_t capacity_;
  const Loader loader_;
  mutable std::mutex mutex_;
  Entries entries_;  // the most recently used first
  std::map<int, Entries::iterator> index_;
  int dropped_ = 0;

 public:
  int dropped() const {
    std::lock_guard lock(mutex_);
    return dropped_;
  }
};

int main() {
  std::atomic<int> loads{0};
  PageCache cache(2, [&loads](int page) {
    loads.fetch_add(1);
    return "page " + std::to_string(page);
  });
  std::thread reader([&cache] { assert(cache.get(1) == "page 1"); });
  std::thread scanner([&cache] {
    assert(cache.get(2) == "page 2");
    assert(cache.get(3) == "page 3");
  });
  reader.join();
  scanner.join();
  assert(cache.size() <= 2);
  assert(cache.dropped() == 0);
}
