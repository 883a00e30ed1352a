// SPDX-License-Identifier: Apache-2.0
// A table is looked up under a shared lock; who does not find the row asks for the unique lock before it lets go of
// the shared one of another table, which the other thread holds the other way round.
// FINDING: deadlock
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>

class Catalog {
 public:
  int price(int item) {
    std::shared_lock prices(prices_mutex_);
    if (const auto found = prices_.find(item); found != prices_.end()) return found->second;
    std::unique_lock missing(missing_mutex_);  // CAUSE: first
    ++missing_[item];
    return 0;
  }
  void import_missing() {
    std::shared_lock missing(missing_mutex_);
    std::unique_lock prices(prices_mutex_);  // CAUSE: second
    for (const auto& [item, count] : missing_) prices_[item] = 100 * count;
  }

 private:
  std::shared_mutex prices_mutex_;
  std::map<int, int> prices_;
  std::shared_mutex missing_mutex_;
  std::map<int, int> missing_;
};

int main() {
  Catalog catalog;
  std::thread shop([&] { catalog.price(7); });
  std::thread importer([&] { catalog.import_missing(); });
  shop.join();
  importer.join();
}
