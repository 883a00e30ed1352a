// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// An event loop with a timer, to which other threads post work through an eventfd. Nothing outside takes part, so no
// wait takes real time.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cassert>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

class Loop {
 public:
  Loop()
      : set_(epoll_create1(0)), wake_(eventfd(0, EFD_NONBLOCK)), timer_(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK)) {
    add(wake_);
    add(timer_);
    const itimerspec each_tick = {{0, 5'000'000}, {0, 5'000'000}};
    assert(timerfd_settime(timer_, 0, &each_tick, nullptr) == 0);
  }
  ~Loop() {
    close(timer_);
    close(wake_);
    close(set_);
  }

  void post(std::function<void()> work) {
    {
      std::lock_guard lock(mutex_);
      queue_.push_back(std::move(work));
    }
    const std::uint64_t one = 1;
    assert(write(wake_, &one, sizeof one) == sizeof one);
  }

  void run() {
    while (!stopped_ || ticks_ < 3) {
      epoll_event events[4];
      const int count = epoll_wait(set_, events, 4, -1);
      for (int i = 0; i < count; ++i) {
        std::uint64_t value = 0;
        if (read(events[i].data.fd, &value, sizeof value) != sizeof value) continue;
        if (events[i].data.fd == timer_) {
          ticks_ += static_cast<int>(value);
        } else {
          work();
        }
      }
    }
  }

  void stop() {
    post([this] { stopped_ = true; });
  }

 private:
  void add(int descriptor) {
    epoll_event event = {};
    event.events = EPOLLIN;
    event.data.fd = descriptor;
    assert(epoll_ctl(set_, EPOLL_CTL_ADD, descriptor, &event) == 0);
  }

  void work() {
    std::deque<std::function<void()>> now;
    {
      std::lock_guard lock(mutex_);
      now.swap(queue_);
    }
    for (auto& each : now) each();
  }

  const int set_;
  const int wake_;
  const int timer_;
  std::mutex mutex_;
  std::deque<std::function<void()>> queue_;
  bool stopped_ = false;  // these two belong to the loop's thread
  int ticks_ = 0;
};

int main() {
  int sum = 0;
  Loop loop;
  std::thread runs([&] { loop.run(); });
  std::thread posts([&] {
    for (int i = 1; i <= 2; ++i) {
      loop.post([&sum, i] { sum += i; });
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
    }
    loop.stop();
  });
  posts.join();
  runs.join();
  assert(sum == 3);
}
