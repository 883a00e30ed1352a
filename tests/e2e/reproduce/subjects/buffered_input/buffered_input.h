// SPDX-License-Identifier: Apache-2.0
// A stream that reads ahead into a buffer. After BufferedInputStream of JDK 1.1, bug 4225348: close() takes no lock, so
// it can take the buffer away from a read that has checked that the stream is open.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

namespace streams {

// Where the bytes come from.
class ByteSource {
 public:
  explicit ByteSource(std::string text = "the quick brown fox") : text_(std::move(text)) {}
  virtual ~ByteSource() = default;
  virtual int read_some(char* to, int most);
  virtual int available() const { return static_cast<int>(text_.size() - at_); }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

class BufferedInputStream {
 public:
  explicit BufferedInputStream(ByteSource& source);
  BufferedInputStream(ByteSource& source, int size);

  int read();
  int read(char* to, int offset, int length);
  std::string read_line();
  long skip(long count);
  int peek();
  int available() const;
  void mark(int limit);
  void reset();
  bool mark_supported() const { return true; }
  void close();
  bool is_open() const;
  int position() const;
  int buffered() const;
  int capacity() const;

 private:
  struct Buffer {
    std::unique_ptr<char[]> bytes;
    int size = 0;
  };

  void check_open() const;
  void fill();
  int next_byte();

  mutable std::mutex mutex_;
  ByteSource& source_;
  Buffer* buffer_;
  int count_ = 0;
  int position_ = 0;
  int mark_ = -1;
  int mark_limit_ = 0;
};

}  // namespace streams
