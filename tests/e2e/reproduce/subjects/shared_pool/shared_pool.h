// SPDX-License-Identifier: Apache-2.0
// A data source whose users share one pool. After SharedPoolDataSource of Commons DBCP 1.4, issue 369: listeners are
// told without the lock while another thread removes one.
#pragma once

#include <deque>
#include <list>
#include <mutex>
#include <string>
#include <vector>

namespace dbcp {

// Hears about connections that are closed.
class ConnectionListener {
 public:
  virtual ~ConnectionListener() = default;
  virtual void connection_closed(int id) = 0;
  virtual void connection_failed(int id, const std::string& reason) = 0;
};

class SharedPoolDataSource {
 public:
  explicit SharedPoolDataSource(int max_active = 8);

  int get_connection();
  int get_connection(const std::string& user, const std::string& password);
  void return_connection(int id);
  void close_connection(int id);
  void fail_connection(int id, const std::string& reason);
  void clear();
  void close();
  bool is_closed() const;

  void add_listener(ConnectionListener* listener);
  void remove_listener(ConnectionListener* listener);
  void remove_all_listeners();
  std::size_t get_num_listeners() const;

  int get_num_active() const;
  int get_num_idle() const;
  int get_max_active() const;
  void set_max_active(int most);
  int get_max_idle() const;
  void set_max_idle(int most);
  int get_max_wait() const;
  void set_max_wait(int milliseconds);
  std::string get_validation_query() const;
  void set_validation_query(const std::string& query);
  bool is_rollback_after_validation() const;
  void set_rollback_after_validation(bool rollback);
  std::string get_description() const;
  void set_description(const std::string& description);
  std::vector<int> active_connections() const;

 private:
  int take_connection();
  void release(int id);
  void tell_closed(int id);
  void tell_failed(int id, const std::string& reason);

  mutable std::mutex mutex_;
  std::list<ConnectionListener*> listeners_;
  std::deque<int> idle_;
  std::vector<int> active_;
  int max_active_;
  int max_idle_ = 8;
  int max_wait_ = -1;
  int next_id_ = 1;
  bool closed_ = false;
  bool rollback_ = false;
  std::string query_;
  std::string description_;
};

}  // namespace dbcp
