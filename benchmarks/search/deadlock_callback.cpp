// SPDX-License-Identifier: Apache-2.0
// Deadlock through a callback. A button calls its listener with the button locked; the listener locks the window, and
// the window, when it is drawn, locks each of its buttons.
// Shown by: the click holds the button and the drawing holds the window; each wants the other.
#include <functional>
#include <mutex>
#include <thread>

int main() {
  std::mutex window;
  std::mutex button;
  int clicks = 0;
  const std::function<void()> listener = [&] {
    std::lock_guard lock(window);
    ++clicks;
  };
  std::thread user([&] {
    for (int i = 0; i < 2; ++i) {
      std::lock_guard lock(button);
      listener();
    }
  });
  std::thread painter([&] {
    std::lock_guard frame(window);
    std::lock_guard lock(button);
  });
  user.join();
  painter.join();
}
