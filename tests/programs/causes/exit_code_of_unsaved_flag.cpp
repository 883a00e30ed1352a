// SPDX-License-Identifier: Apache-2.0
// An editor marks a document as saved after it wrote it; a change that came while it wrote is marked as saved too.
// FINDING: exit-code
#include <mutex>
#include <string>
#include <thread>

class Editor {
 public:
  void type(const std::string& text) {
    std::lock_guard lock(mutex_);
    text_ += text;  // CAUSE: second
    dirty_ = true;  // CAUSE: second
  }
  void save() {
    std::string copy;
    {
      std::lock_guard lock(mutex_);
      if (!dirty_) return;
      copy = text_;  // CAUSE: first
    }
    disk_ = copy;
    std::lock_guard lock(mutex_);
    dirty_ = false;
  }
  bool lost_text() const { return !dirty_ && disk_ != text_; }

 private:
  std::mutex mutex_;
  std::string text_ = "a";
  bool dirty_ = true;
  std::string disk_;
};

int main() {
  Editor editor;
  std::thread saver([&] { editor.save(); });
  std::thread typist([&] { editor.type("b"); });
  saver.join();
  typist.join();
  return editor.lost_text() ? 3 : 0;
}
