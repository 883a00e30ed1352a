// SPDX-License-Identifier: Apache-2.0
// Who wants to know about changes subscribes, and is told of each.
#pragma once

#include <functional>
#include <mutex>
#include <vector>

namespace shop {

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void update(int value) = 0;
};

class Summing : public Observer {
 public:
  void update(int value) override { sum_ += value; }
  int sum() const { return sum_; }

 private:
  int sum_ = 0;
};

class Subject {
 public:
  Subject();

  void subscribe(Observer& observer);
  void unsubscribe(const Observer& observer);
  void notify_all(int value);

 private:
  std::mutex mutex_;
  std::vector<Observer*> observers_;
};

}  // namespace shop
