// SPDX-License-Identifier: Apache-2.0
// Documents are saved to a temporary file that is then renamed. The temporary name depends only on the document, so
// two saves of one document write into the same temporary file: the second rename finds nothing to rename.
// FINDING: uncaught-exception
#include <cassert>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

// A file system in memory, with the rules of a real one: rename replaces its target, and fails without a source.
class Disk {
 public:
  void write(const std::string& path, std::string content) {
    std::lock_guard lock(mutex_);
    files_[path] = std::move(content);  // CAUSE: first
  }

  void rename(const std::string& from, const std::string& to) {
    std::lock_guard lock(mutex_);
    auto node = files_.extract(from);  // CAUSE: second
    if (node.empty()) throw std::runtime_error("no such file: " + from);
    files_.erase(to);
    node.key() = to;
    files_.insert(std::move(node));
  }

  std::string read(const std::string& path) const {
    std::lock_guard lock(mutex_);
    const auto found = files_.find(path);
    if (found == files_.end()) throw std::runtime_error("no such file: " + path);
    return found->second;
  }

  bool exists(const std::string& path) const {
    std::lock_guard lock(mutex_);
    return files_.contains(path);
  }

  std::vector<std::string> list() const {
    std::lock_guard lock(mutex_);
    std::vector<std::string> names;
    for (const auto& [name, content] : files_) names.push_back(name);
    return names;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::string> files_;
};

class Document {
 public:
  Document(Disk& disk, std::string path) : disk_(disk), path_(std::move(path)) {}

  void set(std::string_view text) {
    std::lock_guard lock(mutex_);
    text_ = text;
  }

  void save() {
    std::string text;
    {
      std::lock_guard lock(mutex_);
      text = text_;
    }
    const std::string temporary = path_ + ".tmp";
    disk_.write(temporary, text);
    disk_.rename(temporary, path_);
  }

 private:
  Disk& disk_;
  const std::string path_;
  std::mutex mutex_;
  std::string text_;
};

class AutoSave {
 public:
  explicit AutoSave(Document& document) : thread_([&document] { document.save(); }) {}
  ~AutoSave() { thread_.join(); }

 private:
  std::thread thread_;
};

int main() {
  Disk disk;
  Document document(disk, "notes.txt");
  document.set("buy milk");
  {
    AutoSave background(document);
    document.save();  // the user presses Ctrl-S
  }
  assert(disk.read("notes.txt") == "buy milk");
  assert(!disk.exists("notes.txt.tmp"));
  assert(disk.list().size() == 1);
}
