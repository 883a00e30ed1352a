// SPDX-License-Identifier: Apache-2.0
#include "per_user_pool.h"

#include <algorithm>
#include <stdexcept>

namespace dbcp {

using Guard = std::lock_guard<std::mutex>;

PerUserPoolDataSource::PerUserPoolDataSource() = default;
PerUserPoolDataSource::PerUserPoolDataSource(const std::string& description) : description_(description) {}
PerUserPoolDataSource::~PerUserPoolDataSource() = default;

PerUserPoolDataSource::Pool& PerUserPoolDataSource::pool_of(const std::string& user) {
  std::unique_ptr<Pool>& pool = pools_[user];
  if (!pool) pool = std::make_unique<Pool>();
  return *pool;
}

const PerUserPoolDataSource::Limits& PerUserPoolDataSource::limits_of(const std::string& user) const {
  const auto found = limits_.find(user);
  return found == limits_.end() ? default_limits_ : found->second;
}

int PerUserPoolDataSource::get_connection(const std::string& user) {
  Guard guard(mutex_);
  if (closed_) throw std::runtime_error("the data source is closed");
  const Limits& limits = limits_of(user);
  Pool& pool = pool_of(user);
  if (limits.max_active >= 0 && static_cast<int>(pool.active.size()) >= limits.max_active) {
    throw std::runtime_error("the pool is exhausted");
  }
  Connection connection;
  if (!pool.idle.empty()) {
    connection = pool.idle.back();
    pool.idle.pop_back();
  } else {
    connection = {next_id_++, user, limits.read_only, limits.auto_commit, isolation_};
  }
  pool.active.push_back(connection);
  return connection.id;
}

void PerUserPoolDataSource::return_connection(int id) {
  Guard guard(mutex_);
  for (auto& [user, pool] : pools_) {
    const auto found =
        std::find_if(pool->active.begin(), pool->active.end(), [&](const Connection& c) { return c.id == id; });
    if (found == pool->active.end()) continue;
    if (static_cast<int>(pool->idle.size()) < limits_of(user).max_idle) pool->idle.push_back(*found);
    pool->active.erase(found);
    return;
  }
}

void PerUserPoolDataSource::invalidate_connection(int id) {
  Guard guard(mutex_);
  for (auto& [user, pool] : pools_) {
    std::erase_if(pool->active, [&](const Connection& connection) { return connection.id == id; });
  }
}

void PerUserPoolDataSource::close() {
  Guard guard(mutex_);
  closed_ = true;
  pools_.clear();
}

void PerUserPoolDataSource::close_user(const std::string& user) {
  Guard guard(mutex_);
  pools_.erase(user);
}

bool PerUserPoolDataSource::is_closed() const {
  Guard guard(mutex_);
  return closed_;
}

int PerUserPoolDataSource::get_num_active() const {
  Guard guard(mutex_);
  int count = 0;
  for (const auto& [user, pool] : pools_) count += static_cast<int>(pool->active.size());
  return count;
}

int PerUserPoolDataSource::get_num_active(const std::string& user) const {
  Guard guard(mutex_);
  const auto found = pools_.find(user);
  return found == pools_.end() ? 0 : static_cast<int>(found->second->active.size());
}

int PerUserPoolDataSource::get_num_idle() const { return count_idle(); }

int PerUserPoolDataSource::get_num_idle(const std::string& user) const {
  Guard guard(mutex_);
  const auto found = pools_.find(user);
  return found == pools_.end() ? 0 : idle_in(*found->second);
}

int PerUserPoolDataSource::count_idle() const {
  int count = 0;
  for (const auto& [user, pool] : pools_) {
    count += idle_in(*pool);
  }
  return count;
}

int PerUserPoolDataSource::idle_in(const Pool& pool) { return static_cast<int>(pool.idle.size()); }

std::size_t PerUserPoolDataSource::get_num_pools() const {
  Guard guard(mutex_);
  return pools_.size();
}

std::vector<std::string> PerUserPoolDataSource::get_users() const {
  Guard guard(mutex_);
  std::vector<std::string> users;
  for (const auto& [user, pool] : pools_) users.push_back(user);
  return users;
}

int PerUserPoolDataSource::get_default_max_active() const {
  Guard guard(mutex_);
  return default_limits_.max_active;
}
void PerUserPoolDataSource::set_default_max_active(int most) {
  Guard guard(mutex_);
  default_limits_.max_active = most;
}
int PerUserPoolDataSource::get_default_max_idle() const {
  Guard guard(mutex_);
  return default_limits_.max_idle;
}
void PerUserPoolDataSource::set_default_max_idle(int most) {
  Guard guard(mutex_);
  default_limits_.max_idle = most;
}
std::chrono::milliseconds PerUserPoolDataSource::get_default_max_wait() const {
  Guard guard(mutex_);
  return max_wait_;
}
void PerUserPoolDataSource::set_default_max_wait(std::chrono::milliseconds wait) {
  Guard guard(mutex_);
  max_wait_ = wait;
}

int PerUserPoolDataSource::get_per_user_max_active(const std::string& user) const {
  Guard guard(mutex_);
  return limits_of(user).max_active;
}
void PerUserPoolDataSource::set_per_user_max_active(const std::string& user, int most) {
  Guard guard(mutex_);
  limits_.try_emplace(user, default_limits_).first->second.max_active = most;
}
int PerUserPoolDataSource::get_per_user_max_idle(const std::string& user) const {
  Guard guard(mutex_);
  return limits_of(user).max_idle;
}
void PerUserPoolDataSource::set_per_user_max_idle(const std::string& user, int most) {
  Guard guard(mutex_);
  limits_.try_emplace(user, default_limits_).first->second.max_idle = most;
}
bool PerUserPoolDataSource::get_per_user_default_read_only(const std::string& user) const {
  Guard guard(mutex_);
  return limits_of(user).read_only;
}
void PerUserPoolDataSource::set_per_user_default_read_only(const std::string& user, bool read_only) {
  Guard guard(mutex_);
  limits_.try_emplace(user, default_limits_).first->second.read_only = read_only;
}
bool PerUserPoolDataSource::get_per_user_default_auto_commit(const std::string& user) const {
  Guard guard(mutex_);
  return limits_of(user).auto_commit;
}
void PerUserPoolDataSource::set_per_user_default_auto_commit(const std::string& user, bool commit) {
  Guard guard(mutex_);
  limits_.try_emplace(user, default_limits_).first->second.auto_commit = commit;
}

Isolation PerUserPoolDataSource::get_default_isolation() const {
  Guard guard(mutex_);
  return isolation_;
}
void PerUserPoolDataSource::set_default_isolation(Isolation isolation) {
  Guard guard(mutex_);
  isolation_ = isolation;
}
bool PerUserPoolDataSource::is_test_on_borrow() const {
  Guard guard(mutex_);
  return test_on_borrow_;
}
void PerUserPoolDataSource::set_test_on_borrow(bool test) {
  Guard guard(mutex_);
  test_on_borrow_ = test;
}
bool PerUserPoolDataSource::is_test_on_return() const {
  Guard guard(mutex_);
  return test_on_return_;
}
void PerUserPoolDataSource::set_test_on_return(bool test) {
  Guard guard(mutex_);
  test_on_return_ = test;
}
std::string PerUserPoolDataSource::get_description() const {
  Guard guard(mutex_);
  return description_;
}
void PerUserPoolDataSource::set_description(const std::string& description) {
  Guard guard(mutex_);
  description_ = description;
}
std::string PerUserPoolDataSource::get_data_source_name() const {
  Guard guard(mutex_);
  return data_source_name_;
}
void PerUserPoolDataSource::set_data_source_name(const std::string& name) {
  Guard guard(mutex_);
  data_source_name_ = name;
}
int PerUserPoolDataSource::get_login_timeout() const {
  Guard guard(mutex_);
  return login_timeout_;
}
void PerUserPoolDataSource::set_login_timeout(int seconds) {
  Guard guard(mutex_);
  login_timeout_ = seconds;
}
void PerUserPoolDataSource::set_property(const std::string& key, const std::string& value) {
  Guard guard(mutex_);
  properties_[key] = value;
}
std::string PerUserPoolDataSource::get_property(const std::string& key) const {
  Guard guard(mutex_);
  const auto found = properties_.find(key);
  return found == properties_.end() ? "" : found->second;
}

}  // namespace dbcp
