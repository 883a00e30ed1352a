// SPDX-License-Identifier: Apache-2.0
// The current settings are a shared_ptr that one thread replaces and another copies: counting is atomic, the pointer
// is not.
// FINDING: use-after-free, data-race
#include <memory>
#include <string>
#include <thread>

struct Settings {
  int retries = 3;
  std::string proxy;
};

class Application {
 public:
  void reload() {
    auto fresh = std::make_shared<const Settings>(Settings{5, "proxy:3128"});
    settings_ = fresh;  // CAUSE: first, second
  }
  int retries() const {
    const std::shared_ptr<const Settings> settings = settings_;  // CAUSE: first, second
    return settings->retries;
  }

 private:
  std::shared_ptr<const Settings> settings_ = std::make_shared<const Settings>();
};

int main() {
  Application application;
  std::thread signal_handler([&] { application.reload(); });
  const int retries = application.retries();
  signal_handler.join();
  return retries == 3 || retries == 5 ? 0 : 1;
}
