// SPDX-License-Identifier: Apache-2.0
// Connection: reads documents of the Web piece by piece, each of which takes its time. Belongs to a ConnectionPool, and
// between acquire() and release() to one worker.
//
// Thread safety: open(), read() and close() are for the worker; set_stop_flag() is for anybody.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include "page.h"
#include "web.h"

namespace crawler {

class Connection {
 public:
  Connection(const Web& web, int number, std::chrono::microseconds latency)
      : web_(web), number_(number), latency_(latency) {}

  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void open(const std::string& host) {
    host_ = host;
    stop_.store(false);
  }

  void close() { host_.clear(); }

  // Ends a read() that is going on, soon.
  void set_stop_flag() { stop_.store(true); }

  Page read(const Url& url) {
    if (url.host() != host_) return Page(url, FetchStatus::missing);
    const std::optional<std::string> document = web_.find(url);
    if (!document) return Page(url, FetchStatus::missing);
    std::string body;
    while (body.size() < document->size()) {
      if (stop_.load()) return Page(url, FetchStatus::stopped);
      std::this_thread::sleep_for(latency_);
      body.append(*document, body.size(), kPiece);
    }
    bytes_ += body.size();
    return Page(url, std::move(body));
  }

  int number() const { return number_; }
  std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t kPiece = 256;

  const Web& web_;
  const int number_;
  const std::chrono::microseconds latency_;
  std::string host_;
  std::size_t bytes_ = 0;  // of complete documents
  std::atomic<bool> stop_{false};
};

}  // namespace crawler
