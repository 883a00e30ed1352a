// SPDX-License-Identifier: Apache-2.0
// Keys and C++ thread_local: fresh in every thread, destroyed at its end, in order, under control.
#include <limits.h>
#include <pthread.h>

#include <mutex>
#include <string>
#include <thread>

#include "expect.h"

namespace {

std::mutex g_mutex;
std::string g_order;

void note(char what) {
  const std::lock_guard<std::mutex> lock(g_mutex);
  g_order += what;
}

struct Noted {
  char name;
  explicit Noted(char which) : name(which) {}
  ~Noted() { note(name); }
};

thread_local int t_number = 7;
thread_local Noted t_first('a');
thread_local Noted t_second('b');

pthread_key_t g_key;
pthread_key_t g_stubborn;
int g_stubborn_runs = 0;

void destroy_value(void* value) {
  EXPECT(pthread_getspecific(g_key) == nullptr);
  note(*static_cast<char*>(value));
}

void come_again(void* value) {
  ++g_stubborn_runs;
  EXPECT_EQ(pthread_setspecific(g_stubborn, value), 0);
}

char g_letter = 'k';

void use_storage() {
  EXPECT_EQ(t_number, 7);
  t_number = 8;
  EXPECT_EQ(t_first.name, 'a');
  EXPECT_EQ(t_second.name, 'b');
  EXPECT(pthread_getspecific(g_key) == nullptr);
  EXPECT_EQ(pthread_setspecific(g_key, &g_letter), 0);
  std::this_thread::yield();
  EXPECT_EQ(t_number, 8);
  EXPECT(pthread_getspecific(g_key) == &g_letter);
}

void* leave_early(void*) {
  use_storage();
  pthread_exit(nullptr);
}

}  // namespace

int main() {
  EXPECT_EQ(pthread_key_create(&g_key, &destroy_value), 0);
  EXPECT_EQ(pthread_setspecific(g_key, &g_key), 0);
  for (int i = 0; i < 3; ++i) {
    g_order.clear();
    std::thread(use_storage).join();
    EXPECT(g_order == "bak");  // newest thread_local first, then keys
  }
  g_order.clear();
  std::thread one(use_storage);
  std::thread two(use_storage);
  one.join();
  two.join();
  EXPECT_EQ(g_order.size(), 6);

  g_order.clear();
  pthread_t thread;
  EXPECT_EQ(pthread_create(&thread, nullptr, &leave_early, nullptr), 0);
  EXPECT_EQ(pthread_join(thread, nullptr), 0);
  EXPECT(g_order == "bak");
  EXPECT(pthread_getspecific(g_key) == &g_key);

  EXPECT_EQ(pthread_key_create(&g_stubborn, &come_again), 0);
  std::thread([] { EXPECT_EQ(pthread_setspecific(g_stubborn, &g_letter), 0); }).join();
  EXPECT_EQ(g_stubborn_runs, PTHREAD_DESTRUCTOR_ITERATIONS);

  EXPECT_EQ(pthread_key_delete(g_key), 0);
  EXPECT_EQ(pthread_key_delete(g_key), EINVAL);
  EXPECT_EQ(pthread_setspecific(g_key, &g_key), EINVAL);
  EXPECT_EQ(pthread_key_delete(g_stubborn), 0);
  std::thread([] { EXPECT_EQ(t_number, 7); }).join();
  return 0;
}
