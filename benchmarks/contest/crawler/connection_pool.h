// SPDX-License-Identifier: Apache-2.0
// ConnectionPool: owns the connections, fewer than there are workers. Workers wait for one; the manager waits until all
// are back.
//
// Thread safety: any thread may call anything.
// Invariant: a connection is either in free_ or lent to exactly one worker.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "connection.h"

namespace crawler {

class ConnectionPool {
 public:
  ConnectionPool(const Web& web, int connections, std::chrono::microseconds latency) {
    for (int i = 0; i < connections; ++i) {
      all_.push_back(std::make_unique<Connection>(web, i, latency));
      free_.push_back(all_.back().get());
    }
  }

  Connection& acquire(const std::string& host) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !free_.empty(); });
    Connection& connection = *free_.back();
    free_.pop_back();
    connection.open(host);
    return connection;
  }

  void release(Connection& connection) {
    {
      std::lock_guard lock(mutex_);
      connection.close();
      free_.push_back(&connection);
    }
    changed_.notify_all();
  }

  void wait_until_all_released() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return free_.size() == all_.size(); });
  }

  // Only when all are released.
  std::size_t bytes() {
    std::lock_guard lock(mutex_);
    std::size_t sum = 0;
    for (const std::unique_ptr<Connection>& connection : all_) sum += connection->bytes();
    return sum;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<Connection>> all_;
  std::vector<Connection*> free_;
};

}  // namespace crawler
