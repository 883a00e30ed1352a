// SPDX-License-Identifier: Apache-2.0
// A document model calls its observers while it holds its lock, and an observer takes the lock of its view. The
// view's own thread holds the view's lock when it asks the model for the text: a circle of two locks.
// FINDING: deadlock
#include <cassert>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

class Model {
 public:
  using Observer = std::function<void(std::size_t length)>;

  void observe(Observer observer) {
    std::lock_guard lock(mutex_);
    observers_.push_back(std::move(observer));
  }

  void append(const std::string& text) {
    std::lock_guard lock(mutex_);
    text_ += text;
    ++revision_;
    for (const Observer& observer : observers_) observer(text_.size());
  }

  std::string text() const {
    std::lock_guard lock(mutex_);  // CAUSE: second
    return text_;
  }

  int revision() const {
    std::lock_guard lock(mutex_);
    return revision_;
  }

 private:
  mutable std::mutex mutex_;
  std::string text_;
  int revision_ = 0;
  std::vector<Observer> observers_;
};

class View {
 public:
  explicit View(Model& model) : model_(model) {
    model_.observe([this](std::size_t length) { changed(length); });
  }

  void paint() {
    std::lock_guard lock(mutex_);
    painted_ = model_.text();
    dirty_ = painted_.size() != length_;
  }

  std::string painted() const {
    std::lock_guard lock(mutex_);
    return painted_;
  }

  bool dirty() const {
    std::lock_guard lock(mutex_);
    return dirty_;
  }

 private:
  void changed(std::size_t length) {
    std::lock_guard lock(mutex_);  // CAUSE: first
    length_ = length;
    dirty_ = true;
  }

  Model& model_;
  mutable std::mutex mutex_;
  std::string painted_;
  std::size_t length_ = 0;
  bool dirty_ = false;
};

class Editor {
 public:
  Editor() : view_(model_) {}
  void type(const std::string& text) { model_.append(text); }
  void refresh() { view_.paint(); }
  const View& view() const { return view_; }
  const Model& model() const { return model_; }

 private:
  Model model_;
  View view_;
};

int main() {
  Editor editor;
  std::thread keyboard([&editor] { editor.type("hello"); });
  std::thread display([&editor] { editor.refresh(); });
  keyboard.join();
  display.join();
  editor.refresh();
  assert(editor.view().painted() == "hello");
  assert(!editor.view().dirty());
  assert(editor.model().revision() == 1);
}
