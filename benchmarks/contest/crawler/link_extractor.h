// SPDX-License-Identifier: Apache-2.0
// LinkExtractor: the addresses a page links to, in their order on the page, each once.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "page.h"

namespace crawler {

class LinkExtractor {
 public:
  explicit LinkExtractor(std::size_t most) : most_(most) {}

  std::vector<Url> links(const Page& page) const {
    constexpr std::string_view attribute = "href=\"";
    std::vector<Url> found;
    const std::string_view body = page.body();
    std::size_t at = body.find(attribute);
    while (at != std::string_view::npos && found.size() < most_) {
      const std::size_t begin = at + attribute.size();
      const std::size_t end = body.find('"', begin);
      if (end == std::string_view::npos) break;
      add(found, page.url().resolve(body.substr(begin, end - begin)));
      at = body.find(attribute, end);
    }
    return found;
  }

 private:
  static void add(std::vector<Url>& found, const std::optional<Url>& url) {
    if (url && std::find(found.begin(), found.end(), *url) == found.end()) found.push_back(*url);
  }

  std::size_t most_;
};

}  // namespace crawler
