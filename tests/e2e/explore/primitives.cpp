// SPDX-License-Identifier: Apache-2.0
// Forty bodies over all primitives, some right and some wrong. primitives NAME explores one of them and prints what
// came of it, without residence if BY_FORK is set; primitives alone lists the names.
#include <pthread.h>
#include <ravel/explore.h>
#include <semaphore.h>
#include <threads.h>

#include <atomic>
#include <barrier>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "bodies.h"

namespace {

using namespace std::chrono_literals;

// Both at the same time: here and in a thread.
template <typename Work>
void twice(Work work) {
  std::thread other(work);
  work();
  other.join();
}

template <typename Mutex>
void counts_under() {
  Mutex mutex;
  int count = 0;
  twice([&] {
    const std::lock_guard lock(mutex);
    ++count;
  });
  assert(count == 2);
}

void mutex_counts() { counts_under<std::mutex>(); }
void recursive_counts() {
  std::recursive_mutex mutex;
  int count = 0;
  twice([&] {
    const std::lock_guard outer(mutex);
    const std::lock_guard inner(mutex);
    ++count;
  });
  assert(count == 2);
}
void timed_counts() { counts_under<std::timed_mutex>(); }
void timed_gives_up() {
  std::timed_mutex mutex;
  int count = 0;
  twice([&] {
    if (!mutex.try_lock_for(1ms)) return;
    ++count;
    mutex.unlock();
  });
  assert(count == 2);  // not if one gave up
}
void recursive_timed_counts() { counts_under<std::recursive_timed_mutex>(); }
void shared_counts() { counts_under<std::shared_mutex>(); }
void shared_readers() {
  std::shared_mutex mutex;
  int value = 0;
  std::thread reader([&] {
    const std::shared_lock lock(mutex);
    assert(value == 0 || value == 2);
  });
  {
    const std::unique_lock lock(mutex);
    value = 1;
    value = 2;
  }
  reader.join();
}
void shared_timed_counts() { counts_under<std::shared_timed_mutex>(); }
void try_lock_skips() {
  std::mutex mutex;
  int count = 0;
  twice([&] {
    if (!mutex.try_lock()) return;
    ++count;
    mutex.unlock();
  });
  assert(count == 2);  // not if one skipped
}
void two_locks() {
  std::mutex left;
  std::mutex right;
  std::thread other([&] { const std::scoped_lock both(right, left); });
  { const std::scoped_lock both(left, right); }
  other.join();
}
void condition_waits() {
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  std::thread other([&] {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return ready; });
  });
  {
    const std::lock_guard lock(mutex);
    ready = true;
  }
  changed.notify_one();
  other.join();
}
void condition_times_out() {
  std::mutex mutex;
  std::condition_variable changed;
  std::thread other([&] {
    std::unique_lock lock(mutex);
    (void)changed.wait_for(lock, 1ms);
  });
  changed.notify_all();
  other.join();
}
void condition_any() {
  std::shared_mutex mutex;
  std::condition_variable_any changed;
  bool ready = false;
  std::thread other([&] {
    std::shared_lock lock(mutex);
    changed.wait(lock, [&] { return ready; });
  });
  {
    const std::unique_lock lock(mutex);
    ready = true;
  }
  changed.notify_all();
  other.join();
}
void semaphore_counts() {
  std::counting_semaphore<2> free(1);
  int count = 0;
  twice([&] {
    free.acquire();
    ++count;
    free.release();
  });
  assert(count == 2);
}
void semaphore_tries() {
  std::binary_semaphore free(1);
  int count = 0;
  twice([&] {
    if (!free.try_acquire()) return;
    ++count;
    free.release();
  });
  assert(count == 2);
}
void latch_waits() {
  std::latch both(2);
  int value = 0;
  std::thread other([&] {
    value = 1;
    both.count_down();
  });
  both.arrive_and_wait();
  assert(value == 1);
  other.join();
}
void barrier_phases() {
  int phases = 0;
  std::barrier meeting(2, [&]() noexcept { ++phases; });
  twice([&] {
    meeting.arrive_and_wait();
    meeting.arrive_and_wait();
  });
  assert(phases == 2);
}
void promise_keeps() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread other([&] { promise.set_value(7); });
  assert(future.get() == 7);
  other.join();
}
void promise_throws() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread other([&] { promise.set_exception(std::make_exception_ptr(std::runtime_error("no"))); });
  bool thrown = false;
  try {
    future.get();
  } catch (const std::runtime_error&) {
    thrown = true;
  }
  assert(thrown);
  other.join();
}
void async_runs() {
  int value = 0;
  auto done = std::async(std::launch::async, [&] { value = 1; });
  done.get();
  assert(value == 1);
}
void packaged_task_runs() {
  std::packaged_task<int()> task([] { return 3; });
  std::future<int> result = task.get_future();
  std::thread other(std::move(task));
  assert(result.get() == 3);
  other.join();
}
void atomic_adds() {
  std::atomic<int> count{0};
  twice([&] { ++count; });
  assert(count == 2);
}
void atomic_loses() {
  std::atomic<int> count{0};
  twice([&] { count = count + 1; });
  assert(count == 2);
}
void relaxed_message() {
  std::atomic<int> value{0};
  std::atomic<bool> ready{false};
  std::thread other([&] {
    value.store(1, std::memory_order_relaxed);
    ready.store(true, std::memory_order_relaxed);
  });
  if (ready.load(std::memory_order_relaxed)) assert(value.load(std::memory_order_relaxed) == 1);
  other.join();
}
void released_message() {
  int value = 0;
  std::atomic<bool> ready{false};
  std::thread other([&] {
    value = 1;
    ready.store(true, std::memory_order_release);
  });
  if (ready.load(std::memory_order_acquire)) assert(value == 1);
  other.join();
}
void store_buffers() {
  std::atomic<int> x{0};
  std::atomic<int> y{0};
  int seen = 0;
  std::thread other([&] {
    x.store(1);
    seen = y.load();
  });
  y.store(1);
  const int mine = x.load();
  other.join();
  assert(seen == 1 || mine == 1);
}
void fences() {
  int value = 0;
  std::atomic<bool> ready{false};
  std::thread other([&] {
    value = 1;
    std::atomic_thread_fence(std::memory_order_release);
    ready.store(true, std::memory_order_relaxed);
  });
  if (ready.load(std::memory_order_relaxed)) {
    std::atomic_thread_fence(std::memory_order_acquire);
    assert(value == 1);
  }
  other.join();
}
void exchanges_weakly() {
  std::atomic<int> value{0};
  twice([&] {
    int seen = value.load();
    while (!value.compare_exchange_weak(seen, seen + 1, std::memory_order_acq_rel)) {
    }
  });
  assert(value == 2);
}
void atomic_wait_notify() {
  std::atomic<int> value{0};
  std::thread other([&] { value.wait(0); });
  value = 1;
  value.notify_one();
  other.join();
}
void shared_pointers() {
  auto shared = std::make_shared<int>(1);
  std::thread other([copy = shared] { assert(*copy == 1); });
  shared.reset();
  other.join();
}
void jthread_stops() {
  std::atomic<bool> stopped{false};
  {
    std::jthread worker([&](const std::stop_token& token) {
      while (!token.stop_requested()) std::this_thread::yield();
      stopped = true;
    });
  }
  assert(stopped);
}
void call_once_runs_once() {
  std::once_flag once;
  int count = 0;
  twice([&] { std::call_once(once, [&] { ++count; }); });
  assert(count == 1);
}
thread_local int t_value = 0;
void thread_locals() {
  twice([] {
    ++t_value;
    assert(t_value == 1);
  });
}
void pthreads() {
  static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  static int value = 0;
  const auto work = [](void*) -> void* {
    pthread_rwlock_wrlock(&lock);
    ++value;
    pthread_rwlock_unlock(&lock);
    return nullptr;
  };
  pthread_t other;
  pthread_create(&other, nullptr, work, nullptr);
  work(nullptr);
  pthread_join(other, nullptr);
  assert(value == 2);
}
void posix_semaphores() {
  sem_t ready;
  sem_init(&ready, 0, 0);
  int value = 0;
  std::thread other([&] {
    value = 1;
    sem_post(&ready);
  });
  sem_wait(&ready);
  assert(value == 1);
  other.join();
  sem_destroy(&ready);
}
void c11_threads() {
  static mtx_t mutex;
  static int value = 0;
  mtx_init(&mutex, mtx_plain);
  const auto work = [](void*) -> int {
    mtx_lock(&mutex);
    ++value;
    mtx_unlock(&mutex);
    return 5;
  };
  thrd_t other;
  thrd_create(&other, work, nullptr);
  work(nullptr);
  int result = 0;
  thrd_join(other, &result);
  assert(result == 5 && value == 2);
  mtx_destroy(&mutex);
}
void sleeps() {
  std::atomic<int> value{0};
  std::thread other([&] {
    std::this_thread::sleep_for(5ms);
    value = 1;
  });
  std::this_thread::sleep_for(10ms);
  assert(value == 1);  // sleeping is no synchronisation
  other.join();
}
void chooses() {
  std::atomic<int> sum{0};
  twice([&] { sum += static_cast<int>(ravel::choose(3)); });
  assert(sum != 4);
}
void sections_and_points() {
  std::atomic<int> count{0};
  twice([&] {
    ravel::sync_point("before");
    const ravel::atomic_section section;
    count = count + 1;
  });
  assert(count == 2);
}
void races() {
  int value = 0;
  twice([&] { ++value; });
}

