// SPDX-License-Identifier: Apache-2.0
// Page: what came back for one address. A value.
#pragma once

#include <string>
#include <utility>

#include "url.h"

namespace crawler {

enum class FetchStatus { complete, missing, forbidden, stopped };

constexpr const char* status_name(FetchStatus status) {
  switch (status) {
    case FetchStatus::complete:
      return "complete";
    case FetchStatus::missing:
      return "missing";
    case FetchStatus::forbidden:
      return "forbidden";
    case FetchStatus::stopped:
      return "stopped";
  }
  return "?";
}

class Page {
 public:
  // An address for which there is nothing to read.
  Page(Url url, FetchStatus status) : url_(std::move(url)), status_(status) {}
  Page(Url url, std::string body) : url_(std::move(url)), body_(std::move(body)), status_(FetchStatus::complete) {}

  const Url& url() const { return url_; }
  const std::string& body() const { return body_; }
  FetchStatus status() const { return status_; }
  bool is_complete() const { return status_ == FetchStatus::complete; }

 private:
  Url url_;
  std::string body_;
  FetchStatus status_;
};

}  // namespace crawler
