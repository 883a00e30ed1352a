// SPDX-License-Identifier: Apache-2.0
// Four threads build, walk and tear down trees of their own: small allocations, many of them.
#include <memory>
#include <thread>
#include <vector>

namespace {

struct Node {
  std::unique_ptr<Node> left;
  std::unique_ptr<Node> right;
  int value = 0;
};

std::unique_ptr<Node> build(int depth) {
  auto node = std::make_unique<Node>();
  node->value = depth;
  if (depth > 0) {
    node->left = build(depth - 1);
    node->right = build(depth - 1);
  }
  return node;
}

long sum(const Node* node) {
  return node == nullptr ? 0 : node->value + sum(node->left.get()) + sum(node->right.get());
}

}  // namespace

int main() {
  std::vector<long> sums(4);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int round = 0; round < 12; ++round) sums[t] += sum(build(11).get());
    });
  }
  for (std::thread& thread : threads) thread.join();
  return sums[0] == sums[3] ? 0 : 1;
}
