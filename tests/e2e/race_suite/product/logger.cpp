// SPDX-License-Identifier: Apache-2.0
// Fault: who logs reads the pointer to the filter while another sets it. With FIXED the pointer is atomic, so the order
// that the race test forces is still possible, and no race.
#include "logger.h"

#include <utility>

namespace shop {

bool Filter::accepts(Level level, const std::string& topic) const {
  return level >= least_ && (topic_.empty() || topic_ == topic);
}

void Logger::log(Level level, const std::string& text) { log(level, "", text); }

void Logger::log(Level level, const std::string& topic, const std::string& text) {
  const Filter* filter = filter_;
  if (filter != nullptr && !filter->accepts(level, topic)) return;
  const std::lock_guard<std::mutex> guard(text_mutex_);
  text_.push_back(topic.empty() ? text : topic + ": " + text);
}

void Logger::set_filter(Level least) { set_filter(Filter(least)); }

void Logger::set_filter(Filter filter) {
  const std::lock_guard<std::mutex> guard(owned_mutex_);
  owned_.push_back(std::make_unique<Filter>(std::move(filter)));
  filter_ = owned_.back().get();
}

std::size_t Logger::lines() const {
  const std::lock_guard<std::mutex> guard(text_mutex_);
  return text_.size();
}

}  // namespace shop
