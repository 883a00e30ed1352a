// SPDX-License-Identifier: Apache-2.0
// What analyzer_test.py looks for points in. Names repeat on purpose.
#include <cassert>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#define PUSH(where, what) where.push_back(what)
#define COUNTED(x) /* ravel: 70 */ ++(x)

namespace data {

class List {
 public:
  explicit List(int first) : size_(first) {}
  void add(int value) {
    std::lock_guard<std::mutex> hold(mutex_);
    /* ravel: 1 */
    values_.push_back(value);
    values_.push_back(value + 1);  // ravel: 2 both are in
    ++size_;
  }
  void add(const std::string& text) {
    values_.push_back(static_cast<int>(text.size()));  // ravel: 3
  }
  bool is_empty() const {
    if (size_ == 0) return true;
    return values_.empty();
  }
  int at(int index) { return values_[static_cast<unsigned>(index)]; /* ravel: 4 */ }
  int at(int index) const {
    /* ravel: 5 */
    return values_[static_cast<unsigned>(index)];
  }
  void grow();

  class Node {
   public:
    void link() {
      /* ravel: 1 */
      linked_ = true;
    }

   private:
    bool linked_ = false;
  };

 private:
  std::mutex mutex_;
  std::vector<int> values_;
  int size_ = 0;
};

void List::grow() {
  for (int i = 0; i < size_; ++i) /* ravel: 6 */
    values_.push_back(i);
  while (size_ < 3) size_ += 1;
  if (size_ > 2)
    values_.clear();
  else
    values_.pop_back();
  PUSH(values_, 7);
  int hidden = 0;
  COUNTED(hidden);
}

}  // namespace data

namespace other {
class Node {
 public:
  void link() {
    // ravel: 1
    count_ += 1;
  }

 private:
  int count_ = 0;
};
}  // namespace other

template <typename T>
class Box {
 public:
  void put(T value) {
    /* ravel: 1 */
    value_ = value;
    value_.size();
  }

 private:
  T value_;
};

template <>
void Box<std::vector<int>>::put(std::vector<int> value) {
  /* ravel: 2 */
  value_ = value;
}

int total(const std::map<int, int>& numbers) {
  int sum = 0;
  auto add = [&](int more) {
    /* ravel: 1 */
    sum += more;
  };
  for (const auto& [key, value] : numbers) {
    switch (key) {
      case 1:
        // ravel: 2
        add(value);
        break;
      default:
        sum -= value;
    }
  }
#ifdef NOT_HERE
  /* ravel: 9 */
#endif
  return sum;
}

/* ravel: 77 */
constexpr int twice(int x) {
  /* ravel: 1 */
  return x + x;
}

int main() {
  data::List list(1);
  list.add(1);
  list.add("two");
  list.grow();
  data::List::Node node;
  node.link();
  Box<std::string> box;
  box.put("x");
  const data::List& view = list;
  return total({{1, 2}}) + twice(1) + view.at(0) + view.is_empty() > 100 ? 1 : 0;
}
