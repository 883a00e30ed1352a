// SPDX-License-Identifier: Apache-2.0
// A registry of services: registering takes the lock, looking up does not.
// FINDING: data-race
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

class Services {
 public:
  void add(const std::string& name, int port) {
    std::lock_guard lock(mutex_);
    ports_[name] = port;  // CAUSE: second
  }
  int port(const std::string& name) const {
    const auto found = ports_.find(name);              // CAUSE: first
    return found == ports_.end() ? 0 : found->second;  // CAUSE: first
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, int> ports_;
};

int main() {
  Services services;
  services.add("dns", 53);
  std::thread starter([&] { services.add("http", 80); });
  const int dns = services.port("dns");
  starter.join();
  return dns == 53 && services.port("http") == 80 ? 0 : 1;
}
