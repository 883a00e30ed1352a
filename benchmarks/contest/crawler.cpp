// SPDX-License-Identifier: Apache-2.0
// ConTest, sixth experiment. A crawler: workers read pages of a made-up web over a few connections, a manager tells
// them which, and stops them all when enough has been read. A run crawls from several addresses, one after the other.
// The defect is in Worker::finish() (crawler/worker.h), the only one that is meant to be there.
// Shown by: the manager asks a worker's connection to stop, and the worker gives it back between the manager's question
// whether there is one and the call: a null pointer.
//
//   crawler [CRAWLS [verbose]]
#include <cstdlib>
#include <cstring>

#include "crawler/manager.h"

int main(int argc, char** argv) {
  const int crawls = argc > 1 ? std::atoi(argv[1]) : 4;
  const bool is_verbose = argc > 2 && std::strcmp(argv[2], "verbose") == 0;
  const crawler::Web web(6, 24, 1);
  bool is_fine = true;
  for (int i = 0; i < crawls; ++i) {
    crawler::Manager manager(web, crawler::Options{});
    const crawler::CrawlReport report = manager.crawl(crawler::Url(crawler::Web::host_name(i % 6), "/"));
    is_fine = is_fine && report.is_consistent();
    if (is_verbose || !report.is_consistent()) report.print(stderr);
  }
  return is_fine ? 0 : 1;
}