struct NamedBody {
  const char* name;
  void (*body)();
};
#define BODY(function) \
  { #function, function }
const NamedBody kBodies[] = {
    BODY(mutex_counts),
    BODY(recursive_counts),
    BODY(timed_counts),
    BODY(timed_gives_up),
    BODY(recursive_timed_counts),
    BODY(shared_counts),
    BODY(shared_readers),
    BODY(shared_timed_counts),
    BODY(try_lock_skips),
    BODY(two_locks),
    {"two_locks_deadlock", bodies::deadlock},
    BODY(condition_waits),
    {"condition_loses", bodies::lost_wakeup},
    BODY(condition_times_out),
    BODY(condition_any),
    BODY(semaphore_counts),
    BODY(semaphore_tries),
    BODY(latch_waits),
    BODY(barrier_phases),
    BODY(promise_keeps),
    BODY(promise_throws),
    BODY(async_runs),
    BODY(packaged_task_runs),
    BODY(atomic_adds),
    BODY(atomic_loses),
    BODY(relaxed_message),
    BODY(released_message),
    BODY(store_buffers),
    BODY(fences),
    BODY(exchanges_weakly),
    BODY(atomic_wait_notify),
    BODY(shared_pointers),
    BODY(jthread_stops),
    BODY(call_once_runs_once),
    BODY(thread_locals),
    BODY(pthreads),
    BODY(posix_semaphores),
    BODY(c11_threads),
    BODY(sleeps),
    BODY(chooses),
    BODY(sections_and_points),
    {"heap_blocks", bodies::use_after_free},
    BODY(races),
};

}  // namespace

int main(int count, char** words) {
  for (const NamedBody& one : kBodies) {
    if (count < 2) std::printf("%s\n", one.name);
    if (count < 2 || std::string(words[1]) != one.name) continue;
    ravel::ExploreOptions options;
    options.executions = 80;
    options.seed = 7;
    options.keep_going = true;
    options.quiet = true;
    if (std::getenv("BY_FORK") != nullptr) options.more_arguments = {"--no-resident"};
    const ravel::ExploreResult result = ravel::explore(options, one.body);
    std::printf("%s\nexecutions %llu orders %llu partial %llu complete %d fingerprint %llx\n", result.message.c_str(),
                static_cast<unsigned long long>(result.executions),
                static_cast<unsigned long long>(result.distinct_orders),
                static_cast<unsigned long long>(result.partial_orders), result.complete,
                static_cast<unsigned long long>(result.fingerprint));
  }
}
