// SPDX-License-Identifier: Apache-2.0
// An execution that wants the processor until it is told to end: it makes the file of its first argument, with its
// process id inside, and looks for the one of its second. No scheduling point is passed meanwhile. starved_test.py sees
// to it that the processor is busy with something else.
#include <stdio.h>
#include <unistd.h>

#include <string>
#include <thread>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::thread waiting([argv] {
    const std::string unfinished = std::string(argv[1]) + ".unfinished";
    FILE* const file = fopen(unfinished.c_str(), "w");
    fprintf(file, "%d", static_cast<int>(getpid()));
    fclose(file);
    rename(unfinished.c_str(), argv[1]);
    while (access(argv[2], F_OK) != 0) {
    }
  });
  waiting.join();
}
