// SPDX-License-Identifier: Apache-2.0
// A pool of connections after mysqlpp::ConnectionPool of MySQL++, rebuilt in our own words: the interface, and what
// grab() does, are the library's; connections to a server are left out.
//
// The crash: https://github.com/Empornium/Radiance/issues/37, a BitTorrent tracker that uses MySQL++ 3. crash.txt has
// the frames of the pool from that report as backtrace() printed them: std::list unhooks a node in
// ConnectionPool::remove(), called by remove_old_connections(), called by grab(). The report does not say why. MySQL++
// protects the pool by BeecryptMutex, which does nothing where the library was built without thread support; that this
// happened there is our reading, and it is what this rebuild has: a mutex that does nothing.
#pragma once

#include <cstddef>
#include <ctime>
#include <list>

namespace mysqlpp {

class Connection {
 public:
  bool ping() const { return connected_; }
  void disconnect() { connected_ = false; }

 private:
  bool connected_ = true;
};

// Without thread support.
class BeecryptMutex {
 public:
  void lock() {}
  void unlock() {}
};

class ConnectionPool {
 public:
  explicit ConnectionPool(unsigned max_idle_time = 0) : max_idle_time_(max_idle_time) {}
  ConnectionPool(const ConnectionPool&) = delete;
  ConnectionPool& operator=(const ConnectionPool&) = delete;
  ~ConnectionPool() { clear(true); }

  bool empty() const { return pool_.empty(); }
  std::size_t size() const { return pool_.size(); }
  unsigned max_idle_time() const { return max_idle_time_; }

  Connection* grab();
  Connection* safe_grab();
  Connection* exchange(const Connection* connection);
  void release(const Connection* connection);
  void remove(const Connection* connection);
  void shrink() { clear(false); }
  void clear(bool all = true);

 private:
  struct ConnectionInfo {
    Connection* conn;
    std::time_t last_used;
    bool in_use;
  };
  using PoolIt = std::list<ConnectionInfo>::iterator;

  Connection* create() const { return new Connection; }
  void destroy(Connection* connection) { delete connection; }
  Connection* find_mru();
  void remove(const PoolIt& it);
  void remove_old_connections();

  mutable BeecryptMutex mutex_;
  std::list<ConnectionInfo> pool_;
  unsigned max_idle_time_;
};

}  // namespace mysqlpp
