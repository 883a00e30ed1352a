// SPDX-License-Identifier: Apache-2.0
// A parallel compressor. When the producer has read everything, the main thread frees the queue, though a consumer
// still has to look at it once more to see that there is nothing left. After a defect of a parallel compressor.
// FINDING: use-after-free
#include <cassert>
#include <cstddef>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <queue>
#include <semaphore>
#include <string>
#include <thread>
#include <utility>
#include <vector>

struct Block {
  std::size_t number = 0;
  std::string data;
};

class BlockQueue {
 public:
  void push(Block block) {
    std::lock_guard lock(mutex_);
    blocks_.push(std::move(block));
    available_.release();
  }

  std::optional<Block> pop() {
    available_.acquire();          // CAUSE: second
    std::lock_guard lock(mutex_);  // CAUSE: second
    if (blocks_.empty()) return std::nullopt;
    Block block = std::move(blocks_.front());
    blocks_.pop();
    return block;
  }

  void finish() { available_.release(); }

 private:
  std::mutex mutex_;
  std::queue<Block> blocks_;
  std::counting_semaphore<64> available_{0};
};

std::string run_length(const std::string& data) {
  std::string packed;
  for (std::size_t i = 0; i < data.size();) {
    std::size_t end = i;
    while (end < data.size() && data[end] == data[i]) ++end;
    packed += std::to_string(end - i) + data[i];
    i = end;
  }
  return packed;
}

std::size_t packed_size(const std::vector<std::string>& blocks) {
  return std::accumulate(blocks.begin(), blocks.end(), std::size_t{0},
                         [](std::size_t sum, const std::string& block) { return sum + block.size(); });
}

class Compressor {
 public:
  explicit Compressor(std::size_t blocks) : output_(blocks), left_(blocks) {}

  std::vector<std::string> compress(const std::vector<std::string>& input) {
    auto* const queue = new BlockQueue;
    std::thread consumer([this, queue] { consume(queue); });
    for (std::size_t i = 0; i < input.size(); ++i) queue->push({i, input[i]});
    queue->finish();
    done_.acquire();
    delete queue;  // CAUSE: first
    consumer.join();
    return output_;
  }

 private:
  void consume(BlockQueue* queue) {
    while (std::optional<Block> block = queue->pop()) {  // CAUSE: second
      output_[block->number] = run_length(block->data);
      if (--left_ == 0) done_.release();
    }
  }

  std::vector<std::string> output_;
  std::size_t left_;
  std::binary_semaphore done_{0};
};

int main() {
  const std::vector<std::string> input{"aaab", "cc"};
  Compressor compressor(input.size());
  const std::vector<std::string> output = compressor.compress(input);
  assert((output == std::vector<std::string>{"3a1b", "2c"}));
  assert(packed_size(output) == 6);
}
