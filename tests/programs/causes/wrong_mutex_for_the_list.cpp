// SPDX-License-Identifier: Apache-2.0
// Two mutexes, one for the queue of orders and one for the list of clients. cancel() takes the wrong one.
// FINDING: data-race
#include <algorithm>
#include <list>
#include <mutex>
#include <string>
#include <thread>

class Desk {
 public:
  void order(std::string item) {
    std::lock_guard lock(orders_mutex_);
    orders_.push_back(std::move(item));  // CAUSE: first
  }
  void cancel(const std::string& item) {
    std::lock_guard lock(clients_mutex_);
    orders_.remove(item);  // CAUSE: second
  }
  void greet(std::string client) {
    std::lock_guard lock(clients_mutex_);
    clients_.push_back(std::move(client));
  }

 private:
  std::mutex orders_mutex_;
  std::list<std::string> orders_;
  std::mutex clients_mutex_;
  std::list<std::string> clients_;
};

int main() {
  Desk desk;
  desk.order("tea");
  std::thread waiter([&] { desk.order("cake"); });
  std::thread kitchen([&] { desk.cancel("tea"); });
  waiter.join();
  kitchen.join();
  desk.greet("ann");
}
