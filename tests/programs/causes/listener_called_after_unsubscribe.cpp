// SPDX-License-Identifier: Apache-2.0
// An event bus. publish() copies the list of listeners and calls them without the lock, so a listener that is
// unsubscribed and destroyed meanwhile is still called: its memory is gone.
// FINDING: use-after-free
#include <atomic>
#include <cassert>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

class EventBus {
 public:
  using Handler = std::function<void(const std::string&)>;
  using Token = std::uint64_t;

  Token subscribe(const std::string& topic, Handler handler) {
    std::lock_guard lock(mutex_);
    const Token token = ++last_token_;
    topics_[topic].emplace(token, std::move(handler));
    return token;
  }

  void unsubscribe(const std::string& topic, Token token) {
    std::lock_guard lock(mutex_);
    if (const auto found = topics_.find(topic); found != topics_.end()) found->second.erase(token);  // CAUSE: second
  }

  void publish(const std::string& topic, const std::string& payload) {
    std::vector<Handler> handlers;
    {
      std::lock_guard lock(mutex_);
      if (const auto found = topics_.find(topic); found != topics_.end()) {              // CAUSE: first
        for (const auto& [token, handler] : found->second) handlers.push_back(handler);  // CAUSE: first
      }
    }
    for (const Handler& handler : handlers) handler(payload);
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::map<Token, Handler>> topics_;
  Token last_token_ = 0;
};

// Shows the last price of a stock, as long as its window is open.
class PriceWidget {
 public:
  PriceWidget(EventBus& bus, std::string symbol) : bus_(bus), symbol_(std::move(symbol)) {
    token_ = bus_.subscribe("price/" + symbol_, [this](const std::string& price) { on_price(price); });
  }
  ~PriceWidget() { bus_.unsubscribe("price/" + symbol_, token_); }

  int updates() const { return updates_.load(); }

 private:
  void on_price(const std::string& price) {
    last_price_.store(std::stoi(price));  // CAUSE: second
    updates_.fetch_add(1);
  }

  EventBus& bus_;
  const std::string symbol_;
  EventBus::Token token_ = 0;
  std::atomic<int> last_price_{0};
  std::atomic<int> updates_{0};
};

class Window {
 public:
  explicit Window(EventBus& bus) : widget_(std::make_unique<PriceWidget>(bus, "ACME")) {}
  void close() {
    widget_.reset();  // CAUSE: first
  }

 private:
  std::unique_ptr<PriceWidget> widget_;
};

class Feed {
 public:
  explicit Feed(EventBus& bus) : bus_(bus) {}
  void tick(int price) { bus_.publish("price/ACME", std::to_string(price)); }

 private:
  EventBus& bus_;
};

int main() {
  EventBus bus;
  Window window(bus);
  Feed feed(bus);
  feed.tick(100);
  std::thread market([&feed] { feed.tick(101); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  window.close();
  market.join();
}
