// SPDX-License-Identifier: Apache-2.0
// Chooses what a program of this folder does by its first argument. Used by main() only, before any task exists.
#pragma once

#include <cstdio>
#include <cstring>
#include <initializer_list>

struct Variant {
  const char* name;
  void (*body)();
};

inline int run_variant(int count, char** arguments, std::initializer_list<Variant> variants) {
  for (const Variant& variant : variants) {
    if (count == 2 && std::strcmp(arguments[1], variant.name) == 0) {
      variant.body();
      return 0;
    }
  }
  std::fprintf(stderr, "no such variant\n");
  return 2;
}
