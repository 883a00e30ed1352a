// SPDX-License-Identifier: Apache-2.0
#include "driver/target/shared_channel.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace ravel {
namespace {

Status no_shared_memory(const char* call) {
  return Status::trouble(
      std::string("cannot make memory shared with the program: ") + call + ": " + std::strerror(errno),
      "check the memory limits of this shell or container (ulimit -v, ulimit -n)");
}

}  // namespace

Result<SharedChannel> SharedChannel::create(const LaunchOptions& launch) {
  FileDescriptor fd(::memfd_create("ravel-channel", MFD_CLOEXEC));
  if (!fd.valid()) return no_shared_memory("memfd_create");
  if (::ftruncate(fd.get(), sizeof(Channel)) != 0) return no_shared_memory("ftruncate");
  void* const memory =
      ::mmap(nullptr, sizeof(Channel), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd.get(), 0);
  if (memory == MAP_FAILED) return no_shared_memory("mmap");
  // A new file reads as zeros, the initial value of every field not set here. Constructing a whole Channel would touch,
  // and so allocate, all of it.
  auto* const channel = static_cast<Channel*>(memory);
  channel->magic = kChannelMagic;
  channel->bytes = sizeof(Channel);
  channel->launch.options = launch;
  return SharedChannel(std::move(fd), channel);
}

SharedChannel::~SharedChannel() {
  if (channel_ != nullptr) ::munmap(channel_, sizeof(Channel));
}

}  // namespace ravel
