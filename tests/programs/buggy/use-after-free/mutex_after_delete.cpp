// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: use-after-free
// SAYS: a mutex in a block of
// The owner of an account closes it when the account says that it is empty; the worker that emptied it comes back for
// one more look. A std::mutex is destroyed without a call: only its memory tells.
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

namespace {

struct Account {
  std::mutex mutex;
  int balance = 3;
};

std::atomic<bool> empty{false};

void withdraw_all(Account* account) {
  for (;;) {
    const std::lock_guard<std::mutex> lock(account->mutex);
    if (account->balance == 0) return;
    if (--account->balance == 0) empty.store(true);
  }
}

}  // namespace

int main() {
  auto account = std::make_unique<Account>();
  std::thread worker(withdraw_all, account.get());
  while (!empty.load()) std::this_thread::yield();
  { const std::lock_guard<std::mutex> lock(account->mutex); }
  account.reset();
  worker.join();
}
