// SPDX-License-Identifier: Apache-2.0
// Url: a host and an absolute path on it, "http://host/path". A value.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace crawler {

class Url {
 public:
  Url(std::string host, std::string path) : host_(std::move(host)), path_(std::move(path)) {}

  // Nothing when `text` is not an absolute http address.
  static std::optional<Url> parse(std::string_view text) {
    constexpr std::string_view scheme = "http://";
    if (!text.starts_with(scheme)) return std::nullopt;
    text.remove_prefix(scheme.size());
    const std::size_t slash = text.find('/');
    const std::string_view host = text.substr(0, slash);
    if (host.empty() || host.find(' ') != std::string_view::npos) return std::nullopt;
    if (slash == std::string_view::npos) return Url(std::string(host), "/");
    return Url(std::string(host), normalized(text.substr(slash)));
  }

  // What a link on this page means: an absolute address, a path of this host, or a path beside this page.
  std::optional<Url> resolve(std::string_view link) const {
    const std::size_t fragment = link.find('#');
    if (fragment != std::string_view::npos) link = link.substr(0, fragment);
    if (link.empty()) return std::nullopt;
    if (link.find("://") != std::string_view::npos) return parse(link);
    if (link.front() == '/') return Url(host_, normalized(link));
    const std::string folder = path_.substr(0, path_.rfind('/') + 1);
    return Url(host_, normalized(folder + std::string(link)));
  }

  const std::string& host() const { return host_; }
  const std::string& path() const { return path_; }
  std::string text() const { return "http://" + host_ + path_; }

  friend auto operator<=>(const Url&, const Url&) = default;

 private:
  // Without "." and ".." segments and without empty ones.
  static std::string normalized(std::string_view path) {
    std::string result;
    const bool is_folder = path.ends_with('/') || path.ends_with("/.") || path.ends_with("/..");
    while (!path.empty()) {
      if (path.front() == '/') {
        path.remove_prefix(1);
        continue;
      }
      const std::string_view segment = path.substr(0, path.find('/'));
      path.remove_prefix(segment.size());
      if (segment == "..") {
        const std::size_t last = result.rfind('/');
        if (last != std::string::npos) result.erase(last);
      } else if (segment != ".") {
        result.append("/").append(segment);
      }
    }
    if (is_folder || result.empty()) result += '/';
    return result;
  }

  std::string host_;
  std::string path_;
};

}  // namespace crawler
