// SPDX-License-Identifier: Apache-2.0
// A small cluster. A leader checks that its lease is valid and then writes; the lease can pass to another between the
// two, and both write in one term. The storage has no fencing token that would refuse the older one.
// FINDING: assertion
#include <cassert>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

class LeaseService {
 public:
  bool acquire(const std::string& node) {
    std::lock_guard lock(mutex_);
    if (!holder_.empty()) return false;
    holder_ = node;
    ++term_;
    return true;
  }

  // The lease ends, whatever its holder does.
  void expire() {
    std::lock_guard lock(mutex_);
    holder_.clear();  // CAUSE: second
  }

  bool holds(const std::string& node) const {
    std::lock_guard lock(mutex_);
    return holder_ == node;  // CAUSE: first
  }

  int term() const {
    std::lock_guard lock(mutex_);
    return term_;
  }

 private:
  mutable std::mutex mutex_;
  std::string holder_;
  int term_ = 0;
};

class Storage {
 public:
  void append(const std::string& node, const std::string& entry) {
    std::lock_guard lock(mutex_);
    entries_.emplace_back(node, entry);
  }
  std::vector<std::pair<std::string, std::string>> entries() const {
    std::lock_guard lock(mutex_);
    return entries_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::pair<std::string, std::string>> entries_;
};

class Replica {
 public:
  Replica(std::string name, LeaseService& leases, Storage& storage)
      : name_(std::move(name)), leases_(leases), storage_(storage) {}

  bool campaign() { return leases_.acquire(name_); }

  bool write(const std::string& entry) {
    if (!leases_.holds(name_)) return false;
    storage_.append(name_, entry);
    return true;
  }

 private:
  const std::string name_;
  LeaseService& leases_;
  Storage& storage_;
};

int main() {
  LeaseService leases;
  Storage storage;
  Replica north("north", leases, storage);
  Replica south("south", leases, storage);
  const bool leads = north.campaign();
  assert(leads);

  std::thread old_leader([&] { north.write("x=1"); });
  std::thread new_leader([&] {
    leases.expire();
    if (south.campaign()) south.write("x=2");
  });
  old_leader.join();
  new_leader.join();

  // Nobody writes after the leader that came later.
  const auto entries = storage.entries();
  assert(!entries.empty());
  assert(entries.back().first == "south");
  assert(leases.term() == 2);
}
