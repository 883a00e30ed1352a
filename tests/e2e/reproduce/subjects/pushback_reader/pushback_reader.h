// SPDX-License-Identifier: Apache-2.0
// A reader that characters can be pushed back into. After PushbackReader of JDK 1.8, bug 8143394: close() forgets the
// buffer without the lock.
#pragma once

#include <memory>
#include <mutex>
#include <string>

namespace streams {

class PushbackReader {
 public:
  explicit PushbackReader(const std::string& text);
  PushbackReader(const std::string& text, int size);

  int read();
  int read(char* to, int length);
  std::string read_all();
  void unread(int character);
  void unread(const std::string& text);
  bool ready() const;
  long skip(int count);
  void mark();
  void reset();
  bool mark_supported() const { return false; }
  void close();
  bool is_open() const;
  int free_space() const;

 private:
  void ensure_open() const;

  mutable std::mutex mutex_;
  std::string text_;
  std::size_t at_ = 0;
  std::unique_ptr<char[]> storage_;
  char* pushed_;  // null when closed
  int size_;
  int position_;
};

}  // namespace streams
