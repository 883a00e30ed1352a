// SPDX-License-Identifier: Apache-2.0
// A storage engine writes a change to its table and to the replication log in two critical sections. Two changes can
// be applied in one order and logged in the other, and the replica ends with the older value. After a defect of a
// database server.
// FINDING: assertion
#include <cassert>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

struct Change {
  std::string key;
  int value = 0;
};

class Table {
 public:
  void apply(const Change& change) {
    std::lock_guard lock(mutex_);
    rows_[change.key] = change.value;  // CAUSE: first, second
  }
  std::map<std::string, int> rows() const {
    std::lock_guard lock(mutex_);
    return rows_;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, int> rows_;
};

class BinaryLog {
 public:
  void append(Change change) {
    std::lock_guard lock(mutex_);
    changes_.push_back(std::move(change));  // CAUSE: first 2, second 2
  }
  std::vector<Change> since(std::size_t position) const {
    std::lock_guard lock(mutex_);
    return {changes_.begin() + static_cast<std::ptrdiff_t>(position), changes_.end()};
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Change> changes_;
};

class Primary {
 public:
  void update(const std::string& key, int value) {
    const Change change{key, value};
    table_.apply(change);
    log_.append(change);
  }
  const Table& table() const { return table_; }
  const BinaryLog& log() const { return log_; }

 private:
  Table table_;
  BinaryLog log_;
};

class Replica {
 public:
  explicit Replica(const BinaryLog& log) : log_(log) {}

  void catch_up() {
    for (const Change& change : log_.since(position_)) {
      table_.apply(change);
      ++position_;
    }
  }
  const Table& table() const { return table_; }

 private:
  const BinaryLog& log_;
  std::size_t position_ = 0;
  Table table_;
};

class Connection {
 public:
  explicit Connection(Primary& primary) : primary_(primary) {}
  void execute(const std::string& key, int value) { primary_.update(key, value); }

 private:
  Primary& primary_;
};

int main() {
  Primary primary;
  Replica replica(primary.log());
  Connection first(primary);
  Connection second(primary);
  first.execute("stock", 10);
  std::thread one([&first] { first.execute("stock", 9); });
  std::thread two([&second] { second.execute("stock", 8); });
  one.join();
  two.join();
  replica.catch_up();
  assert(replica.table().rows() == primary.table().rows());
}
