// SPDX-License-Identifier: Apache-2.0
// An appender that writes to a file. After FileAppender of Log4j 1.2, issue 509: the file is closed without the lock,
// while another thread writes.
#pragma once

#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace log4cpp {

// Writes to memory or to a file that is already open.
class Writer {
 public:
  explicit Writer(bool buffered) : buffered_(buffered) {}
  void write(const std::string& text) { text_ += text; }
  void flush() { flushed_ = text_.size(); }
  std::size_t size() const { return text_.size(); }

 private:
  bool buffered_;
  std::string text_;
  std::size_t flushed_ = 0;
};

class FileAppender {
 public:
  FileAppender();
  FileAppender(const std::string& layout, const std::string& file, bool append);

  void activate();
  void append(const std::string& message);
  void append_all(const std::vector<std::string>& messages);
  void close();
  void flush();

  std::string get_file() const;
  void set_file(const std::string& file);
  bool get_append() const;
  void set_append(bool append);
  bool get_buffered_io() const;
  void set_buffered_io(bool buffered);
  int get_buffer_size() const;
  void set_buffer_size(int size);
  std::string get_layout() const;
  void set_layout(const std::string& layout);
  bool get_immediate_flush() const;
  void set_immediate_flush(bool flush);
  std::size_t written() const;
  bool is_active() const;

 private:
  void sub_append(const std::string& message);
  std::string format(const std::string& message) const;
  void reset();

  mutable std::mutex mutex_;
  Writer* writer_ = nullptr;
  std::vector<std::unique_ptr<Writer>> opened_;  // all of them, for the statistics
  std::string layout_ = "%m";
  std::string file_;
  bool append_ = true;
  bool buffered_ = false;
  bool immediate_flush_ = true;
  int buffer_size_ = 8192;
};

}  // namespace log4cpp
