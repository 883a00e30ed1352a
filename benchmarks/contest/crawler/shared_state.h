// SPDX-License-Identifier: Apache-2.0
// SharedState: what the manager and the workers of one crawl have in common. Outcome: what a worker reports.
#pragma once

#include <chrono>
#include <vector>

#include "bounded_queue.h"
#include "connection_pool.h"
#include "host_table.h"
#include "idle_list.h"
#include "result_merger.h"
#include "statistics.h"

namespace crawler {

struct Options {
  int workers = 4;
  int connections = 3;
  std::size_t queue = 2;   // outcomes that may wait for the manager
  std::size_t pages = 12;  // stop after so many
  std::size_t deepest = 6;
  std::chrono::microseconds latency{60};  // of one piece of a page
};

struct Outcome {
  Url url;
  FetchStatus status;
  std::size_t depth;
  std::vector<Url> links;
};

struct SharedState {
  SharedState(const Web& web, const Options& options)
      : pool(web, options.connections, options.latency), outcomes(options.queue) {}

  ConnectionPool pool;
  BoundedQueue<Outcome> outcomes;
  HostTable hosts;
  IdleList idle;
  ResultMerger merger;
  Statistics statistics;
};

}  // namespace crawler
