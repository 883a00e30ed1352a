// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: deadlock
// BUILD: plain
// The log takes the table's lock and the table takes the log's: visible from the lock calls alone, with no rebuild.
#include <mutex>
#include <thread>

static std::mutex table_mutex;
static std::mutex log_mutex;
static int rows = 0;
static int lines = 0;

static void insert_row() {
  std::lock_guard table(table_mutex);
  ++rows;
  std::lock_guard log(log_mutex);
  ++lines;
}

static void rotate_log() {
  std::lock_guard log(log_mutex);
  lines = 0;
  std::lock_guard table(table_mutex);
  rows = rows > 100 ? 0 : rows;
}

int main() {
  std::thread writer(insert_row);
  rotate_log();
  writer.join();
}
