// SPDX-License-Identifier: Apache-2.0
// A cache of compiled templates. Two threads look a template up, both miss, both compile it; the second one replaces
// the entry and with it the statistics of the first. The look-up and the insert are two critical sections.
// FINDING: assertion
#include <cassert>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

struct Part {
  bool is_variable = false;
  std::string text;
};

class Template {
 public:
  explicit Template(std::string_view source) {
    while (!source.empty()) {
      const std::size_t open = source.find('{');
      parts_.push_back({false, std::string(source.substr(0, open))});
      if (open == std::string_view::npos) break;
      const std::size_t close = source.find('}', open);
      parts_.push_back({true, std::string(source.substr(open + 1, close - open - 1))});
      source.remove_prefix(close + 1);
    }
  }

  std::string render(const std::map<std::string, std::string>& values) const {
    std::ostringstream out;
    for (const Part& part : parts_) {
      if (!part.is_variable) {
        out << part.text;
      } else if (const auto value = values.find(part.text); value != values.end()) {
        out << value->second;
      }
    }
    return out.str();
  }

 private:
  std::vector<Part> parts_;
};

class TemplateCache {
 public:
  explicit TemplateCache(std::function<std::string(const std::string&)> read_source)
      : read_source_(std::move(read_source)) {}

  std::shared_ptr<const Template> get(const std::string& name) {
    if (auto known = find(name)) return known;
    auto compiled = std::make_shared<const Template>(read_source_(name));
    std::lock_guard lock(mutex_);
    ++compilations_;
    templates_[name] = compiled;  // CAUSE: second
    return compiled;
  }

  std::size_t size() const {
    std::lock_guard lock(mutex_);
    return templates_.size();
  }

  int compilations() const {
    std::lock_guard lock(mutex_);
    return compilations_;
  }

 private:
  std::shared_ptr<const Template> find(const std::string& name) const {
    std::lock_guard lock(mutex_);
    const auto found = templates_.find(name);                    // CAUSE: first
    return found == templates_.end() ? nullptr : found->second;  // CAUSE: first
  }

  const std::function<std::string(const std::string&)> read_source_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Template>> templates_;
  int compilations_ = 0;
};

int main() {
  TemplateCache cache([](const std::string& name) { return name + ": hello {user}!"; });
  const auto request = [&cache](const std::string& user, std::string& answer) {
    answer = cache.get("greeting")->render({{"user", user}});
  };
  std::string first;
  std::string second;
  std::thread one(request, "ann", std::ref(first));
  std::thread two(request, "bob", std::ref(second));
  one.join();
  two.join();
  assert(first == "greeting: hello ann!");
  assert(second == "greeting: hello bob!");
  assert(cache.size() == 1);
  assert(cache.compilations() == 1);
}
