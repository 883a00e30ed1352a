// SPDX-License-Identifier: Apache-2.0
#include "logger.h"

#include <algorithm>

namespace logging {

void Handler::publish(const LogRecord& record) {
  if (record.level() <= level_) lines_.push_back(record.source() + record.message());
}

Logger::Logger(const std::string& name) : name_(name) {}

Logger* Logger::get_anonymous_logger() { return new Logger(""); }

void Logger::severe(const std::string& message) { log(Level::severe, message); }
void Logger::warning(const std::string& message) { log(Level::warning, message); }
void Logger::info(const std::string& message) { log(Level::info, message); }
void Logger::config(const std::string& message) { log(Level::config, message); }
void Logger::fine(const std::string& message) { log(Level::fine, message); }

void Logger::log(Level level, const std::string& message) {
  if (!is_loggable(level)) return;
  LogRecord record(level, message);
  do_log(record);
}

void Logger::log(Level level, const std::string& message, const std::string& source) {
  if (!is_loggable(level)) return;
  LogRecord record(level, message);
  record.set_source(source);
  do_log(record);
}

void Logger::entering(const std::string& source) { log(Level::fine, "ENTRY", source); }
void Logger::exiting(const std::string& source) { log(Level::fine, "RETURN", source); }

void Logger::do_log(LogRecord& record) {
  if (record.source().empty()) record.set_source(name_);
  log(record);
}

void Logger::log(const LogRecord& record) {
  std::lock_guard<std::mutex> guard(mutex_);
  if (filter_ != nullptr) {
    if (!filter_->is_loggable(record)) {
      return;
    }
  }
  for (Handler* handler : handlers_) handler->publish(record);
  ++published_;
}

void Logger::set_filter(const Filter* filter) { filter_ = filter; }
const Filter* Logger::get_filter() const { return filter_; }

void Logger::set_level(Level level) {
  std::lock_guard<std::mutex> guard(mutex_);
  level_ = level;
}

Level Logger::get_level() const {
  std::lock_guard<std::mutex> guard(mutex_);
  return level_;
}

bool Logger::is_loggable(Level level) const {
  std::lock_guard<std::mutex> guard(mutex_);
  return level <= level_ && level_ != Level::off;
}

void Logger::add_handler(Handler* handler) {
  if (handler == nullptr) return;
  std::lock_guard<std::mutex> guard(mutex_);
  handlers_.push_back(handler);
}

void Logger::remove_handler(Handler* handler) {
  std::lock_guard<std::mutex> guard(mutex_);
  handlers_.erase(std::remove(handlers_.begin(), handlers_.end(), handler), handlers_.end());
}

std::size_t Logger::handler_count() const {
  std::lock_guard<std::mutex> guard(mutex_);
  return handlers_.size();
}

void Logger::set_property(const std::string& key, int value) {
  std::lock_guard<std::mutex> guard(mutex_);
  properties_[key] = value;
}

int Logger::get_property(const std::string& key) const {
  std::lock_guard<std::mutex> guard(mutex_);
  const auto found = properties_.find(key);
  return found == properties_.end() ? -1 : found->second;
}

void Logger::set_use_parent_handlers(bool use) {
  std::lock_guard<std::mutex> guard(mutex_);
  use_parent_ = use;
}

bool Logger::get_use_parent_handlers() const {
  std::lock_guard<std::mutex> guard(mutex_);
  return use_parent_;
}

void Logger::set_resource_bundle(const std::string& name) {
  std::lock_guard<std::mutex> guard(mutex_);
  bundle_ = name;
}

std::string Logger::get_resource_bundle() const {
  std::lock_guard<std::mutex> guard(mutex_);
  return bundle_;
}

int Logger::published() const {
  std::lock_guard<std::mutex> guard(mutex_);
  return published_;
}

}  // namespace logging
