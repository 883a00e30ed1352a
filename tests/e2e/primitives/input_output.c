// SPDX-License-Identifier: Apache-2.0
// Threads that talk to each other through descriptors: nobody may block the others.
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>

#include "expect.h"

enum { kLarge = 300000 };
static int ends[2], back[2];
static char large[kLarge];

static pthread_t start(void* (*body)(void*), void* argument) {
  pthread_t thread;
  EXPECT_EQ(pthread_create(&thread, NULL, body, argument), 0);
  return thread;
}

static void read_all(int descriptor, char* buffer, size_t size) {
  size_t done = 0;
  while (done < size) {
    const ssize_t part = read(descriptor, buffer + done, size - done);
    EXPECT(part > 0);
    done += (size_t)part;
  }
}

static void* echo(void* argument) {
  char text[4];
  read_all(ends[0], text, 4);
  EXPECT_EQ(write(back[1], text, 4), 4);
  return argument;
}

static void ping_pong(void) {
  char text[4];
  EXPECT_EQ(pipe(ends), 0);
  EXPECT_EQ(pipe(back), 0);
  pthread_t thread = start(echo, NULL);
  EXPECT_EQ(write(ends[1], "ping", 4), 4);
  read_all(back[0], text, 4);
  EXPECT_EQ(memcmp(text, "ping", 4), 0);
  EXPECT_EQ(pthread_join(thread, NULL), 0);
}

static void* write_large(void* descriptor) {
  EXPECT_EQ(write(*(int*)descriptor, large, kLarge), kLarge);
  return NULL;
}

static void more_than_fits(int reader, int writer) {
  static char copy[kLarge];
  for (int i = 0; i < kLarge; ++i) large[i] = (char)(i * 7);
  memset(copy, 0, sizeof copy);
  pthread_t thread = start(write_large, &writer);
  read_all(reader, copy, kLarge);
  EXPECT_EQ(pthread_join(thread, NULL), 0);
  EXPECT_EQ(memcmp(copy, large, kLarge), 0);
}

static void* close_writer(void* argument) {
  EXPECT_EQ(close(ends[1]), 0);
  return argument;
}

static void end_of_file(void) {
  char byte;
  pthread_t thread = start(close_writer, NULL);
  EXPECT_EQ(read(ends[0], &byte, 1), 0);
  EXPECT_EQ(pthread_join(thread, NULL), 0);
  EXPECT_ERRNO(read(-1, &byte, 1), EBADF);
}

static void* send_later(void* descriptor) {
  struct iovec parts[2] = {{(void*)"ab", 2}, {(void*)"cd", 2}};
  EXPECT_EQ(writev(*(int*)descriptor, parts, 2), 4);
  EXPECT_EQ(send(*(int*)descriptor, "efgh", 4, 0), 4);
  return NULL;
}

static void sockets(void) {
  int pair[2];
  char text[9] = {0};
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
  EXPECT_ERRNO(recv(pair[0], text, 1, MSG_DONTWAIT), EAGAIN);
  pthread_t thread = start(send_later, &pair[1]);
  EXPECT_EQ(recv(pair[0], text, 8, MSG_WAITALL), 8);
  EXPECT_EQ(strcmp(text, "abcdefgh"), 0);
  EXPECT_EQ(pthread_join(thread, NULL), 0);
  more_than_fits(pair[0], pair[1]);
  EXPECT_EQ(shutdown(pair[1], SHUT_WR), 0);
  EXPECT_EQ(recv(pair[0], text, 1, 0), 0);
  close(pair[0]);
  close(pair[1]);
}

static struct sockaddr_un address = {.sun_family = AF_UNIX};
static socklen_t address_length;

static void* call_server(void* argument) {
  char answer = 0;
  const int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  EXPECT_EQ(connect(descriptor, (struct sockaddr*)&address, address_length), 0);
  EXPECT_EQ(recv(descriptor, &answer, 1, 0), 1);
  EXPECT_EQ(answer, 'x');
  close(descriptor);
  return argument;
}

