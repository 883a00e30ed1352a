// SPDX-License-Identifier: Apache-2.0
// A registry of metrics. Two components ask for the counter of the same name; it is looked up under a shared lock and
// created under a unique one without a second look, so one of the two counts into a counter that nobody reports.
// FINDING: assertion
#include <atomic>
#include <cassert>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <ostream>
#include <shared_mutex>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

class Counter {
 public:
  void add(std::uint64_t amount = 1) { value_.fetch_add(amount, std::memory_order_relaxed); }
  std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

class Registry {
 public:
  std::shared_ptr<Counter> counter(const std::string& name) {
    {
      std::shared_lock lock(mutex_);
      const auto found = counters_.find(name);             // CAUSE: first
      if (found != counters_.end()) return found->second;  // CAUSE: first
    }
    auto created = std::make_shared<Counter>();
    std::unique_lock lock(mutex_);
    counters_.insert_or_assign(name, created);  // CAUSE: second
    return created;
  }

  void report(std::ostream& out) const {
    std::shared_lock lock(mutex_);
    for (const auto& [name, counter] : counters_) out << name << ' ' << counter->value() << '\n';
  }

 private:
  mutable std::shared_mutex mutex_;
  std::map<std::string, std::shared_ptr<Counter>> counters_;
};

class Component {
 public:
  Component(Registry& registry, std::string name) : registry_(registry), name_(std::move(name)) {}

  void start() { requests_ = registry_.counter("requests_total"); }
  void handle(int requests) {
    for (int i = 0; i < requests; ++i) requests_->add();
    handled_ += requests;
  }
  int handled() const { return handled_; }
  const std::string& name() const { return name_; }

 private:
  Registry& registry_;
  const std::string name_;
  std::shared_ptr<Counter> requests_;
  int handled_ = 0;
};

class Server {
 public:
  explicit Server(Registry& registry) {
    components_.emplace_back(registry, "http");
    components_.emplace_back(registry, "grpc");
  }

  void run() {
    std::vector<std::jthread> threads;
    for (Component& component : components_) {
      threads.emplace_back([&component] {
        component.start();
        component.handle(2);
      });
    }
  }

  int handled() const {
    int sum = 0;
    for (const Component& component : components_) sum += component.handled();
    return sum;
  }

 private:
  std::vector<Component> components_;
};

int main() {
  Registry registry;
  Server server(registry);
  server.run();
  std::ostringstream out;
  registry.report(out);
  assert(server.handled() == 4);
  assert(out.str() == "requests_total 4\n");
}
