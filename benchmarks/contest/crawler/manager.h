// SPDX-License-Identifier: Apache-2.0
// Manager: crawls from one address on: gives idle workers what is to be read, learns new addresses from what they
// report, and stops them all when enough has been read, whatever they are doing.
//
// Thread safety: none; one thread makes it and calls crawl() once.
#pragma once

#include <deque>

#include "crawl_report.h"
#include "frontier.h"
#include "worker.h"

namespace crawler {

class Manager {
 public:
  Manager(const Web& web, const Options& options)
      : options_(options), shared_(web, options), frontier_(options.deepest) {}

  CrawlReport crawl(const Url& from) {
    frontier_.add(from, 0);
    for (int i = 0; i < options_.workers; ++i) workers_.emplace_back(shared_).start();
    assign_idle_workers();
    while (working_ > 0 && complete_ < options_.pages) {
      learn(shared_.outcomes.take());
      assign_idle_workers();
    }
    stop_workers();
    return CrawlReport(assigned_, shared_);
  }

 private:
  void assign_idle_workers() {
    while (!frontier_.is_empty()) {
      Worker* worker = shared_.idle.take();
      if (worker == nullptr) return;
      worker->assign(*frontier_.take());
      ++assigned_;
      ++working_;
    }
  }

  void learn(const Outcome& outcome) {
    --working_;
    if (outcome.status != FetchStatus::complete) return;
    ++complete_;
    for (const Url& link : outcome.links) frontier_.add(link, outcome.depth + 1);
  }

  // Workers that still report must find room in the queue, so their outcomes are taken before they are joined.
  void stop_workers() {
    for (Worker& worker : workers_) worker.finish();
    while (working_ > 0) learn(shared_.outcomes.take());
    shared_.pool.wait_until_all_released();
    for (Worker& worker : workers_) worker.join();
  }

  const Options options_;
  SharedState shared_;
  Frontier frontier_;
  std::deque<Worker> workers_;
  int assigned_ = 0;
  int working_ = 0;  // assigned and not yet reported
  std::size_t complete_ = 0;
};

}  // namespace crawler
