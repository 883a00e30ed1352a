// SPDX-License-Identifier: Apache-2.0
// What sync_points_test.py runs: small cases that call the functions of <ravel/sync.h> by hand, as woven code would.
#include <pthread.h>
#include <ravel/sync.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>

#define ACT(what, event, arrival, task)                                                       \
  do {                                                                                        \
    if (ravel_sync_is_running("order")) {                                                     \
      static struct ravel_sync_site site = {"order", event, "list.cpp:42", arrival, task, 0}; \
      ravel_sync_##what(&site);                                                               \
    }                                                                                         \
  } while (0)
#define WAIT(event) ACT(wait, event, 0, 0)
#define NOTIFY(event) ACT(notify, event, 0, 0)

namespace {

int shared;  // the race
std::mutex printing;
std::string order;

void note(char letter) {
  std::lock_guard hold(printing);
  order += letter;
}

template <typename F, typename G>
void both(F f, G g) {
  std::thread first(f);
  std::thread second(g);
  first.join();
  second.join();
}

// The second thread reads, then the first writes: the other way round than usual.
int reversed() {
  int seen = -1;
  both(
      [] {
        WAIT("read");
        shared = 1;
      },
      [&seen] {
        seen = shared;
        NOTIFY("read");
      });
  std::printf("saw %d\n", seen);
  return seen == 0 ? 0 : 1;
}

// Back and forth: one letter each, in an order that no schedule of a plain run is likely to have.
int ping_pong() {
  both(
      [] {
        WAIT("b");
        note('c');
        NOTIFY("c");
        WAIT("d");
        note('e');
      },
      [] {
        note('a');
        note('b');
        NOTIFY("b");
        WAIT("c");
        note('d');
        NOTIFY("d");
      });
  std::printf("order %s\n", order.c_str());
  return order == "abcde" ? 0 : 1;
}

// Both are there; the lock orders the accesses, whatever the actions do.
int locked() {
  both(
      [] {
        WAIT("read");
        std::lock_guard hold(printing);
        shared = 1;
      },
      [] {
        {
          std::lock_guard hold(printing);
          if (shared != 0) std::abort();
        }
        NOTIFY("read");
      });
  std::printf("done\n");
  return 0;
}

int never() {
  both([] { WAIT("never"); }, [] { NOTIFY("other"); });
  return 0;
}

// The main thread alone.
int alone() {
  NOTIFY("early");
  WAIT("early");
  WAIT("late");
  return 0;
}

// Notified before anybody waits, and before there is a second task.
int sticky() {
  NOTIFY("early");
  both([] { WAIT("early"); }, [] { WAIT("early"); });
  std::printf("done\n");
  return 0;
}

// Only the third arrival of the loop waits: the first two letters come without the notify.
int arrival() {
  both(
      [] {
        for (int i = 0; i < 4; ++i) {
          ACT(wait, "x", 3, 0);
          note('a');
          if (i == 1) NOTIFY("two");
        }
      },
      [] {
        WAIT("two");
        note('x');
        NOTIFY("x");
      });
  std::printf("order %s\n", order.c_str());
  return order == "aaxaa" ? 0 : 1;
}

void same_code(char letter) {
  ACT(wait, "second", 0, 1);
  note(letter);
  ACT(notify, "second", 0, 2);
}

// Both threads run the same code; T1 waits, T2 notifies.
int task() {
  same_code('m');
  both([] { same_code('1'); }, [] { same_code('2'); });
  std::printf("order %s\n", order.c_str());
  return order == "m21" ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "reversed") return reversed();
  if (what == "ping-pong") return ping_pong();
  if (what == "locked") return locked();
  if (what == "never") return never();
  if (what == "alone") return alone();
  if (what == "sticky") return sticky();
  if (what == "arrival") return arrival();
  if (what == "task") return task();
  return 2;
}
