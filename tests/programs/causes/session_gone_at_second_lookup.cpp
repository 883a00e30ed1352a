// SPDX-License-Identifier: Apache-2.0
// A request looks whether the session exists and then uses at(): a logout in between, and at() throws.
// FINDING: uncaught-exception
#include <map>
#include <mutex>
#include <string>
#include <thread>

class Sessions {
 public:
  void open(const std::string& user) {
    std::lock_guard lock(mutex_);
    hits_[user] = 0;
  }
  bool has(const std::string& user) const {
    std::lock_guard lock(mutex_);
    return hits_.contains(user);  // CAUSE: first
  }
  void hit(const std::string& user) {
    std::lock_guard lock(mutex_);
    ++hits_.at(user);
  }
  void logout(const std::string& user) {
    std::lock_guard lock(mutex_);
    hits_.erase(user);  // CAUSE: second
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, int> hits_;
};

int main() {
  Sessions sessions;
  sessions.open("ann");
  std::thread request([&] {
    if (sessions.has("ann")) sessions.hit("ann");
  });
  std::thread logout([&] { sessions.logout("ann"); });
  request.join();
  logout.join();
}
