// SPDX-License-Identifier: Apache-2.0
// Frees that no interleaving makes right. The argument says which.
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>

char global[64];

void* hidden(void* pointer) {  // from compilers that warn of what this program is about
  static void* volatile keep;
  keep = pointer;
  return keep;
}

void wrong(const char* what) {
  char local[64];
  const auto is = [what](const char* name) { return std::strcmp(what, name) == 0; };
  if (is("array")) delete static_cast<int*>(hidden(new int[4]));
  if (is("object")) delete[] static_cast<int*>(hidden(new int));
  if (is("malloc")) delete static_cast<int*>(hidden(malloc(4)));
  if (is("free")) free(hidden(new int));
  if (is("aligned")) operator delete(hidden(operator new (64, std::align_val_t{64})));
  if (is("sized")) operator delete (hidden(operator new(8)), std::size_t{16});
  if (is("realloc")) free(realloc(hidden(new char[8]), 100));
  if (is("interior")) free(hidden(static_cast<char*>(malloc(64)) + 16));
  if (is("odd")) free(hidden(static_cast<char*>(malloc(64)) + 5));
  if (is("large")) free(hidden(static_cast<char*>(malloc(64 << 20)) + (32 << 20)));
  if (is("global")) free(hidden(global + 16));
  if (is("stack")) free(hidden(local + 16));
  if (is("again")) {
    void* block = hidden(malloc(10));
    free(block);
    free(block);
  }
  if (is("realloc-freed")) {
    void* block = hidden(malloc(10));
    free(block);
    free(realloc(block, 20));
  }
}

int main(int, char** arguments) {
  std::thread task(wrong, arguments[1]);
  task.join();
}
