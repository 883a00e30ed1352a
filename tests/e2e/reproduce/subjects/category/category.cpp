// SPDX-License-Identifier: Apache-2.0
#include "category.h"

#include <algorithm>
#include <stdexcept>

namespace log4cpp {

using Guard = std::lock_guard<std::mutex>;

void Appender::append(Priority, const std::string& message) {
  if (lines_.size() < 100) lines_.push_back(message);
}

Category::Category() : Category("root") {}
Category::Category(const std::string& name) : name_(name) {}
Category::~Category() = default;

void Category::debug(const std::string& message) { log(Priority::debug, message); }
void Category::info(const std::string& message) { log(Priority::info, message); }
void Category::warn(const std::string& message) { log(Priority::warn, message); }
void Category::error(const std::string& message) { log(Priority::error, message); }
void Category::fatal(const std::string& message) { log(Priority::fatal, message); }

void Category::log(Priority priority, const std::string& message) {
  if (is_enabled_for(priority)) call_appenders(priority, message);
}

void Category::assert_log(bool assertion, const std::string& message) {
  if (!assertion) error(message);
}

void Category::call_appenders(Priority priority, const std::string& message) {
  Guard guard(mutex_);
  ++logged_;
  if (!appenders_) return;
  for (const std::shared_ptr<Appender>& appender : *appenders_) appender->append(priority, message);
}

void Category::add_appender(std::shared_ptr<Appender> appender) {
  if (!appender) throw std::invalid_argument("no appender");
  Guard guard(mutex_);
  if (!appenders_) appenders_ = std::make_unique<Appenders>();
  appenders_->push_back(std::move(appender));
}

void Category::remove_appender(const std::string& name) {
  Guard guard(mutex_);
  if (!appenders_) return;
  std::erase_if(*appenders_, [&](const std::shared_ptr<Appender>& one) { return one->name() == name; });
  if (appenders_->empty()) appenders_.reset();
}

void Category::remove_appender(const std::shared_ptr<Appender>& appender) {
  Guard guard(mutex_);
  if (!appenders_) return;
  std::erase(*appenders_, appender);
  if (appenders_->empty()) appenders_.reset();
}

void Category::remove_all_appenders() {
  Guard guard(mutex_);
  appenders_.reset();
}

bool Category::is_attached(const std::string& name) const {
  Guard guard(mutex_);
  if (!appenders_) return false;
  return std::any_of(appenders_->begin(), appenders_->end(), [&](const auto& one) { return one->name() == name; });
}

std::size_t Category::appender_count() const {
  if (!appenders_) return 0;
  return appenders_->size();
}

std::vector<std::string> Category::appender_names() const {
  Guard guard(mutex_);
  std::vector<std::string> names;
  if (!appenders_) return names;
  for (const std::shared_ptr<Appender>& one : *appenders_) names.push_back(one->name());
  return names;
}

Priority Category::get_priority() const {
  Guard guard(mutex_);
  return priority_;
}
void Category::set_priority(Priority priority) {
  Guard guard(mutex_);
  priority_ = priority;
}
bool Category::is_enabled_for(Priority priority) const {
  Guard guard(mutex_);
  return priority >= priority_;
}
bool Category::is_debug_enabled() const { return is_enabled_for(Priority::debug); }
bool Category::is_info_enabled() const { return is_enabled_for(Priority::info); }
bool Category::get_additivity() const {
  Guard guard(mutex_);
  return additive_;
}
void Category::set_additivity(bool additive) {
  Guard guard(mutex_);
  additive_ = additive;
}
std::string Category::get_name() const {
  Guard guard(mutex_);
  return name_;
}
std::string Category::get_resource_bundle() const {
  Guard guard(mutex_);
  return bundle_;
}
void Category::set_resource_bundle(const std::string& bundle) {
  Guard guard(mutex_);
  bundle_ = bundle;
}
void Category::put_context(const std::string& key, const std::string& value) {
  Guard guard(mutex_);
  context_[key] = value;
}
std::string Category::get_context(const std::string& key) const {
  Guard guard(mutex_);
  const auto found = context_.find(key);
  return found == context_.end() ? "" : found->second;
}
void Category::shutdown() {
  remove_all_appenders();
  Guard guard(mutex_);
  context_.clear();
}
int Category::logged() const {
  Guard guard(mutex_);
  return logged_;
}

}  // namespace log4cpp
