// SPDX-License-Identifier: Apache-2.0
// A search service rebuilds its index in the background. A rebuild that began earlier can end later, and replaces the
// newer index by the older one: it compares generations before it takes the lock under which it publishes.
// FINDING: assertion
#include <atomic>
#include <cassert>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using Documents = std::vector<std::string>;

class Index {
 public:
  Index(int generation, const Documents& documents) : generation_(generation) {
    for (std::size_t i = 0; i < documents.size(); ++i) {
      std::istringstream words(documents[i]);
      for (std::string word; words >> word;) postings_[word].insert(i);
    }
  }

  int generation() const { return generation_; }
  std::size_t hits(const std::string& word) const {
    const auto found = postings_.find(word);
    return found == postings_.end() ? 0 : found->second.size();
  }

 private:
  const int generation_;
  std::map<std::string, std::set<std::size_t>> postings_;
};

class SearchService {
 public:
  SearchService() : current_(std::make_shared<const Index>(0, Documents{})) {}

  void rebuild(const Documents& documents) {
    const int generation = next_generation_.fetch_add(1) + 1;
    publish(std::make_shared<const Index>(generation, documents));
  }

  std::size_t search(const std::string& word) const { return snapshot()->hits(word); }
  int generation() const { return snapshot()->generation(); }

 private:
  std::shared_ptr<const Index> snapshot() const {
    std::lock_guard lock(mutex_);
    return current_;  // CAUSE: first
  }

  void publish(std::shared_ptr<const Index> index) {
    if (index->generation() <= snapshot()->generation()) return;
    std::lock_guard lock(mutex_);
    current_ = std::move(index);  // CAUSE: second
  }

  mutable std::mutex mutex_;
  std::shared_ptr<const Index> current_;
  std::atomic<int> next_generation_{0};
};

class Crawler {
 public:
  explicit Crawler(SearchService& service) : service_(service) {}

  void found(const std::string& document) {
    Documents all;
    {
      std::lock_guard lock(mutex_);
      documents_.push_back(document);
      all = documents_;
    }
    service_.rebuild(all);
  }

 private:
  SearchService& service_;
  std::mutex mutex_;
  Documents documents_;
};

int main() {
  SearchService service;
  service.rebuild({"red fox"});
  std::thread nightly([&service] { service.rebuild({"red fox", "red hen"}); });
  std::thread manual([&service] { service.rebuild({"red fox", "red hen"}); });
  nightly.join();
  manual.join();
  assert(service.search("red") == 2);
  assert(service.generation() == 3);

  Crawler crawler(service);
  crawler.found("blue whale");
  assert(service.search("whale") == 1);
}