static void server(void) {
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  // An abstract name that the kernel chooses.
  EXPECT_EQ(bind(listener, (struct sockaddr*)&address, sizeof address.sun_family), 0);
  address_length = sizeof address;
  EXPECT_EQ(getsockname(listener, (struct sockaddr*)&address, &address_length), 0);
  EXPECT_EQ(listen(listener, 1), 0);
  pthread_t thread = start(call_server, NULL);
  const int connection = accept(listener, NULL, NULL);
  EXPECT(connection >= 0);
  EXPECT_EQ(send(connection, "x", 1, 0), 1);
  EXPECT_EQ(pthread_join(thread, NULL), 0);
  close(connection);
  close(listener);
}

static int counter_descriptor;
static void* add_two(void* argument) {
  EXPECT_EQ(eventfd_write(counter_descriptor, 2), 0);
  return argument;
}

static void multiplexing(void) {
  eventfd_t value = 0;
  counter_descriptor = eventfd(0, 0);
  EXPECT(counter_descriptor >= 0);
  struct pollfd waited = {counter_descriptor, POLLIN, 0};
  EXPECT_EQ(poll(&waited, 1, 0), 0);
  EXPECT_EQ(poll(&waited, 1, 3), 0);

  pthread_t thread = start(add_two, NULL);
  EXPECT_EQ(poll(&waited, 1, -1), 1);
  EXPECT_EQ(waited.revents, POLLIN);
  EXPECT_EQ(eventfd_read(counter_descriptor, &value), 0);
  EXPECT_EQ(value, 2);
  EXPECT_EQ(pthread_join(thread, NULL), 0);

  thread = start(add_two, NULL);
  fd_set set;
  FD_ZERO(&set);
  FD_SET(counter_descriptor, &set);
  EXPECT_EQ(select(counter_descriptor + 1, &set, NULL, NULL, NULL), 1);
  EXPECT(FD_ISSET(counter_descriptor, &set));
  EXPECT_EQ(eventfd_read(counter_descriptor, &value), 0);
  struct timeval nothing = {0, 1000};
  EXPECT_EQ(select(counter_descriptor + 1, &set, NULL, NULL, &nothing), 0);
  EXPECT(!FD_ISSET(counter_descriptor, &set));
  EXPECT_EQ(pthread_join(thread, NULL), 0);

  const int group = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data = {.u32 = 5}};
  EXPECT_EQ(epoll_ctl(group, EPOLL_CTL_ADD, counter_descriptor, &event), 0);
  EXPECT_EQ(epoll_wait(group, &event, 1, 0), 0);
  EXPECT_EQ(epoll_wait(group, &event, 1, 2), 0);
  thread = start(add_two, NULL);
  EXPECT_EQ(epoll_wait(group, &event, 1, -1), 1);
  EXPECT_EQ(event.data.u32, 5);
  EXPECT_EQ(pthread_join(thread, NULL), 0);
  close(group);

  EXPECT_EQ(fcntl(counter_descriptor, F_SETFL, O_NONBLOCK), 0);
  EXPECT_EQ(eventfd_read(counter_descriptor, &value), 0);
  EXPECT_ERRNO(eventfd_read(counter_descriptor, &value), EAGAIN);
  close(counter_descriptor);
}

static void* print_in_turn(void* argument) {
  flockfile(stdout);
  flockfile(stdout);
  sched_yield();
  EXPECT_EQ(ftrylockfile(stdout), 0);
  fputs("one ", stdout);
  sched_yield();
  puts("line");
  for (int i = 0; i < 3; ++i) funlockfile(stdout);
  return argument;
}

static void* find_file_busy(void* argument) {
  EXPECT(ftrylockfile(stderr) != 0);
  return argument;
}

static void files(void) {
  pthread_t one = start(print_in_turn, NULL);
  pthread_t two = start(print_in_turn, NULL);
  EXPECT_EQ(pthread_join(one, NULL), 0);
  EXPECT_EQ(pthread_join(two, NULL), 0);
  flockfile(stderr);
  one = start(find_file_busy, NULL);
  EXPECT_EQ(pthread_join(one, NULL), 0);
  funlockfile(stderr);
}

int main(void) {
  ping_pong();
  more_than_fits(ends[0], ends[1]);
  end_of_file();
  sockets();
  server();
  multiplexing();
  files();
  return 0;
}
