// SPDX-License-Identifier: Apache-2.0
// SharedChannel: the driver's end of trace/channel.h: a sparse memfd mapped into this process and passed to one target.
// Owned by Target, or by the debugger (driver/cli). Thread safety: see trace/channel.h; only the owner touches it.
#pragma once

#include "base/status.h"
#include "driver/process/file_descriptor.h"
#include "trace/channel.h"

namespace ravel {

class SharedChannel {
 public:
  static Result<SharedChannel> create(const LaunchOptions& launch);

  SharedChannel(SharedChannel&& other) noexcept
      : fd_(std::move(other.fd_)), channel_(std::exchange(other.channel_, nullptr)) {}
  SharedChannel& operator=(SharedChannel&&) = delete;
  ~SharedChannel();

  int fd() const { return fd_.get(); }
  Channel& operator*() { return *channel_; }
  Channel* operator->() { return channel_; }
  const Channel& operator*() const { return *channel_; }

 private:
  SharedChannel(FileDescriptor fd, Channel* channel) : fd_(std::move(fd)), channel_(channel) {}

  FileDescriptor fd_;
  Channel* channel_;
};

}  // namespace ravel
