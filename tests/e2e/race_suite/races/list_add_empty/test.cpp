// SPDX-License-Identifier: Apache-2.0
#include <ravel/race_test.h>

#include <memory>

#include "list.h"
#include "threads.h"

namespace {

std::unique_ptr<shop::List> list;
bool was_empty;

void setup() { list = std::make_unique<shop::List>(); }

void add_and_ask() {
  both([] { list->add({3}); }, [] { was_empty = list->is_empty(); });
}

void teardown() { list.reset(); }

}  // namespace

RAVEL_RACE_TEST(list_add_empty, setup, add_and_ask, teardown)
