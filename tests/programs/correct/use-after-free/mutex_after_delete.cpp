// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// The owner of an account closes it when the account says that it is empty; the worker that emptied it says so under
// the mutex, and then leaves. A mutex may go as soon as it is unlocked.
#include <memory>
#include <mutex>
#include <thread>

namespace {

struct Account {
  std::mutex mutex;
  int balance = 3;
  bool empty = false;
};

void withdraw_all(Account* account) {
  for (;;) {
    const std::lock_guard<std::mutex> lock(account->mutex);
    if (--account->balance > 0) continue;
    account->empty = true;
    return;
  }
}

}  // namespace

int main() {
  auto account = std::make_unique<Account>();
  std::thread worker(withdraw_all, account.get());
  for (bool empty = false; !empty; std::this_thread::yield()) {
    const std::lock_guard<std::mutex> lock(account->mutex);
    empty = account->empty;
  }
  account.reset();
  worker.join();
}
