// SPDX-License-Identifier: Apache-2.0
// Locks taken in both orders, in ways that can and cannot end in a deadlock. The argument says which.
#include <pthread.h>

#include <atomic>
#include <cstring>
#include <mutex>
#include <shared_mutex>
#include <thread>

namespace {

std::mutex a;
std::mutex b;
std::mutex c;
std::mutex gate;
std::mutex unrelated;
std::shared_mutex read_a;
std::shared_mutex read_b;
std::atomic<bool> later{false};

void a_then_b() {
  const std::lock_guard first(a);
  const std::lock_guard second(b);
}

void b_then_a() {
  const std::lock_guard first(b);
  const std::lock_guard second(a);
}

void work(int rounds) {
  for (int i = 0; i < rounds; ++i) const std::lock_guard lock(unrelated);
}

// Can happen, but one task is in its two lines only after a thousand steps of the other.
void rare() {
  std::thread early(a_then_b);
  std::thread late([] {
    work(500);
    b_then_a();
    work(500);
  });
  early.join();
  late.join();
}

// Three in a cycle.
void three() {
  std::thread first([] {
    const std::lock_guard x(a);
    const std::lock_guard y(b);
  });
  std::thread second([] {
    work(300);
    const std::lock_guard x(b);
    const std::lock_guard y(c);
  });
  std::thread third([] {
    work(600);
    const std::lock_guard x(c);
    const std::lock_guard y(a);
  });
  first.join();
  second.join();
  third.join();
}

// One is over before the other begins.
void joined() {
  std::thread(a_then_b).join();
  std::thread(b_then_a).join();
}

// Only one of them can be between its two locks.
void gated() {
  std::thread first([] {
    const std::lock_guard outer(gate);
    a_then_b();
  });
  std::thread second([] {
    const std::lock_guard outer(gate);
    b_then_a();
  });
  first.join();
  second.join();
}

// One task may take them as it likes.
void alone() {
  std::thread both([] {
    a_then_b();
    b_then_a();
  });
  std::thread other([] { work(3); });
  both.join();
  other.join();
}

// Those who only read do not wait for each other.
void readers() {
  std::thread first([] {
    const std::shared_lock x(read_a);
    const std::shared_lock y(read_b);
  });
  std::thread second([] {
    const std::shared_lock x(read_b);
    const std::shared_lock y(read_a);
  });
  first.join();
  second.join();
}

// Who gives up when it does not get the second lock waits for nobody.
void trying() {
  std::thread first(a_then_b);
  std::thread second([] {
    const std::lock_guard x(b);
    if (a.try_lock()) a.unlock();
  });
  first.join();
  second.join();
}

// std::scoped_lock takes its locks in any order, and backs off.
void scoped() {
  std::thread first([] { const std::scoped_lock both(a, b); });
  std::thread second([] { const std::scoped_lock both(b, a); });
  first.join();
  second.join();
}

// Memory of a lock that is gone serves another: the addresses make a cycle, the locks do not.
void reused() {
  static pthread_mutex_t pair[2];
  const auto one_then_other = [](int one) {
    for (pthread_mutex_t& mutex : pair) pthread_mutex_init(&mutex, nullptr);
    pthread_mutex_lock(&pair[one]);
    pthread_mutex_lock(&pair[1 - one]);
    pthread_mutex_unlock(&pair[1 - one]);
    pthread_mutex_unlock(&pair[one]);
    for (pthread_mutex_t& mutex : pair) pthread_mutex_destroy(&mutex);
  };
  std::thread first([&] {
    one_then_other(0);
    later.store(true);
  });
  std::thread second([&] {
    while (!later.load()) std::this_thread::yield();
    one_then_other(1);
  });
  first.join();
  second.join();
}

// Cannot happen, but only because the second one waits for a word of the first: that is more than the locks tell.
void flagged() {
  std::thread first([] {
    a_then_b();
    later.store(true);
  });
  std::thread second([] {
    while (!later.load()) std::this_thread::yield();
    b_then_a();
  });
  first.join();
  second.join();
}

}  // namespace

int main(int, char** arguments) {
  const struct {
    const char* name;
    void (*run)();
  } cases[] = {{"rare", rare},       {"three", three},   {"joined", joined}, {"gated", gated},   {"alone", alone},
               {"readers", readers}, {"trying", trying}, {"scoped", scoped}, {"reused", reused}, {"flagged", flagged}};
  for (const auto& each : cases) {
    if (std::strcmp(arguments[1], each.name) == 0) {
      each.run();
      return 0;
    }
  }
  return 99;
}
