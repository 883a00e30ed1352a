// SPDX-License-Identifier: Apache-2.0
// A work queue with empty() and pop() that lock for themselves. Between the look and the pop another worker takes the
// last item, and pop() throws in a thread that does not expect it.
// FINDING: uncaught-exception
#include <atomic>
#include <cassert>
#include <cstddef>
#include <functional>
#include <mutex>
#include <queue>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

struct Page {
  std::string url;
  int depth = 0;
};

class Frontier {
 public:
  void push(Page page) {
    std::lock_guard lock(mutex_);
    if (seen_.insert(page.url).second) pages_.push(std::move(page));
  }

  std::size_t known() const {
    std::lock_guard lock(mutex_);
    return seen_.size();
  }

  bool empty() const {
    std::lock_guard lock(mutex_);
    return pages_.empty();  // CAUSE: first
  }

  Page pop() {
    std::lock_guard lock(mutex_);
    if (pages_.empty()) throw std::logic_error("pop from an empty frontier");
    Page page = std::move(pages_.front());
    pages_.pop();  // CAUSE: second
    return page;
  }

 private:
  mutable std::mutex mutex_;
  std::queue<Page> pages_;
  std::set<std::string> seen_;
};

class Web {
 public:
  std::vector<std::string> links(const std::string& url) const {
    if (url == "/") return {"/about"};
    return {};
  }
};

class Crawler {
 public:
  Crawler(const Web& web, int max_depth) : web_(web), max_depth_(max_depth) { frontier_.push({"/", 0}); }

  void crawl(unsigned workers) {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < workers; ++i) threads.emplace_back([this] { work(); });
    for (std::thread& thread : threads) thread.join();
  }

  std::size_t known() const { return frontier_.known(); }
  int visited() const { return visited_.load(); }

 private:
  void work() {
    while (!frontier_.empty()) {
      const Page page = frontier_.pop();
      visit(page);
    }
  }

  void visit(const Page& page) {
    visited_.fetch_add(1);
    if (page.depth == max_depth_) return;
    for (const std::string& link : web_.links(page.url)) frontier_.push({link, page.depth + 1});
  }

  const Web& web_;
  const int max_depth_;
  Frontier frontier_;
  std::atomic<int> visited_{0};
};

int main() {
  Web web;
  Crawler crawler(web, 2);
  crawler.crawl(2);
  assert(crawler.known() == 2);
  assert(crawler.visited() == 2);
}
