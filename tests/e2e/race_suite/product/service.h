// SPDX-License-Identifier: Apache-2.0
// A service that anybody may stop: who asks it to, a watchdog, and its own end.
#pragma once

#include <mutex>
#include <string>
#include <vector>

namespace shop {

class Journal {
 public:
  void write(const std::string& line) { lines_.push_back(line); }
  std::size_t size() const { return lines_.size(); }

 private:
  std::vector<std::string> lines_;
};

class Service {
 public:
  enum class Reason { asked, watchdog, ended };

  Service();
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  void handle(const std::string& request);
  void stop(Reason reason);
  std::size_t requests();
  bool is_running() const { return journal_ != nullptr; }

 private:
  std::mutex mutex_;
  Journal* journal_;
};

}  // namespace shop
