// SPDX-License-Identifier: Apache-2.0
// A correct program that reads lines from a pipe by stdio. The wait is inside libc, where Ravel cannot step in, and it
// stops the one OS thread that carries every task. Ravel makes the task give way after a while.

#include <stdio.h>
#include <unistd.h>

#include <cassert>
#include <thread>

int main() {
  std::thread([] {}).join();  // a full pipe before the first thread would be another limit: open_objects.cpp
  int ends[2];
  if (pipe(ends) != 0) return 2;
  std::thread reader([&] {
    FILE* lines = fdopen(ends[0], "r");
    char line[16];
    assert(fgets(line, sizeof line, lines) != nullptr);
    fclose(lines);
  });
  std::thread writer([&] { assert(write(ends[1], "hello\n", 6) == 6); });
  reader.join();
  writer.join();
}
