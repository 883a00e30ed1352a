// SPDX-License-Identifier: Apache-2.0
// A document with an undo history. Editing locks the text, then the history; undoing the other way round, but only when
// there is something to undo.
#pragma once

#include <mutex>
#include <string>
#include <vector>

class Document {
 public:
  explicit Document(const std::string& text = "") : text_(text) {}

  void append(const std::string& more) {
    std::lock_guard<std::mutex> text(text_mutex_);
    remember(text_);
    text_ += more;
  }

  bool undo() {
    std::lock_guard<std::mutex> history(history_mutex_);
    if (history_.empty()) return false;
    restore(history_.back());
    history_.pop_back();
    return true;
  }

  std::string text() const {
    std::lock_guard<std::mutex> text(text_mutex_);
    return text_;
  }

  std::size_t versions() const {
    std::lock_guard<std::mutex> history(history_mutex_);
    return history_.size();
  }

  void forget() {
    std::lock_guard<std::mutex> history(history_mutex_);
    history_.clear();
  }

 private:
  void remember(const std::string& version) {
    std::lock_guard<std::mutex> history(history_mutex_);
    if (history_.size() < 100) history_.push_back(version);
  }

  void restore(const std::string& version) {
    std::lock_guard<std::mutex> text(text_mutex_);
    text_ = version;
  }

  mutable std::mutex text_mutex_;
  mutable std::mutex history_mutex_;
  std::string text_;
  std::vector<std::string> history_;
};
