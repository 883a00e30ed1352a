// SPDX-License-Identifier: Apache-2.0
// A connection pool. The health check takes the idle connections for broken or sound without the lock, from a copy,
// and then drops those that were broken; one that was borrowed and repaired meanwhile is dropped from under its
// borrower.
// FINDING: assertion
#include <algorithm>
#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

class Connection {
 public:
  explicit Connection(int id) : id_(id) {}
  int id() const { return id_; }
  bool broken() const { return broken_.load(); }
  void break_down() { broken_.store(true); }
  void reconnect() { broken_.store(false); }
  void close() { closed_.store(true); }                              // CAUSE: first
  bool query() const { return !broken_.load() && !closed_.load(); }  // CAUSE: second

 private:
  const int id_;
  std::atomic<bool> broken_{false};
  std::atomic<bool> closed_{false};
};

class Pool {
 public:
  explicit Pool(int size) {
    for (int id = 0; id < size; ++id) idle_.push_back(std::make_shared<Connection>(id));
  }

  std::shared_ptr<Connection> borrow() {
    std::lock_guard lock(mutex_);
    if (idle_.empty()) return nullptr;
    std::shared_ptr<Connection> connection = std::move(idle_.back());
    idle_.pop_back();  // CAUSE: second
    return connection;
  }

  void give_back(std::shared_ptr<Connection> connection) {
    std::lock_guard lock(mutex_);
    idle_.push_back(std::move(connection));
  }

  void check_health() {
    std::vector<std::shared_ptr<Connection>> candidates;
    {
      std::lock_guard lock(mutex_);
      candidates = idle_;  // CAUSE: first
    }
    std::erase_if(candidates, [](const auto& connection) { return !connection->broken(); });
    for (const auto& connection : candidates) connection->close();
    std::lock_guard lock(mutex_);
    for (const auto& connection : candidates) std::erase(idle_, connection);
  }

  std::size_t idle() const {
    std::lock_guard lock(mutex_);
    return idle_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<Connection>> idle_;
};

class Repository {
 public:
  explicit Repository(Pool& pool) : pool_(pool) {}

  std::optional<bool> load() {
    std::shared_ptr<Connection> connection = pool_.borrow();
    if (!connection) return std::nullopt;
    if (connection->broken()) connection->reconnect();
    const bool loaded = connection->query();
    pool_.give_back(std::move(connection));
    return loaded;
  }

 private:
  Pool& pool_;
};

int main() {
  Pool pool(1);
  {
    const std::shared_ptr<Connection> connection = pool.borrow();
    connection->break_down();
    pool.give_back(connection);
  }
  Repository repository(pool);
  std::optional<bool> loaded;
  std::thread request([&] { loaded = repository.load(); });
  std::thread health([&] { pool.check_health(); });
  request.join();
  health.join();
  assert(!loaded.has_value() || *loaded);
  assert(pool.idle() <= 1);
}
