// SPDX-License-Identifier: Apache-2.0
// list_handle(): the functions over a handle as the calls of a class: what opens it makes the object, what takes it is
// a method. `db *db_open(const char *)`, `int db_open(const char *, db **)` and, where the caller has the struct,
// `void db_init(db *)` all make one.
//
// Who calls it: list_class(). Thread safety: none.
#pragma once

#include <string>

#include "analysis/classes/class_lister.h"

namespace ravel {

// `named`: the type that the user named.
ClassListing list_handle(clang::ASTContext& context, clang::QualType named, const ClassQuestion& question);

}  // namespace ravel
