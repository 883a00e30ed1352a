// SPDX-License-Identifier: Apache-2.0
#include "shared_pool.h"

#include <algorithm>
#include <stdexcept>

namespace dbcp {

using Guard = std::lock_guard<std::mutex>;

SharedPoolDataSource::SharedPoolDataSource(int max_active) : max_active_(max_active) {
  if (max_active == 0) throw std::invalid_argument("a pool without connections");
}

int SharedPoolDataSource::take_connection() {
  Guard guard(mutex_);
  if (closed_) throw std::runtime_error("the data source is closed");
  if (max_active_ > 0 && static_cast<int>(active_.size()) >= max_active_) {
    throw std::runtime_error("the pool is exhausted");
  }
  int id = 0;
  if (idle_.empty()) {
    id = next_id_++;
  } else {
    id = idle_.front();
    idle_.pop_front();
  }
  active_.push_back(id);
  return id;
}

void SharedPoolDataSource::release(int id) {
  Guard guard(mutex_);
  active_.erase(std::remove(active_.begin(), active_.end(), id), active_.end());
}

int SharedPoolDataSource::get_connection() { return take_connection(); }

int SharedPoolDataSource::get_connection(const std::string& user, const std::string& password) {
  if (user.empty() || password.empty()) throw std::invalid_argument("no credentials");
  return take_connection();
}

void SharedPoolDataSource::return_connection(int id) {
  Guard guard(mutex_);
  const auto found = std::find(active_.begin(), active_.end(), id);
  if (found == active_.end()) return;
  active_.erase(found);
  if (static_cast<int>(idle_.size()) < max_idle_) idle_.push_back(id);
}

void SharedPoolDataSource::close_connection(int id) {
  release(id);
  tell_closed(id);
}

void SharedPoolDataSource::fail_connection(int id, const std::string& reason) {
  release(id);
  tell_failed(id, reason);
}

void SharedPoolDataSource::tell_closed(int id) {
  for (ConnectionListener* listener : listeners_) {
    listener->connection_closed(id);
  }
}

void SharedPoolDataSource::tell_failed(int id, const std::string& reason) {
  Guard guard(mutex_);
  for (ConnectionListener* listener : listeners_) listener->connection_failed(id, reason);
}

void SharedPoolDataSource::clear() {
  Guard guard(mutex_);
  idle_.clear();
}

void SharedPoolDataSource::close() {
  Guard guard(mutex_);
  closed_ = true;
  idle_.clear();
  active_.clear();
}

bool SharedPoolDataSource::is_closed() const {
  Guard guard(mutex_);
  return closed_;
}

void SharedPoolDataSource::add_listener(ConnectionListener* listener) {
  if (listener == nullptr) throw std::invalid_argument("no listener");
  Guard guard(mutex_);
  listeners_.push_back(listener);
}

void SharedPoolDataSource::remove_listener(ConnectionListener* listener) {
  Guard guard(mutex_);
  listeners_.remove(listener);
}

void SharedPoolDataSource::remove_all_listeners() {
  Guard guard(mutex_);
  listeners_.clear();
}

std::size_t SharedPoolDataSource::get_num_listeners() const {
  Guard guard(mutex_);
  return listeners_.size();
}

int SharedPoolDataSource::get_num_active() const {
  Guard guard(mutex_);
  return static_cast<int>(active_.size());
}
int SharedPoolDataSource::get_num_idle() const {
  Guard guard(mutex_);
  return static_cast<int>(idle_.size());
}
int SharedPoolDataSource::get_max_active() const {
  Guard guard(mutex_);
  return max_active_;
}
void SharedPoolDataSource::set_max_active(int most) {
  Guard guard(mutex_);
  max_active_ = most;
}
int SharedPoolDataSource::get_max_idle() const {
  Guard guard(mutex_);
  return max_idle_;
}
void SharedPoolDataSource::set_max_idle(int most) {
  Guard guard(mutex_);
  max_idle_ = most;
  while (most >= 0 && static_cast<int>(idle_.size()) > most) idle_.pop_back();
}
int SharedPoolDataSource::get_max_wait() const {
  Guard guard(mutex_);
  return max_wait_;
}
void SharedPoolDataSource::set_max_wait(int milliseconds) {
  Guard guard(mutex_);
  max_wait_ = milliseconds;
}
std::string SharedPoolDataSource::get_validation_query() const {
  Guard guard(mutex_);
  return query_;
}
void SharedPoolDataSource::set_validation_query(const std::string& query) {
  Guard guard(mutex_);
  query_ = query;
}
bool SharedPoolDataSource::is_rollback_after_validation() const {
  Guard guard(mutex_);
  return rollback_;
}
void SharedPoolDataSource::set_rollback_after_validation(bool rollback) {
  Guard guard(mutex_);
  rollback_ = rollback;
}
std::string SharedPoolDataSource::get_description() const {
  Guard guard(mutex_);
  return description_;
}
void SharedPoolDataSource::set_description(const std::string& description) {
  Guard guard(mutex_);
  description_ = description;
}
std::vector<int> SharedPoolDataSource::active_connections() const {
  Guard guard(mutex_);
  return active_;
}

}  // namespace dbcp
