// SPDX-License-Identifier: Apache-2.0
// spdlog's asynchronous logger, header-only: several tasks log, one task of its pool writes to the sink.
#include "variants.h"

#include <spdlog/async.h>
#include <spdlog/async_logger.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>
#include <cassert>
#include <cstddef>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

class CountingSink : public spdlog::sinks::base_sink<std::mutex> {
 public:
  std::size_t messages = 0;
  std::size_t flushes = 0;

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t text;
    formatter_->format(message, text);
    assert(text.size() > message.payload.size());
    messages += 1;
  }
  void flush_() override { flushes += 1; }
};

static void log_by_several(std::size_t queue_size, spdlog::async_overflow_policy policy) {
  auto sink = std::make_shared<CountingSink>();
  {
    auto pool = std::make_shared<spdlog::details::thread_pool>(queue_size, 1);
    auto logger = std::make_shared<spdlog::async_logger>("tested", sink, pool, policy);
    logger->set_pattern("%n %l %v");
    auto work = [&](int self) {
      logger->info("task {} begins", self);
      logger->warn("task {} ends", self);
    };
    std::thread one(work, 1);
    std::thread two(work, 2);
    one.join();
    two.join();
    logger->flush();
  }
  // The pool wrote what was queued before it ended.
  if (policy == spdlog::async_overflow_policy::block) assert(sink->messages == 4 && sink->flushes == 1);
  assert(sink->messages <= 4);
}

static void blocking() { log_by_several(2, spdlog::async_overflow_policy::block); }
static void overrunning() { log_by_several(2, spdlog::async_overflow_policy::overrun_oldest); }

// The way most programs have it: the global registry and its pool, a synchronous logger beside it.
static void registry() {
  std::ostringstream text;
  auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(text);
  spdlog::init_thread_pool(8, 1);
  auto logger = std::make_shared<spdlog::async_logger>("registered", sink, spdlog::thread_pool(),
                                                       spdlog::async_overflow_policy::block);
  spdlog::register_logger(logger);
  logger.reset();
  auto work = [] { spdlog::get("registered")->error("from a task"); };
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
  spdlog::shutdown();
  assert(text.str().find("from a task") != std::string::npos);
}

int main(int count, char** arguments) {
  return run_variant(count, arguments, {{"blocking", blocking}, {"overrunning", overrunning}, {"registry", registry}});
}
