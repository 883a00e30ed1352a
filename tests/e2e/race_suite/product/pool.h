// SPDX-License-Identifier: Apache-2.0
// A pool of connections that are lent to whoever has something to send.
#pragma once

#include <mutex>
#include <string>
#include <vector>

namespace shop {

class Connection {
 public:
  explicit Connection(int number) : number_(number) {}
  void send(const std::string& text) { sent_ += text.size(); }
  std::size_t sent() const { return sent_; }
  int number() const { return number_; }

 private:
  int number_;
  std::size_t sent_ = 0;
};

class Pool {
 public:
  explicit Pool(int connections);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  bool send(const std::string& text);
  void close();
  std::size_t idle();

  // Calls work(connection) with a connection that nobody else has meanwhile; false when the pool is closed.
  template <typename Work>
  bool with_connection(Work work) {
    Connection* connection = acquire();
    if (connection == nullptr) return false;
    work(*connection);
    release(connection);
    return true;
  }

 private:
  Connection* acquire();
  void release(Connection* connection);

  std::mutex mutex_;
  std::vector<Connection*> idle_;
  bool closed_ = false;
};

}  // namespace shop
