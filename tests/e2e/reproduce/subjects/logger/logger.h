// SPDX-License-Identifier: Apache-2.0
// A logger as applications write them: levels, handlers, a filter, properties. After java.util.logging.Logger of
// JDK 1.4.1, bug 4779253: setFilter takes no lock.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace logging {

enum class Level { off, severe, warning, info, config, fine };

class LogRecord {
 public:
  LogRecord(Level level, std::string message) : level_(level), message_(std::move(message)) {}
  Level level() const { return level_; }
  const std::string& message() const { return message_; }
  void set_source(const std::string& source) { source_ = source; }
  const std::string& source() const { return source_; }

 private:
  Level level_;
  std::string message_;
  std::string source_;
};

class Filter {
 public:
  virtual ~Filter() = default;
  virtual bool is_loggable(const LogRecord& record) const = 0;
};

class Handler {
 public:
  explicit Handler(Level level = Level::fine) : level_(level) {}
  void publish(const LogRecord& record);
  std::size_t count() const { return lines_.size(); }
  void close() { lines_.clear(); }

 private:
  Level level_;
  std::vector<std::string> lines_;
};

class Logger {
 public:
  explicit Logger(const std::string& name);
  static Logger* get_anonymous_logger();

  void severe(const std::string& message);
  void warning(const std::string& message);
  void info(const std::string& message);
  void config(const std::string& message);
  void fine(const std::string& message);
  void log(Level level, const std::string& message);
  void log(Level level, const std::string& message, const std::string& source);
  void entering(const std::string& source);
  void exiting(const std::string& source);

  void set_filter(const Filter* filter);
  const Filter* get_filter() const;
  void set_level(Level level);
  Level get_level() const;
  bool is_loggable(Level level) const;

  void add_handler(Handler* handler);
  void remove_handler(Handler* handler);
  std::size_t handler_count() const;

  void set_property(const std::string& key, int value);
  int get_property(const std::string& key) const;
  void set_use_parent_handlers(bool use);
  bool get_use_parent_handlers() const;
  void set_resource_bundle(const std::string& name);
  std::string get_resource_bundle() const;
  const std::string& name() const { return name_; }
  int published() const;

 private:
  void do_log(LogRecord& record);
  void log(const LogRecord& record);

  std::string name_;
  Level level_ = Level::info;
  const Filter* filter_ = nullptr;
  std::vector<Handler*> handlers_;
  std::map<std::string, int> properties_;
  std::string bundle_;
  bool use_parent_ = true;
  int published_ = 0;
  mutable std::mutex mutex_;
};

}  // namespace logging
