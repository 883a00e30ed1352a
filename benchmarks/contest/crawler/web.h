// SPDX-License-Identifier: Apache-2.0
// Web: the network this crawler crawls, made up from numbers, so that every run sees the same one. Each host has pages
// in folders that link to each other, to other hosts, and to pages that do not exist.
//
// Thread safety: never changes after it is made.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "url.h"

namespace crawler {

class Web {
 public:
  Web(int hosts, int pages_per_host, unsigned seed) : random_(seed), hosts_(hosts), pages_per_host_(pages_per_host) {
    for (int host = 0; host < hosts; ++host) {
      documents_.emplace(Url(host_name(host), "/robots.txt"), robots());
      for (int page = 0; page < pages_per_host; ++page) {
        documents_.emplace(Url(host_name(host), path(page)), document(host, page));
      }
    }
  }

  static std::string host_name(int host) { return "host" + std::to_string(host) + ".example"; }

  std::optional<std::string> find(const Url& url) const {
    const auto found = documents_.find(url);
    if (found == documents_.end()) return std::nullopt;
    return found->second;
  }

 private:
  static constexpr int kFolders = 4;

  static std::string path(int page) {
    if (page == 0) return "/";
    const char* folder = page % kFolders == 3 ? "private" : "public";
    return "/" + std::string(folder) + "/" + std::to_string(page) + ".html";
  }

  static std::string robots() {
    return "# everybody\nUser-agent: *\nDisallow: /private/\nAllow: /private/3.html\n"
           "User-agent: other\nDisallow: /\n";
  }

  std::string document(int host, int page) {
    std::string text = "<html><title>Page " + std::to_string(page) + " of " + host_name(host) + "</title><body>\n";
    const int links = 4 + number(4);
    for (int i = 0; i < links; ++i) {
      text += sentence() + link(host) + "\n";
    }
    return text + "</body></html>\n";
  }

  std::string link(int host) {
    std::string target;
    const int page = number(pages_per_host_);
    switch (number(6)) {
      case 0:
        target = "http://" + host_name(number(hosts_)) + path(page);
        break;
      case 1:
        target = "../public/../" + path(page).substr(1);
        break;
      case 2:
        target = "/gone/" + std::to_string(number(pages_per_host_)) + ".html";
        break;
      case 3:
        target = "http://" + host_name(host) + path(page) + "#part";
        break;
      default:
        target = path(page);
        break;
    }
    return "<a href=\"" + target + "\">more</a>";
  }

  std::string sentence() {
    static constexpr std::array<const char*, 12> kWords = {"thread", "lock",  "queue", "worker", "manager", "page",
                                                           "crawl",  "index", "merge", "stop",   "wait",    "wake"};
    std::string text = "<p>";
    const int words = 5 + number(6);
    for (int i = 0; i < words; ++i) text += std::string(kWords[static_cast<std::size_t>(number(12))]) + " ";
    return text + "</p>";
  }

  int number(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

  std::minstd_rand random_;
  int hosts_;
  int pages_per_host_;
  std::map<Url, std::string> documents_;
};

}  // namespace crawler
