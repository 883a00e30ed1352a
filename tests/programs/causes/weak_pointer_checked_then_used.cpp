// SPDX-License-Identifier: Apache-2.0
// A scene whose nodes know their parent by weak_ptr. The renderer asks whether the parent has expired and then locks
// the pointer without looking at the result; in between the last owner lets go, and the renderer dereferences null.
// FINDING: signal
#include <array>
#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

struct Vector2 {
  float x = 0;
  float y = 0;
  friend Vector2 operator+(Vector2 a, Vector2 b) { return {a.x + b.x, a.y + b.y}; }
};

class Node {
 public:
  Node(std::string name, Vector2 offset, std::weak_ptr<Node> parent = {})
      : name_(std::move(name)), offset_(offset), parent_(std::move(parent)) {}

  const std::string& name() const { return name_; }

  Vector2 position() const {
    if (parent_.expired()) return offset_;  // CAUSE: first
    const std::shared_ptr<Node> parent = parent_.lock();
    return parent->position() + offset_;
  }

 private:
  const std::string name_;
  const Vector2 offset_;
  const std::weak_ptr<Node> parent_;
};

class Scene {
 public:
  std::shared_ptr<Node> add(std::string name, Vector2 offset, const std::shared_ptr<Node>& parent = nullptr) {
    auto node = std::make_shared<Node>(std::move(name), offset, parent);
    std::lock_guard lock(mutex_);
    nodes_.push_back(node);
    return node;
  }

  void remove(const std::string& name) {
    std::lock_guard lock(mutex_);
    std::erase_if(nodes_, [&name](const auto& node) { return node->name() == name; });  // CAUSE: second
  }

  std::shared_ptr<Node> find(const std::string& name) const {
    std::lock_guard lock(mutex_);
    for (const auto& node : nodes_) {
      if (node->name() == name) return node;
    }
    return nullptr;
  }

  std::size_t size() const {
    std::lock_guard lock(mutex_);
    return nodes_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<Node>> nodes_;
};

class Renderer {
 public:
  explicit Renderer(std::shared_ptr<Node> node) : node_(std::move(node)) {}
  void draw() {
    const Vector2 at = node_->position();
    drawn_ = {at.x, at.y};
  }
  std::array<float, 2> drawn() const { return drawn_; }

 private:
  const std::shared_ptr<Node> node_;
  std::array<float, 2> drawn_{};
};

int main() {
  Scene scene;
  std::shared_ptr<Node> wheel;
  {
    const std::shared_ptr<Node> car = scene.add("car", {10, 0});
    wheel = scene.add("wheel", {1, 2}, car);
  }
  Renderer renderer(wheel);
  std::thread frame([&renderer] { renderer.draw(); });
  std::thread logic([&scene] { scene.remove("car"); });
  frame.join();
  logic.join();
  assert(scene.size() == 1);
  assert(scene.find("car") == nullptr && scene.find("wheel") == wheel);
  assert(renderer.drawn()[1] == 2);
}
