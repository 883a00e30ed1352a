// SPDX-License-Identifier: Apache-2.0
#include "driver/target/processor_seat.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>
#include <string>
#include <utility>

namespace ravel {
namespace {

// Invalid when another process has it.
FileDescriptor claim_processor(unsigned number) {
  FileDescriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  const std::string name = fmt::format("ravel-processor-{}", number);
  std::memcpy(address.sun_path + 1, name.data(), name.size());  // after a zero byte: not a file
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), length) != 0) return {};
  return socket;
}

}  // namespace

const cpu_set_t& ProcessorSeat::all() {
  // First called before any seat is taken: afterwards the answer would be that one seat.
  static const cpu_set_t at_start = [] {
    cpu_set_t set;
    CPU_ZERO(&set);
    ::sched_getaffinity(0, sizeof set, &set);
    return set;
  }();
  return at_start;
}

ProcessorSeat::ProcessorSeat(unsigned jobs) {
  const cpu_set_t& allowed = all();
  if (static_cast<unsigned>(CPU_COUNT(&allowed)) < jobs) return;
  constexpr unsigned kMostNumbers = 255;  // what fits into LaunchOptions::processor
  for (unsigned number = kMostNumbers; number-- > 0;) {
    if (!CPU_ISSET(number, &allowed)) continue;
    FileDescriptor claim = claim_processor(number);
    if (!claim.valid()) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(number, &one);
    if (::sched_setaffinity(0, sizeof one, &one) != 0) return;
    claim_ = std::move(claim);
    number_ = static_cast<std::uint8_t>(number + 1);
    return;
  }
}

ProcessorSeat::~ProcessorSeat() {
  if (number_ != 0) ::sched_setaffinity(0, sizeof(cpu_set_t), &all());
}

}  // namespace ravel
