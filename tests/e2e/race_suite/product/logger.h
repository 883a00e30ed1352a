// SPDX-License-Identifier: Apache-2.0
// A logger whose filter can be changed while others log.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace shop {

enum class Level : int { debug, info, warning, error };

class Filter {
 public:
  explicit Filter(Level least, std::string topic = "") : least_(least), topic_(std::move(topic)) {}
  bool accepts(Level level, const std::string& topic) const;

 private:
  Level least_;
  std::string topic_;
};

class Logger {
 public:
  Logger() = default;

  void log(Level level, const std::string& text);
  void log(Level level, const std::string& topic, const std::string& text);
  void set_filter(Level least);
  void set_filter(Filter filter);
  std::size_t lines() const;

 private:
#ifdef FIXED
  std::atomic<const Filter*> filter_{nullptr};
#else
  const Filter* filter_ = nullptr;
#endif
  std::mutex owned_mutex_;
  std::vector<std::unique_ptr<Filter>> owned_;  // all there ever were: somebody may still look at them
  mutable std::mutex text_mutex_;
  std::vector<std::string> text_;
};

}  // namespace shop
