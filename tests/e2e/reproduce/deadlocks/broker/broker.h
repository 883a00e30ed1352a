// SPDX-License-Identifier: Apache-2.0
// A broker with topics and subscribers. Publishing locks the topics and then the subscribers; leaving locks them the
// other way round, for subscribers that have a topic.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

class Broker {
 public:
  void subscribe(int subscriber, const std::string& topic) {
    std::scoped_lock both(topics_mutex_, subscribers_mutex_);
    topics_[topic].insert(subscriber);
    subscribers_[subscriber].insert(topic);
  }

  int publish(const std::string& topic, const std::string& message) {
    std::lock_guard<std::mutex> topics(topics_mutex_);
    const auto found = topics_.find(topic);
    if (found == topics_.end()) return 0;
    int told = 0;
    for (const int subscriber : found->second) told += tell(subscriber, message) ? 1 : 0;
    return told;
  }

  void leave(int subscriber) {
    std::lock_guard<std::mutex> subscribers(subscribers_mutex_);
    const auto found = subscribers_.find(subscriber);
    if (found == subscribers_.end()) return;
    for (const std::string& topic : found->second) drop(topic, subscriber);
    subscribers_.erase(found);
  }

  std::size_t topics() const {
    std::lock_guard<std::mutex> topics(topics_mutex_);
    return topics_.size();
  }

  std::size_t messages() const {
    std::lock_guard<std::mutex> subscribers(subscribers_mutex_);
    return messages_.size();
  }

 private:
  bool tell(int subscriber, const std::string& message) {
    std::lock_guard<std::mutex> subscribers(subscribers_mutex_);
    if (!subscribers_.contains(subscriber)) return false;
    if (messages_.size() < 100) messages_.push_back(message);
    return true;
  }

  void drop(const std::string& topic, int subscriber) {
    std::lock_guard<std::mutex> topics(topics_mutex_);
    topics_[topic].erase(subscriber);
  }

  mutable std::mutex topics_mutex_;
  mutable std::mutex subscribers_mutex_;
  std::map<std::string, std::set<int>> topics_;
  std::map<int, std::set<std::string>> subscribers_;
  std::vector<std::string> messages_;
};
