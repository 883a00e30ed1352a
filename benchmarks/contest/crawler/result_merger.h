// SPDX-License-Identifier: Apache-2.0
// ResultMerger: puts what workers have found together into one index.
//
// Thread safety: merge() by any thread; index() when all of them are done.
#pragma once

#include <mutex>

#include "word_index.h"

namespace crawler {

class ResultMerger {
 public:
  // False when the page was merged before: no page may be read twice.
  bool merge(const Url& url, const WordIndex& part) {
    std::lock_guard lock(mutex_);
    if (index_.contains(url)) return false;
    index_.add(part);
    return true;
  }

  const WordIndex& index() const { return index_; }

 private:
  std::mutex mutex_;
  WordIndex index_;
};

}  // namespace crawler
