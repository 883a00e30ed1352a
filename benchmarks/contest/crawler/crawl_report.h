// SPDX-License-Identifier: Apache-2.0
// CrawlReport: what one crawl has found, and whether its numbers fit together. A value.
#pragma once

#include <cstdio>
#include <string>

#include "shared_state.h"

namespace crawler {

class CrawlReport {
 public:
  CrawlReport(int assigned, SharedState& shared) : assigned_(assigned) {
    const WordIndex& index = shared.merger.index();
    const Statistics& statistics = shared.statistics;
    complete_ = statistics.pages(FetchStatus::complete);
    missing_ = statistics.pages(FetchStatus::missing);
    forbidden_ = statistics.pages(FetchStatus::forbidden);
    stopped_ = statistics.pages(FetchStatus::stopped);
    frequent_ = index.most_frequent();
    expect(statistics.pages() == assigned, "an address was lost");
    expect(index.pages() == static_cast<std::size_t>(complete_), "a page was not merged");
    expect(shared.hosts.pages() == complete_, "a host has lost a page");
    expect(index.sum() == index.words(), "a word was lost");
    expect(shared.pool.bytes() == statistics.bytes(), "bytes were lost");
  }

  bool is_consistent() const { return trouble_ == nullptr; }

  void print(std::FILE* to) const {
    std::fprintf(to, "%d addresses: %d complete, %d missing, %d forbidden, %d stopped; most frequent: %s%s%s\n",
                 assigned_, complete_, missing_, forbidden_, stopped_, frequent_.c_str(), trouble_ ? "; " : "",
                 trouble_ ? trouble_ : "");
  }

 private:
  void expect(bool holds, const char* otherwise) {
    if (!holds) trouble_ = otherwise;
  }

  int assigned_;
  int complete_;
  int missing_;
  int forbidden_;
  int stopped_;
  std::string frequent_;
  const char* trouble_ = nullptr;
};

}  // namespace crawler
