// SPDX-License-Identifier: Apache-2.0
// Fault: the pool is closed without the lock that those who acquire hold. With FIXED the lock is taken: nobody acquires
// while the pool is closed, so the order that the race test forces is not possible any more.
#include "pool.h"

namespace shop {

Pool::Pool(int connections) {
  for (int i = 0; i < connections; ++i) idle_.push_back(new Connection(i));
}

Pool::~Pool() {
  for (Connection* connection : idle_) delete connection;
}

Connection* Pool::acquire() {
  const std::lock_guard<std::mutex> guard(mutex_);
  const bool usable = !closed_ && !idle_.empty();
  if (!usable) return nullptr;
  Connection* connection = idle_.back();
  idle_.pop_back();
  return connection;
}

void Pool::release(Connection* connection) {
  const std::lock_guard<std::mutex> guard(mutex_);
  idle_.push_back(connection);
}

bool Pool::send(const std::string& text) {
  return with_connection([&text](Connection& connection) {
    const std::size_t before = connection.sent();
    connection.send(text);
    /* ravel: 1 */
    if (connection.sent() == before) connection.send("\n");
  });
}

std::size_t Pool::idle() {
  const std::lock_guard<std::mutex> guard(mutex_);
  std::size_t unused = 0;
  for (const Connection* connection : idle_) unused += connection->sent() == 0 ? 1 : 0;
  return unused;
}

void Pool::close() {
#ifdef FIXED
  const std::lock_guard<std::mutex> guard(mutex_);
#endif
  const bool was_open = !closed_;
  if (was_open) closed_ = true;
}

}  // namespace shop
