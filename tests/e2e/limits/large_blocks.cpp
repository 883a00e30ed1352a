// SPDX-License-Identifier: Apache-2.0
// Memory of the heap that nobody has touched. "freed": a byte of a freed block of 64 KB is read that was never accessed
// before, which is not noticed; in a block of up to 4 KB ("freed-small") it is. "unwritten", with --uninitialised: a
// byte of a block of more than 1 MB is read that nobody wrote, which is not noticed.
#include <cstdlib>
#include <cstring>
#include <thread>

int main(int, char** arguments) {
  const bool freed = std::strncmp(arguments[1], "freed", 5) == 0;
  const bool is_small = std::strcmp(arguments[1], "freed-small") == 0;
  auto* block = static_cast<volatile char*>(std::malloc(is_small ? 4000 : freed ? 65536 : 2000000));
  std::thread([=] {
    if (freed) std::free(const_cast<char*>(block));
  }).join();
  const char seen = block[3000];
  if (!freed) std::free(const_cast<char*>(block));
  return seen == 77 ? 3 : 0;
}
