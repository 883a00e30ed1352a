// SPDX-License-Identifier: Apache-2.0
// A data source with a pool of connections for each user. After PerUserPoolDataSource of Commons DBCP 1.4, issue 369:
// the pools are counted without the lock while another thread closes or adds one.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace dbcp {

enum class Isolation { unknown, read_uncommitted, read_committed, repeatable_read, serializable };

struct Connection {
  int id = 0;
  std::string user;
  bool read_only = false;
  bool auto_commit = true;
  Isolation isolation = Isolation::unknown;
};

class PerUserPoolDataSource {
 public:
  PerUserPoolDataSource();
  explicit PerUserPoolDataSource(const std::string& description);
  ~PerUserPoolDataSource();
  PerUserPoolDataSource(const PerUserPoolDataSource&) = delete;
  PerUserPoolDataSource& operator=(const PerUserPoolDataSource&) = delete;

  // Connections.
  int get_connection(const std::string& user);
  void return_connection(int id);
  void invalidate_connection(int id);
  void close();
  void close_user(const std::string& user);
  bool is_closed() const;

  // What the pools hold.
  int get_num_active() const;
  int get_num_active(const std::string& user) const;
  int get_num_idle() const;
  int get_num_idle(const std::string& user) const;
  std::size_t get_num_pools() const;
  std::vector<std::string> get_users() const;

  // Limits for every user.
  int get_default_max_active() const;
  void set_default_max_active(int most);
  int get_default_max_idle() const;
  void set_default_max_idle(int most);
  std::chrono::milliseconds get_default_max_wait() const;
  void set_default_max_wait(std::chrono::milliseconds wait);

  // And for one.
  int get_per_user_max_active(const std::string& user) const;
  void set_per_user_max_active(const std::string& user, int most);
  int get_per_user_max_idle(const std::string& user) const;
  void set_per_user_max_idle(const std::string& user, int most);
  bool get_per_user_default_read_only(const std::string& user) const;
  void set_per_user_default_read_only(const std::string& user, bool read_only);
  bool get_per_user_default_auto_commit(const std::string& user) const;
  void set_per_user_default_auto_commit(const std::string& user, bool commit);

  // Settings.
  Isolation get_default_isolation() const;
  void set_default_isolation(Isolation isolation);
  bool is_test_on_borrow() const;
  void set_test_on_borrow(bool test);
  bool is_test_on_return() const;
  void set_test_on_return(bool test);
  std::string get_description() const;
  void set_description(const std::string& description);
  std::string get_data_source_name() const;
  void set_data_source_name(const std::string& name);
  int get_login_timeout() const;
  void set_login_timeout(int seconds);
  void set_property(const std::string& key, const std::string& value);
  std::string get_property(const std::string& key) const;

 private:
  struct Pool {
    std::vector<Connection> idle;
    std::vector<Connection> active;
  };
  struct Limits {
    int max_active = 8;
    int max_idle = 8;
    bool read_only = false;
    bool auto_commit = true;
  };

  Pool& pool_of(const std::string& user);
  int count_idle() const;
  static int idle_in(const Pool& pool);
  const Limits& limits_of(const std::string& user) const;

  mutable std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Pool>> pools_;
  std::map<std::string, Limits> limits_;
  std::map<std::string, std::string> properties_;
  std::string description_;
  std::string data_source_name_;
  std::chrono::milliseconds max_wait_{100};
  Isolation isolation_ = Isolation::unknown;
  bool test_on_borrow_ = false;
  bool test_on_return_ = false;
  bool closed_ = false;
  int login_timeout_ = 0;
  int next_id_ = 1;
  Limits default_limits_;
};

}  // namespace dbcp
