// SPDX-License-Identifier: Apache-2.0
// A server and its client on a port that the program names. All executions share it; and after each of them it stays
// taken for a minute, because the server closed the connection first.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

int main() {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(17812);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto* const anywhere = reinterpret_cast<sockaddr*>(&address);
  std::thread server([&] {
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, anywhere, sizeof address) != 0 || listen(listener, 1) != 0) abort();
    std::thread client([&] {
      const int connection = socket(AF_INET, SOCK_STREAM, 0);
      if (connect(connection, anywhere, sizeof address) != 0) abort();
      char byte = 0;
      while (read(connection, &byte, 1) == 1) {
      }
      close(connection);
    });
    const int connection = accept(listener, nullptr, nullptr);
    if (write(connection, "x", 1) != 1) abort();
    close(connection);
    client.join();
    close(listener);
  });
  server.join();
}
