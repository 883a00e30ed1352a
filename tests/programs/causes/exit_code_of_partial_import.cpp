// SPDX-License-Identifier: Apache-2.0
// An import tool ends with the number of rows it could not place; the row is placed only when its table was there in
// time.
// FINDING: exit-code
#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <thread>

class Database {
 public:
  void create(const std::string& table) {
    std::lock_guard lock(mutex_);
    rows_[table] = 0;  // CAUSE: second
  }
  bool insert(const std::string& table) {
    std::lock_guard lock(mutex_);
    const auto found = rows_.find(table);    // CAUSE: first
    if (found == rows_.end()) return false;  // CAUSE: first
    ++found->second;
    return true;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, int> rows_;
};

int main() {
  Database database;
  std::atomic<int> lost{0};
  std::thread schema([&] { database.create("people"); });
  std::thread data([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (!database.insert("people")) lost.fetch_add(1);
  });
  schema.join();
  data.join();
  return lost.load();
}
