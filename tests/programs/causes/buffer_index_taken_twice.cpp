// SPDX-License-Identifier: Apache-2.0
// Log records share a buffer. A writer reads the position, copies, and advances it; two writers get the same position
// and one record is overwritten. After a defect of a web server's buffered log.
// FINDING: assertion
#include <array>
#include <atomic>
#include <cassert>
#include <string>
#include <thread>

class LogBuffer {
 public:
  void write(const std::string& record) {
    const std::size_t at = used_.load();  // CAUSE: first
    for (std::size_t i = 0; i < record.size(); ++i) bytes_[at + i].store(record[i]);
    used_.store(at + record.size());  // CAUSE: second
  }
  std::string text() const {
    std::string all;
    for (std::size_t i = 0; i < used_.load(); ++i) all += bytes_[i].load();
    return all;
  }

 private:
  std::array<std::atomic<char>, 64> bytes_{};
  std::atomic<std::size_t> used_{0};
};

int main() {
  LogBuffer log;
  std::thread one([&] { log.write("GET;"); });
  std::thread two([&] { log.write("PUT;"); });
  one.join();
  two.join();
  const std::string text = log.text();
  assert(text == "GET;PUT;" || text == "PUT;GET;");
}
