// SPDX-License-Identifier: Apache-2.0
// An asynchronous logger. Its thread looks at `closed_` at the top of the loop, before it has drained what is queued,
// so a line that was logged while it wrote the one before is lost when the logger is closed meanwhile.
// FINDING: assertion
#include <cassert>
#include <condition_variable>
#include <deque>
#include <latch>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace logging {

enum class Level { debug, info, warning };

struct Record {
  Level level = Level::info;
  std::string text;
};

std::string format(const Record& record) {
  static const char* const kNames[] = {"DEBUG", "INFO", "WARN"};
  std::ostringstream line;
  line << kNames[static_cast<int>(record.level)] << ' ' << record.text;
  return line.str();
}

class Sink {
 public:
  virtual ~Sink() = default;
  virtual void write(const std::string& line) = 0;
};

class MemorySink : public Sink {
 public:
  void write(const std::string& line) override {
    std::lock_guard lock(mutex_);
    lines_.push_back(line);
  }
  std::vector<std::string> lines() const {
    std::lock_guard lock(mutex_);
    return lines_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

class AsyncLogger {
 public:
  explicit AsyncLogger(std::shared_ptr<Sink> sink) : sink_(std::move(sink)), thread_([this] { run(); }) {
    ready_.wait();
  }
  ~AsyncLogger() { close(); }

  void log(Level level, std::string text) {
    {
      std::lock_guard lock(mutex_);
      queue_.push_back({level, std::move(text)});
    }
    wake_.notify_one();
  }

  void close() {
    {
      std::lock_guard lock(mutex_);
      closed_ = true;  // CAUSE: first
    }
    wake_.notify_one();
    if (thread_.joinable()) thread_.join();
  }

 private:
  void run() {
    ready_.count_down();
    for (;;) {
      std::deque<Record> batch;
      {
        std::unique_lock lock(mutex_);
        if (closed_) return;  // CAUSE: second
        wake_.wait(lock, [this] { return closed_ || !queue_.empty(); });
        batch.swap(queue_);
      }
      for (const Record& record : batch) sink_->write(format(record));
    }
  }

  std::shared_ptr<Sink> sink_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Record> queue_;
  bool closed_ = false;
  std::latch ready_{1};
  std::thread thread_;
};

}  // namespace logging

int main() {
  auto sink = std::make_shared<logging::MemorySink>();
  {
    logging::AsyncLogger logger(sink);
    logger.log(logging::Level::info, "started");
    logger.log(logging::Level::warning, "disk almost full");
  }
  const std::vector<std::string> lines = sink->lines();
  assert(lines.size() == 2);
  assert(lines.back() == "WARN disk almost full");
}
