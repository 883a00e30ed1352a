// SPDX-License-Identifier: Apache-2.0
// A logging category with its appenders. After Category of Log4j 1.1, issue 1507: the list of appenders is made when it
// is first needed and dropped when it is empty; who asks for an appender looks at it without the lock.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace log4cpp {

enum class Priority { debug, info, warn, error, fatal };

class Appender {
 public:
  explicit Appender(std::string name = "console") : name_(std::move(name)) {}
  virtual ~Appender() = default;
  virtual void append(Priority priority, const std::string& message);
  const std::string& name() const { return name_; }
  std::size_t count() const { return lines_.size(); }

 private:
  std::string name_;
  std::vector<std::string> lines_;
};

class Category {
 public:
  Category();
  explicit Category(const std::string& name);
  ~Category();

  void debug(const std::string& message);
  void info(const std::string& message);
  void warn(const std::string& message);
  void error(const std::string& message);
  void fatal(const std::string& message);
  void log(Priority priority, const std::string& message);
  void assert_log(bool assertion, const std::string& message);

  void add_appender(std::shared_ptr<Appender> appender);
  void remove_appender(const std::string& name);
  void remove_appender(const std::shared_ptr<Appender>& appender);
  void remove_all_appenders();
  bool is_attached(const std::string& name) const;
  std::size_t appender_count() const;
  std::vector<std::string> appender_names() const;

  Priority get_priority() const;
  void set_priority(Priority priority);
  bool is_enabled_for(Priority priority) const;
  bool is_debug_enabled() const;
  bool is_info_enabled() const;
  bool get_additivity() const;
  void set_additivity(bool additive);
  std::string get_name() const;
  std::string get_resource_bundle() const;
  void set_resource_bundle(const std::string& bundle);
  void put_context(const std::string& key, const std::string& value);
  std::string get_context(const std::string& key) const;
  void shutdown();
  int logged() const;

 private:
  using Appenders = std::vector<std::shared_ptr<Appender>>;

  void call_appenders(Priority priority, const std::string& message);

  mutable std::mutex mutex_;
  std::unique_ptr<Appenders> appenders_;
  std::map<std::string, std::string> context_;
  std::string name_;
  std::string bundle_;
  Priority priority_ = Priority::debug;
  bool additive_ = true;
  int logged_ = 0;
};

}  // namespace log4cpp
