// SPDX-License-Identifier: Apache-2.0
// A cache of avatars with a shared_mutex. get() takes the shared lock, since it only reads; but it also counts how
// often the entry was asked for, which two readers must not do at once.
// FINDING: data-race
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <list>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

struct Avatar {
  std::string user;
  std::vector<std::uint8_t> pixels;
};

class AvatarCache {
 public:
  explicit AvatarCache(std::size_t capacity) : capacity_(capacity) {}

  std::shared_ptr<const Avatar> get(const std::string& user) {
    std::shared_lock lock(mutex_);
    const auto found = index_.find(user);
    if (found == index_.end()) return nullptr;
    ++found->second->uses;  // CAUSE: first, second
    return found->second->avatar;
  }

  void put(std::shared_ptr<const Avatar> avatar) {
    std::unique_lock lock(mutex_);
    if (const auto found = index_.find(avatar->user); found != index_.end()) {
      found->second->avatar = std::move(avatar);
      return;
    }
    if (entries_.size() == capacity_) evict();
    entries_.push_back({std::move(avatar), 0});
    index_[entries_.back().avatar->user] = std::prev(entries_.end());
  }

  int uses(const std::string& user) const {
    std::shared_lock lock(mutex_);
    const auto found = index_.find(user);
    return found == index_.end() ? 0 : found->second->uses;
  }

  std::size_t size() const {
    std::shared_lock lock(mutex_);
    return entries_.size();
  }

 private:
  struct Entry {
    std::shared_ptr<const Avatar> avatar;
    int uses = 0;
  };
  using Entries = std::list<Entry>;

  // The entry that was asked for least.
  void evict() {
    auto least = entries_.begin();
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
      if (entry->uses < least->uses) least = entry;
    }
    index_.erase(least->avatar->user);
    entries_.erase(least);
  }

  const std::size_t capacity_;
  mutable std::shared_mutex mutex_;
  Entries entries_;
  std::unordered_map<std::string, Entries::iterator> index_;
};

class ProfilePage {
 public:
  explicit ProfilePage(AvatarCache& cache) : cache_(cache) {}
  std::string render(const std::string& user) const {
    const std::shared_ptr<const Avatar> avatar = cache_.get(user);
    return avatar ? user + " with picture" : user;
  }

 private:
  AvatarCache& cache_;
};

int main() {
  AvatarCache cache(2);
  cache.put(std::make_shared<const Avatar>(Avatar{"ann", {1, 2, 3}}));
  cache.put(std::make_shared<const Avatar>(Avatar{"bob", {4, 5}}));
  ProfilePage page(cache);
  std::string first;
  std::string second;
  std::thread one([&] { first = page.render("ann"); });
  std::thread two([&] { second = page.render("ann"); });
  one.join();
  two.join();
  assert(first == "ann with picture" && second == first);
  assert(cache.uses("ann") <= 2);
  cache.put(std::make_shared<const Avatar>(Avatar{"eve", {}}));
  assert(cache.size() == 2);
}
