// SPDX-License-Identifier: Apache-2.0
// Two words are written under flockfile, with a scheduling point between them. With the argument "locked" the other
// task uses flockfile as well and never comes between. With "plain" it just writes, as programs outside Ravel may,
// since stdio takes the same lock; under Ravel it does come between, and a correct program fails.
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cassert>
#include <thread>

int main(int, char** arguments) {
  const bool locked = strcmp(arguments[1], "locked") == 0;
  char* text = nullptr;
  size_t size = 0;
  FILE* file = open_memstream(&text, &size);
  std::thread two_words([&] {
    flockfile(file);
    fputs("two", file);
    sched_yield();
    fputs("words", file);
    funlockfile(file);
  });
  std::thread one_word([&] {
    if (locked) flockfile(file);
    fputs("|", file);
    if (locked) funlockfile(file);
  });
  two_words.join();
  one_word.join();
  fclose(file);
  assert(strstr(text, "twowords") != nullptr);
  free(text);
}
