// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// STANDARD: c++17
// A program as tests of databases are: files are made before the first thread, changed, renamed and removed by threads,
// and what is there is checked all along. Each execution must find what the program left before its first thread, and
// nothing of the executions before it.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string>
#include <thread>

namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  assert(file.good());
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  assert(file.good());
}

std::size_t entries_of(const fs::path& path) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(path), fs::directory_iterator()));
}

}  // namespace

int main() {
  const fs::path home = "independent-on-disk";
  assert(!fs::exists(home));
  fs::create_directories(home / "table");
  write(home / "table" / "rows", "1 2 3");
  write(home / "index", "i");
  fs::create_symlink("index", home / "newest");
  const int log = open((home / "log").c_str(), O_RDWR | O_CREAT | O_APPEND, 0600);
  const int also_log = dup(log);
  assert(write(log, "begin\n", 6) == 6);
  std::FILE* const notes = std::fopen((home / "notes").c_str(), "w+");
  std::fputs("buffered", notes);  // flushed by the execution
  const int directory = open(home.c_str(), O_RDONLY | O_DIRECTORY);
  const int old_rows = open((home / "table" / "rows").c_str(), O_RDONLY);

  std::mutex mutex;
  std::thread writer([&] {
    const std::lock_guard lock(mutex);
    const int file = open((home / "LOCK").c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert(file >= 0);
    close(file);
    write(home / "table" / "rows", "4");
    char text[8] = {};
    assert(read(old_rows, text, sizeof text) == 1 && text[0] == '4');
    assert(write(log, "writer\n", 7) == 7);
    assert(unlink((home / "LOCK").c_str()) == 0);
  });
  std::thread mover([&] {
    const std::lock_guard lock(mutex);
    assert(text_of(home / "newest") == "i");
    assert(rename((home / "index").c_str(), (home / "index.old").c_str()) == 0);
    assert(!fs::exists(home / "newest"));
    assert(fchmodat(directory, "index.old", 0400, 0) == 0);
    assert(write(also_log, "mover\n", 6) == 6);
  });
  writer.join();
  mover.join();

  struct stat grown {};
  assert(fstat(log, &grown) == 0 && grown.st_size == 19);
  assert(fstatat(directory, "log", &grown, 0) == 0 && grown.st_size == 19);
  std::fclose(notes);
  assert(text_of(home / "notes") == "buffered");
  assert(text_of(home / "index.old") == "i");
  assert(entries_of(home) == 5);
  close(log);
  close(also_log);
  fs::remove_all(home);
  assert(!fs::exists(home));
}
