// SPDX-License-Identifier: Apache-2.0
// A simulation in steps with a barrier made of two atomics. The last to arrive wakes the others before it resets the
// count, so a fast thread can arrive at the next step and be forgotten: the count is set to zero over its arrival.
// FINDING: livelock
// OPTIONS: --max-steps 200000
#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <numeric>
#include <thread>
#include <vector>

class StepBarrier {
 public:
  explicit StepBarrier(int parties) : parties_(parties) {}

  void arrive_and_wait() {
    const int step = step_.load();
    if (arrived_.fetch_add(1) + 1 == parties_) {  // CAUSE: first
      step_.store(step + 1);
      arrived_.store(0);  // CAUSE: second
      return;
    }
    while (step_.load() == step) std::this_thread::yield();
  }

 private:
  const int parties_;
  std::atomic<int> arrived_{0};
  std::atomic<int> step_{0};
};

struct Cell {
  std::atomic<int> now{0};
  std::atomic<int> next{0};
};

class Grid {
 public:
  explicit Grid(std::size_t size) : cells_(size) {
    for (std::size_t i = 0; i < size; ++i) cells_[i].now.store(static_cast<int>(i));
  }

  // Heat flows to the right.
  void prepare(std::size_t index) {
    const std::size_t left = (index + cells_.size() - 1) % cells_.size();
    cells_[index].next.store(cells_[left].now.load());
  }
  void commit(std::size_t index) { cells_[index].now.store(cells_[index].next.load()); }

  int sum() const {
    return std::accumulate(cells_.begin(), cells_.end(), 0,
                           [](int total, const Cell& cell) { return total + cell.now.load(); });
  }
  int hottest() const {
    int most = 0;
    for (const Cell& cell : cells_) most = std::max(most, cell.now.load());
    return most;
  }
  int at(std::size_t index) const { return cells_[index].now.load(); }
  std::size_t size() const { return cells_.size(); }

 private:
  std::vector<Cell> cells_;
};

class Simulation {
 public:
  explicit Simulation(std::size_t size) : grid_(size), barrier_(static_cast<int>(size)) {}

  void run(int steps) {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < grid_.size(); ++i) {
      threads.emplace_back([this, i, steps] { simulate(i, steps); });
    }
    for (std::thread& thread : threads) thread.join();
  }

  const Grid& grid() const { return grid_; }

 private:
  void simulate(std::size_t index, int steps) {
    for (int step = 0; step < steps; ++step) {
      grid_.prepare(index);
      barrier_.arrive_and_wait();
      grid_.commit(index);
      barrier_.arrive_and_wait();
    }
  }

  Grid grid_;
  StepBarrier barrier_;
};

int main() {
  Simulation simulation(2);
  simulation.run(1);
  assert(simulation.grid().sum() == 1);
  assert(simulation.grid().hottest() == 1);
  assert(simulation.grid().at(0) == 1);
}
