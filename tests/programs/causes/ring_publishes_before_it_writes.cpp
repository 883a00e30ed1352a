// SPDX-License-Identifier: Apache-2.0
// A ring buffer for one producer and one consumer. The producer advances the head before it has written the slot, so
// the consumer can take a slot that still holds the value of the round before.
// FINDING: assertion
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

template <std::size_t Capacity>
class SampleRing {
 public:
  bool push(std::uint32_t sample) {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head - tail_.load(std::memory_order_acquire) == Capacity) return false;
    head_.store(head + 1, std::memory_order_release);                  // CAUSE: first
    slots_[head % Capacity].store(sample, std::memory_order_relaxed);  // CAUSE: second
    return true;
  }

  std::optional<std::uint32_t> pop() {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail == head_.load(std::memory_order_acquire)) return std::nullopt;                // CAUSE: second
    const std::uint32_t sample = slots_[tail % Capacity].load(std::memory_order_relaxed);  // CAUSE: first
    tail_.store(tail + 1, std::memory_order_release);
    return sample;
  }

  std::size_t size() const { return head_.load(std::memory_order_acquire) - tail_.load(std::memory_order_acquire); }

 private:
  std::array<std::atomic<std::uint32_t>, Capacity> slots_{};
  std::atomic<std::size_t> head_{0};
  std::atomic<std::size_t> tail_{0};
};

class Microphone {
 public:
  explicit Microphone(SampleRing<4>& ring) : ring_(ring) {}

  // As an interrupt would: it does not wait.
  void capture(std::uint32_t first, int count) {
    for (int i = 0; i < count; ++i) {
      if (!ring_.push(first + static_cast<std::uint32_t>(i))) ++overruns_;
    }
  }
  int overruns() const { return overruns_; }

 private:
  SampleRing<4>& ring_;
  int overruns_ = 0;
};

class Recorder {
 public:
  explicit Recorder(SampleRing<4>& ring) : ring_(ring) {}

  void poll(int times) {
    for (int i = 0; i < times; ++i) {
      if (const std::optional<std::uint32_t> sample = ring_.pop()) samples_.push_back(*sample);
    }
  }

  void drain() {
    while (const std::optional<std::uint32_t> sample = ring_.pop()) samples_.push_back(*sample);
  }

  bool empty() const { return samples_.empty(); }
  const std::vector<std::uint32_t>& samples() const { return samples_; }

 private:
  SampleRing<4>& ring_;
  std::vector<std::uint32_t> samples_;
};

int main() {
  constexpr std::uint32_t kFirst = 100;
  constexpr int kCount = 3;

  SampleRing<4> ring;
  Microphone microphone(ring);
  Recorder recorder(ring);
  std::thread interrupt([&] { microphone.capture(kFirst, kCount); });
  std::thread disk([&] { recorder.poll(3); });
  interrupt.join();
  disk.join();
  recorder.drain();

  assert(microphone.overruns() == 0);
  assert(!recorder.empty());
  assert(recorder.samples().size() == kCount);
  for (std::size_t i = 0; i < recorder.samples().size(); ++i) {
    assert(recorder.samples()[i] == kFirst + i);
  }
  assert(ring.size() == 0);
}
