// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: the cache has a lock inside the object.
#include <cassert>
#include <mutex>
#include <thread>

class Circle {
 public:
  double area() const {
    std::lock_guard lock(guard_);
    if (!known_) {
      area_ = 3.0 * radius_ * radius_;
      known_ = true;
    }
    return area_;
  }

 private:
  double radius_ = 2;
  mutable std::mutex guard_;
  mutable bool known_ = false;
  mutable double area_ = 0;
};

int main() {
  const Circle circle;
  auto use = [&circle] { assert(circle.area() == 12.0); };
  std::thread first(use);
  std::thread second(use);
  first.join();
  second.join();
}
