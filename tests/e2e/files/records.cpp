// SPDX-License-Identifier: Apache-2.0
// Makes the file "made" before its first thread, changes "given" and "deep/given" after it, and fails in the end when
// the first argument is "fail". With "pipe" it cannot be forked where it creates its first thread. With "last" it
// removes what it made. "slow" holds it up between two halves of a file.
#include <fcntl.h>
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

int main(int count, char** arguments) {
  const auto wants = [&](const char* word) {
    for (int i = 1; i < count; ++i) {
      if (std::strcmp(arguments[i], word) == 0) return true;
    }
    return false;
  };
  assert(!std::filesystem::exists("made"));
  std::ofstream("made") << "before\n";
  int pipe_ends[2];
  if (wants("pipe")) assert(pipe(pipe_ends) == 0 && write(pipe_ends[1], "x", 1) == 1);
  std::thread task([&] {
    std::ifstream given("given");
    std::string text;
    given >> text;
    assert(text == "original");
    std::ofstream("given") << "changed by an execution\n";
    std::filesystem::rename("deep", "deeper");
    std::ofstream("deeper/given", std::ios::app) << "more\n";
    assert(std::system("echo child > by-a-child") == 0);
    std::ofstream("made", std::ios::app) << "after\n";
  });
  task.join();
  if (wants("last")) std::filesystem::remove("made");
  if (wants("fail")) std::abort();
}
