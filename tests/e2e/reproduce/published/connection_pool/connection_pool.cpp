// SPDX-License-Identifier: Apache-2.0
#include "connection_pool.h"

#include <mutex>

namespace mysqlpp {

Connection* ConnectionPool::grab() {
  const std::lock_guard<BeecryptMutex> guard(mutex_);
  remove_old_connections();
  if (Connection* const idle = find_mru()) return idle;
  pool_.push_back({create(), std::time(nullptr), true});
  return pool_.back().conn;
}

Connection* ConnectionPool::safe_grab() {
  Connection* connection = grab();
  while (!connection->ping()) {
    remove(connection);
    connection = grab();
  }
  return connection;
}

Connection* ConnectionPool::exchange(const Connection* connection) {
  remove(connection);
  return grab();
}

void ConnectionPool::release(const Connection* connection) {
  const std::lock_guard<BeecryptMutex> guard(mutex_);
  for (ConnectionInfo& info : pool_) {
    if (info.conn != connection) continue;
    info.in_use = false;
    info.last_used = std::time(nullptr);
  }
}

void ConnectionPool::remove(const Connection* connection) {
  const std::lock_guard<BeecryptMutex> guard(mutex_);
  for (PoolIt it = pool_.begin(); it != pool_.end(); ++it) {
    if (it->conn != connection) continue;
    remove(it);
    return;
  }
}

void ConnectionPool::clear(bool all) {
  const std::lock_guard<BeecryptMutex> guard(mutex_);
  PoolIt it = pool_.begin();
  while (it != pool_.end()) {
    const PoolIt doomed = it++;
    if (all || !doomed->in_use) remove(doomed);
  }
}

Connection* ConnectionPool::find_mru() {
  PoolIt mru = pool_.end();
  for (PoolIt it = pool_.begin(); it != pool_.end(); ++it) {
    if (!it->in_use && (mru == pool_.end() || mru->last_used < it->last_used)) mru = it;
  }
  if (mru == pool_.end()) return nullptr;
  mru->in_use = true;
  return mru->conn;
}

void ConnectionPool::remove(const PoolIt& it) {
  destroy(it->conn);
  pool_.erase(it);
}

void ConnectionPool::remove_old_connections() {
  const std::time_t now = std::time(nullptr);
  PoolIt it = pool_.begin();
  while (it != pool_.end()) {
    const PoolIt old = it++;
    if (!old->in_use && old->last_used + static_cast<std::time_t>(max_idle_time_) <= now) remove(old);
  }
}

}  // namespace mysqlpp
