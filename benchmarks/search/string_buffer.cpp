// SPDX-License-Identifier: Apache-2.0
// String buffer: append against truncate. Appending another buffer asks for its length, then copies so many characters;
// each of the two holds the other buffer's lock, but not both together.
// Shown by: the other buffer is truncated between the two.
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

class Buffer {
 public:
  explicit Buffer(std::string text) : text_(std::move(text)) {}

  std::size_t length() {
    std::lock_guard lock(mutex_);
    return text_.size();
  }

  std::string characters(std::size_t count) {
    std::lock_guard lock(mutex_);
    assert(count <= text_.size());
    return text_.substr(0, count);
  }

  void truncate(std::size_t length) {
    std::lock_guard lock(mutex_);
    text_.resize(length);
  }

  void append(Buffer& other) {
    const std::size_t count = other.length();
    const std::string copied = other.characters(count);
    std::lock_guard lock(mutex_);
    text_ += copied;
  }

 private:
  std::mutex mutex_;
  std::string text_;
};

int main() {
  Buffer target("abc");
  Buffer source("defghi");
  std::thread appender([&] { target.append(source); });
  std::thread truncater([&] {
    target.truncate(2);
    source.truncate(1);
  });
  appender.join();
  truncater.join();
}
