/* SPDX-License-Identifier: Apache-2.0
 * Speaks like a test binary, well or badly: PRETENDS in the environment says how. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* An execution takes a good part of a second. */
static void* work(void* unused) {
  for (int part = 0; part < 2; ++part) {
    for (long i = 0; i < 50000000; ++i) __asm__ volatile("");
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void* end(void* unused) { return unused; }

int main(int count, char** words) {
  const char* const how = getenv("PRETENDS");
  const char* const word = count > 1 ? words[count - 1] : "";
  const int help = strcmp(word, "--help") == 0;
  const int list = strcmp(word, "--gtest_list_tests") == 0;
  if (how == NULL || strcmp(how, "nothing") == 0) {
    puts("hello");
  } else if (strcmp(how, "hang") == 0) {
    for (;;) pause();
  } else if (strcmp(how, "Catch2 v3") == 0) { /* fails unless it is told what version 3 understands */
    if (help) {
      puts("Catch2 v3.4.0\nusage:");
    } else if (count == 4 && strcmp(words[1], "--list-tests") == 0 && strcmp(words[2], "--verbosity") == 0) {
      puts("one, two\n[three]\n\"#four\"");
    } else {
      return strcmp(word, "one\\, two") != 0 && strcmp(word, "\\[three\\]") != 0 && strcmp(word, "#four") != 0;
    }
  } else if (help && strcmp(how, "own help") == 0) {
    puts("usage: pretender");
  } else if (help) {
    puts("This program contains tests written using Google Test. You can use the");
  } else if (list && strcmp(how, "empty") != 0) {
    puts("Starting.\nSlow.\n  One\n  Two\n  Three\n  DISABLED_Four\nQuick.\n  Threads\n  None\n  Unready");
  } else if (strstr(word, "Slow.") != NULL) {
    pthread_t other;
    pthread_create(&other, NULL, work, NULL);
    work(NULL);
    pthread_join(other, NULL);
  } else if (strstr(word, "Unready") != NULL) {
    for (;;) pause(); /* never creates a thread */
  } else if (strstr(word, "Threads") != NULL) {
    pthread_t other;
    pthread_create(&other, NULL, end, NULL);
    pthread_join(other, NULL);
  }
  return 0;
}
