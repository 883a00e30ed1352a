// SPDX-License-Identifier: Apache-2.0
// A token bucket. acquire() looks at the tokens and takes one with two atomic operations, so two callers can both see
// the last token and the bucket goes below zero. A compare-exchange loop is what it needs.
// FINDING: assertion
#include <atomic>
#include <cassert>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::chrono::milliseconds now() const = 0;
};

class ManualClock : public Clock {
 public:
  std::chrono::milliseconds now() const override { return std::chrono::milliseconds(now_.load()); }
  void advance(std::chrono::milliseconds by) { now_ += by.count(); }

 private:
  std::atomic<std::int64_t> now_{0};
};

class TokenBucket {
 public:
  TokenBucket(const Clock& clock, int capacity, std::chrono::milliseconds per_token)
      : clock_(clock), capacity_(capacity), per_token_(per_token), tokens_(capacity), last_(clock.now()) {}

  bool acquire() {
    refill();
    if (tokens_.load() <= 0) return false;  // CAUSE: first
    tokens_.fetch_sub(1);                   // CAUSE: second
    return true;
  }

  int tokens() const { return tokens_.load(); }

 private:
  void refill() {
    std::lock_guard lock(refill_mutex_);
    const auto now = clock_.now();
    const auto earned = static_cast<int>((now - last_) / per_token_);
    if (earned == 0) return;
    last_ += earned * per_token_;
    int seen = tokens_.load();
    while (!tokens_.compare_exchange_strong(seen, std::min(capacity_, seen + earned))) {
    }
  }

  const Clock& clock_;
  const int capacity_;
  const std::chrono::milliseconds per_token_;
  std::atomic<int> tokens_;
  std::mutex refill_mutex_;
  std::chrono::milliseconds last_;
};

class RateLimiter {
 public:
  explicit RateLimiter(const Clock& clock) : clock_(clock) {}

  void configure(const std::string& client, int capacity) {
    std::unique_lock lock(mutex_);
    buckets_[client] = std::make_unique<TokenBucket>(clock_, capacity, std::chrono::milliseconds(100));
  }

  bool allow(const std::string& client) {
    std::shared_lock lock(mutex_);
    const auto found = buckets_.find(client);
    return found == buckets_.end() || found->second->acquire();
  }

  int left(const std::string& client) const {
    std::shared_lock lock(mutex_);
    const auto found = buckets_.find(client);
    return found == buckets_.end() ? 0 : found->second->tokens();
  }

 private:
  const Clock& clock_;
  mutable std::shared_mutex mutex_;
  std::map<std::string, std::unique_ptr<TokenBucket>> buckets_;
};

int main() {
  ManualClock clock;
  RateLimiter limiter(clock);
  limiter.configure("web", 1);
  std::atomic<int> allowed{0};
  const auto client = [&limiter, &allowed] {
    if (limiter.allow("web")) allowed.fetch_add(1);
  };
  std::thread one(client);
  std::thread two(client);
  one.join();
  two.join();
  assert(allowed.load() == 1);
  clock.advance(std::chrono::milliseconds(250));
  assert(limiter.allow("web"));
  assert(limiter.left("web") == 0);
}
