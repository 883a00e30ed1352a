// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// A socket that has a path is bound before the first thread. Nobody removes the path: the next start must not find it.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cassert>
#include <thread>

int main() {
  sockaddr_un address{AF_UNIX, "socket-path"};
  auto* const named = reinterpret_cast<sockaddr*>(&address);
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(bind(listener, named, sizeof address) == 0 && listen(listener, 4) == 0);
  std::thread client([&] {
    const int end = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(connect(end, named, sizeof address) == 0);
    char text = 0;
    assert(read(end, &text, 1) == 1 && text == 'x');
    close(end);
  });
  const int end = accept(listener, nullptr, nullptr);
  assert(write(end, "x", 1) == 1);
  client.join();
  close(end);
  close(listener);
}
