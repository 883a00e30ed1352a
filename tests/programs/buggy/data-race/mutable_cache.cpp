// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: a const member function must be safe to call from two tasks ([res.on.data.races]); this one fills a cache.
#include <thread>

class Circle {
 public:
  double area() const {
    if (!known_) {
      area_ = 3.0 * radius_ * radius_;
      known_ = true;
    }
    return area_;
  }

 private:
  double radius_ = 2;
  mutable bool known_ = false;
  mutable double area_ = 0;
};

int main() {
  const Circle circle;
  double seen[2] = {};
  std::thread first([&] { seen[0] = circle.area(); });
  std::thread second([&] { seen[1] = circle.area(); });
  first.join();
  second.join();
}
