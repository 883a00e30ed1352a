// SPDX-License-Identifier: Apache-2.0
#include "file_appender.h"

#include <stdexcept>

namespace log4cpp {

using Guard = std::lock_guard<std::mutex>;

FileAppender::FileAppender() = default;
FileAppender::FileAppender(const std::string& layout, const std::string& file, bool append)
    : layout_(layout), file_(file), append_(append) {}

void FileAppender::activate() {
  Guard guard(mutex_);
  if (file_.empty()) throw std::runtime_error("no file is set");
  reset();
  opened_.push_back(std::make_unique<Writer>(buffered_));
  writer_ = opened_.back().get();
}

std::string FileAppender::format(const std::string& message) const {
  const std::size_t at = layout_.find("%m");
  if (at == std::string::npos) return message + "\n";
  return layout_.substr(0, at) + message + layout_.substr(at + 2) + "\n";
}

void FileAppender::sub_append(const std::string& message) {
  const std::string line = format(message);
  writer_->write(line);
  if (immediate_flush_) {
    writer_->flush();
  }
}

void FileAppender::append(const std::string& message) {
  Guard guard(mutex_);
  if (writer_ == nullptr) return;
  sub_append(message);
}

void FileAppender::append_all(const std::vector<std::string>& messages) {
  for (const std::string& message : messages) append(message);
}

void FileAppender::reset() { writer_ = nullptr; }

void FileAppender::close() { reset(); }

void FileAppender::flush() {
  Guard guard(mutex_);
  if (writer_ != nullptr) writer_->flush();
}

std::string FileAppender::get_file() const {
  Guard guard(mutex_);
  return file_;
}
void FileAppender::set_file(const std::string& file) {
  Guard guard(mutex_);
  file_ = file;
}
bool FileAppender::get_append() const {
  Guard guard(mutex_);
  return append_;
}
void FileAppender::set_append(bool append) {
  Guard guard(mutex_);
  append_ = append;
}
bool FileAppender::get_buffered_io() const {
  Guard guard(mutex_);
  return buffered_;
}
void FileAppender::set_buffered_io(bool buffered) {
  Guard guard(mutex_);
  buffered_ = buffered;
  if (buffered) immediate_flush_ = false;
}
int FileAppender::get_buffer_size() const {
  Guard guard(mutex_);
  return buffer_size_;
}
void FileAppender::set_buffer_size(int size) {
  if (size <= 0) throw std::invalid_argument("not a size");
  Guard guard(mutex_);
  buffer_size_ = size;
}
std::string FileAppender::get_layout() const {
  Guard guard(mutex_);
  return layout_;
}
void FileAppender::set_layout(const std::string& layout) {
  Guard guard(mutex_);
  layout_ = layout;
}
bool FileAppender::get_immediate_flush() const {
  Guard guard(mutex_);
  return immediate_flush_;
}
void FileAppender::set_immediate_flush(bool flush) {
  Guard guard(mutex_);
  immediate_flush_ = flush;
}
std::size_t FileAppender::written() const {
  Guard guard(mutex_);
  std::size_t bytes = 0;
  for (const std::unique_ptr<Writer>& writer : opened_) bytes += writer->size();
  return bytes;
}
bool FileAppender::is_active() const {
  Guard guard(mutex_);
  return writer_ != nullptr;
}

}  // namespace log4cpp
