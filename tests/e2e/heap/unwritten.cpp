// SPDX-License-Identifier: Apache-2.0
// With --uninitialised. "read": reads what nobody has written. "fine": memory written by the program, by libc, by the
// kernel, by calloc, before there were tasks, and through copies of half-written structures; nothing may be found.
#include <fcntl.h>
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

struct Padded {
  char letter;
  long number;
  char last;
};

thread_local volatile int sink = 0;
int* early = nullptr;

void fine() {
  int* numbers = static_cast<int*>(malloc(10 * sizeof(int)));
  for (int i = 0; i < 10; ++i) numbers[i] = i;
  for (int i = 0; i < 10; ++i) sink = sink + numbers[i];
  numbers = static_cast<int*>(realloc(numbers, 1000 * sizeof(int)));
  sink = sink + numbers[9];
  free(numbers);
  int* zeroes = static_cast<int*>(calloc(10, sizeof(int)));
  sink = sink + zeroes[5];
  free(zeroes);
  char* text = static_cast<char*>(malloc(100));
  snprintf(text, 100, "%d", 12345);
  sink = sink + text[2];
  free(text);
  char* bytes = static_cast<char*>(malloc(16));
  const int file = open("/dev/zero", O_RDONLY);
  assert(read(file, bytes, 16) == 16);
  close(file);
  sink = sink + bytes[7];
  free(bytes);
  auto* padded = new Padded{};
  padded->letter = 'a';
  padded->number = 1;
  auto* copy = new Padded(*padded);
  sink = sink + copy->letter + static_cast<int>(copy->number);
  delete padded;
  delete copy;
  std::vector<std::string> strings(10, "some text that is longer than a short string");
  sink = sink + strings[3][5];
  sink = sink + early[3];
}

void reads_unwritten() {
  volatile int* numbers = new int[4];
  numbers[0] = 1;
  numbers[1] = 2;
  sink = sink + numbers[3];
  delete[] numbers;
}

int main(int, char** arguments) {
  early = new int[4]{1, 2, 3, 4};
  const bool is_fine = std::strcmp(arguments[1], "fine") == 0;
  std::thread a(is_fine ? fine : reads_unwritten);
  std::thread b(fine);
  a.join();
  b.join();
  delete[] early;
}
