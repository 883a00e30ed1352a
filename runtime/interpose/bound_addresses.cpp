// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/bound_addresses.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstddef>

#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/scheduler/scheduler.h"

namespace ravel {
namespace {

// The port, in the machine's order; 0: the system chooses one, or it is no address of the internet.
std::uint16_t port_of(const sockaddr& address, unsigned length) {
  if (address.sa_family == AF_INET && length >= sizeof(sockaddr_in)) {
    return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
  }
  if (address.sa_family == AF_INET6 && length >= sizeof(sockaddr_in6)) {
    return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  }
  return 0;
}

bool is_abstract(const sockaddr& address, unsigned length) {
  return address.sa_family == AF_UNIX && length > offsetof(sockaddr_un, sun_path) &&
         reinterpret_cast<const sockaddr_un&>(address).sun_path[0] == '\0';
}

bool is_stream(int descriptor) {
  int type = 0;
  socklen_t size = sizeof type;
  return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

// With this option the kernel does not mind connections that were closed a while ago, if they had it too; it still
// minds listeners.
void allow_beside_closed(int descriptor) {
  const int on = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
}

}  // namespace

int bind_address(int descriptor, const sockaddr* address, unsigned length) {
  if (!runtime_active() || address == nullptr || length < sizeof address->sa_family) {
    return real().bind(descriptor, address, length);
  }
  const std::uint16_t port = port_of(*address, length);
  if (port != 0 || is_abstract(*address, length)) {
    Launch& launch = scheduler().channel().launch;
    launch.binds_address = 1;
    if (port != 0) launch.bound_port = port;
  }
  int result = real().bind(descriptor, address, length);
  if (port == 0 || !is_stream(descriptor)) return result;
  if (result == 0) {
    allow_beside_closed(descriptor);  // its connections inherit it, and the next execution may come soon
  } else if (errno == EADDRINUSE) {
    allow_beside_closed(descriptor);
    result = real().bind(descriptor, address, length);
  }
  return result;
}

}  // namespace ravel
