// SPDX-License-Identifier: Apache-2.0
// Fault: the observers are told one after the other, from the list itself, while somebody may subscribe. With FIXED
// they are told from a copy that is made under the lock: the order that the race test forces is still possible.
#include "observer.h"

#include <algorithm>

namespace shop {

Subject::Subject() { observers_.reserve(64); }

void Subject::subscribe(Observer& observer) {
  const std::lock_guard<std::mutex> guard(mutex_);
  observers_.push_back(&observer);
}

void Subject::unsubscribe(const Observer& observer) {
  const std::lock_guard<std::mutex> guard(mutex_);
  const auto is_meant = [&observer](const Observer* one) { return one == &observer; };
  observers_.erase(std::remove_if(observers_.begin(), observers_.end(), is_meant), observers_.end());
}

void Subject::notify_all(int value) {
#ifdef FIXED
  std::unique_lock<std::mutex> guard(mutex_);
  const std::vector<Observer*> told = observers_;
  guard.unlock();
#else
  const std::vector<Observer*>& told = observers_;
#endif
  for (std::size_t i = 0; i < told.size(); ++i) {
    Observer& observer = *told[i];
    observer.update(value);
  }
}

}  // namespace shop
