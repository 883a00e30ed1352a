// SPDX-License-Identifier: Apache-2.0
#include "all_accesses.inc"

#include <atomic>
#include <stdexcept>

namespace {

// The pointer to the virtual functions is written by constructors and destructors, and read by calls.
struct Shape {
  virtual ~Shape() = default;
  virtual int corners() const { return 0; }
};
struct Square : Shape {
  ~Square() override { seen = corners(); }
  int corners() const override { return 4; }
  int seen = 0;
};

__attribute__((noinline)) int count(const Shape* shape) { return shape->corners(); }

// An exception leaves the function without passing its end.
__attribute__((noinline)) void leave(int* value) {
  if (*value != 0) throw std::runtime_error("left");
}

std::atomic<bool> flag;
std::atomic<int*> pointer;
std::atomic_flag once = ATOMIC_FLAG_INIT;

}  // namespace

int main() {
  Shape* square = new Square;
  EXPECT(count(square) == 4);
  delete square;
  int value = 1;
  try {
    leave(&value);
    EXPECT(false);
  } catch (const std::runtime_error&) {
  }
  flag = true;
  pointer.store(&value);
  EXPECT(flag.exchange(false) && pointer.load() == &value && !once.test_and_set());
  pointer.fetch_add(1);
  return touch_everything();
}
