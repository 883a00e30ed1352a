// SPDX-License-Identifier: Apache-2.0
// The standard library: shared_mutex, latch, barrier, semaphores, jthread with stop tokens, atomic wait and notify.
#include "variants.h"

#include <atomic>
#include <barrier>
#include <cassert>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <thread>
#include <vector>

static void shared_mutex() {
  std::shared_timed_mutex lock;
  std::vector<int> values;
  auto read = [&] {
    std::shared_lock guard(lock);
    assert(values.size() <= 2);
    for (int value : values) assert(value == 1);
  };
  auto write = [&] {
    std::unique_lock guard(lock);
    values.push_back(1);
  };
  std::thread one(write);
  std::thread two(read);
  std::thread three(read);
  write();
  one.join();
  two.join();
  three.join();
  assert(values.size() == 2);
}

static void latch() {
  std::latch written(2);
  int parts[2] = {};
  auto work = [&](int self) {
    parts[self] = self + 1;
    written.arrive_and_wait();
    assert(parts[1 - self] == 2 - self);
  };
  std::thread one(work, 0);
  std::thread two(work, 1);
  written.wait();
  assert(parts[0] + parts[1] == 3);
  one.join();
  two.join();
}

// The completion function runs between the arrivals and the departures of a phase, in one of the tasks.
static void barrier() {
  int parts[2] = {};
  int total = 0;
  std::barrier phase(2, [&]() noexcept { total += parts[0] + parts[1]; });
  auto work = [&](int self) {
    for (int round = 1; round <= 3; ++round) {
      parts[self] = round;
      phase.arrive_and_wait();
      // The other task cannot complete the next phase before this one arrives again.
      assert(total == round * (round + 1));
    }
  };
  std::thread one(work, 0);
  std::thread two(work, 1);
  one.join();
  two.join();
}

static void semaphores() {
  std::counting_semaphore<4> free_slots(2);
  std::counting_semaphore<4> used_slots(0);
  int slots[2] = {};
  std::thread producer([&] {
    for (int i = 0; i < 4; ++i) {
      free_slots.acquire();
      slots[i % 2] = i;
      used_slots.release();
    }
  });
  for (int i = 0; i < 4; ++i) {
    used_slots.acquire();
    assert(slots[i % 2] == i);
    free_slots.release();
  }
  producer.join();
}

static void stop_tokens() {
  std::mutex lock;
  std::condition_variable_any changed;
  int jobs = 0;
  int done = 0;
  bool stopped = false;
  {
    std::jthread worker([&](std::stop_token token) {
      std::unique_lock guard(lock);
      while (changed.wait(guard, token, [&] { return jobs > 0; })) {
        jobs -= 1;
        done += 1;
      }
    });
    std::stop_callback callback(worker.get_stop_token(), [&] { stopped = true; });
    std::jthread submitter([&] {
      {
        std::lock_guard guard(lock);
        jobs += 1;
      }
      changed.notify_one();
    });
    submitter.join();
    worker.request_stop();
    worker.join();
  }
  assert(stopped && done + jobs == 1);
}

static void atomic_wait() {
  std::atomic<int> turn{0};
  int data = 0;
  auto play = [&](int self) {
    for (int round = 0; round < 2; ++round) {
      int mine = 2 * round + self;
      for (int now = turn.load(); now != mine; now = turn.load()) turn.wait(now);
      data += 1;
      turn.store(mine + 1);
      turn.notify_all();
    }
  };
  std::thread one(play, 0);
  std::thread two(play, 1);
  one.join();
  two.join();
  assert(data == 4);
}

int main(int count, char** arguments) {
  return run_variant(count, arguments,
                     {{"shared_mutex", shared_mutex},
                      {"latch", latch},
                      {"barrier", barrier},
                      {"semaphores", semaphores},
                      {"stop_tokens", stop_tokens},
                      {"atomic_wait", atomic_wait}});
}
