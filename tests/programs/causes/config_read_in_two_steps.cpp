// SPDX-License-Identifier: Apache-2.0
// A configuration store. The client asks for host and port one after the other, each under the lock; a reload between
// the two gives it the old host with the new port. One snapshot is what it should ask for.
// FINDING: assertion
#include <cassert>
#include <charconv>
#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

class Config {
 public:
  static std::map<std::string, std::string> parse(const std::string& text) {
    std::map<std::string, std::string> values;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
      const std::size_t equals = line.find('=');
      if (equals == std::string::npos) throw std::invalid_argument("no '=' in: " + line);
      values[line.substr(0, equals)] = line.substr(equals + 1);
    }
    return values;
  }

  void load(const std::string& text) {
    std::map<std::string, std::string> fresh = parse(text);
    std::unique_lock lock(mutex_);
    values_.swap(fresh);  // CAUSE: second
  }

  std::string get(const std::string& key) const {
    std::shared_lock lock(mutex_);
    const auto found = values_.find(key);  // CAUSE: first
    if (found == values_.end()) throw std::out_of_range("no setting " + key);
    return found->second;  // CAUSE: first
  }

  int get_number(const std::string& key) const {
    const std::string text = get(key);
    int number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
  }

 private:
  mutable std::shared_mutex mutex_;
  std::map<std::string, std::string> values_;
};

struct Endpoint {
  std::string host;
  int port = 0;
  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

class Client {
 public:
  explicit Client(const Config& config) : config_(config) {}

  Endpoint endpoint() const {
    Endpoint endpoint;
    endpoint.host = config_.get("host");
    endpoint.port = config_.get_number("port");
    return endpoint;
  }

 private:
  const Config& config_;
};

class Admin {
 public:
  explicit Admin(Config& config) : config_(config) {}
  void move_to_backup() {
    config_.load(
        "host=backup\n"
        "port=9090\n");
  }

 private:
  Config& config_;
};

int main() {
  Config config;
  config.load(
      "host=primary\n"
      "port=8080\n");
  Client client(config);
  Admin admin(config);

  Endpoint used;
  std::thread request([&] { used = client.endpoint(); });
  std::thread reload([&] { admin.move_to_backup(); });
  request.join();
  reload.join();

  const Endpoint primary{"primary", 8080};
  const Endpoint backup{"backup", 9090};
  assert(used == primary || used == backup);
}
