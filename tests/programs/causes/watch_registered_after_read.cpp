// SPDX-License-Identifier: Apache-2.0
// A client of a coordination service reads a node and then registers a watch on it. A change between the two is in
// neither: the client waits for an event that was sent before it watched. After a defect of a well-known coordination
// service's clients.
// FINDING: deadlock, lost-wakeup
#include <cassert>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

class Registry {
 public:
  using Watch = std::function<void(const std::string& value)>;

  std::string get(const std::string& node) const {
    std::lock_guard lock(mutex_);
    const auto found = values_.find(node);               // CAUSE: first
    return found == values_.end() ? "" : found->second;  // CAUSE: first
  }

  void set(const std::string& node, const std::string& value) {
    std::vector<Watch> watches;
    {
      std::lock_guard lock(mutex_);
      values_[node] = value;         // CAUSE: second
      watches.swap(watches_[node]);  // CAUSE: second
    }
    for (const Watch& watch : watches) watch(value);
  }

  void watch(const std::string& node, Watch watch) {
    std::lock_guard lock(mutex_);
    watches_[node].push_back(std::move(watch));
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::string> values_;
  std::map<std::string, std::vector<Watch>> watches_;
};

class Event {
 public:
  void set(std::string value) {
    std::lock_guard lock(mutex_);
    value_ = std::move(value);
    is_set_ = true;
    changed_.notify_all();
  }
  std::string wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_set_; });
    return value_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string value_;
  bool is_set_ = false;
};

class Member {
 public:
  explicit Member(Registry& registry) : registry_(registry) {}

  // Blocks until somebody leads.
  std::string leader() {
    std::string name = registry_.get("/leader");
    if (!name.empty()) return name;
    auto event = std::make_shared<Event>();
    registry_.watch("/leader", [event](const std::string& value) { event->set(value); });
    return event->wait();
  }

  void lead(const std::string& name) { registry_.set("/leader", name); }

 private:
  Registry& registry_;
};

int main() {
  Registry registry;
  Member one(registry);
  Member two(registry);
  std::string seen;
  std::thread follower([&] { seen = one.leader(); });
  std::thread candidate([&] { two.lead("node-2"); });
  follower.join();
  candidate.join();
  assert(seen == "node-2");
  assert(one.leader() == "node-2");
  assert(two.leader() == one.leader());
}
