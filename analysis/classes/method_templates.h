// SPDX-License-Identifier: Apache-2.0
// add_method_template(): calls of a method template, with the types that a test would use: the template arguments of
// its class, int, std::string; a lambda where the body calls the parameter.
//
// Who calls it: class_lister. Thread safety: none.
#pragma once

#include <clang/AST/DeclTemplate.h>
#include <clang/Sema/Sema.h>

#include <string>

#include "analysis/classes/call_collector.h"

namespace ravel {

// The name of a class that the text of the parsed file defines: anything can be called with it.
inline constexpr const char* kCallable = "ravel_callable_under_test";

// `operation` has kind and name. Nothing fits: left out, with the reason.
void add_method_template(clang::FunctionTemplateDecl& pattern, const clang::CXXRecordDecl& owner,
                         const ListedOperation& operation, clang::Sema& sema, CallCollector& calls);

}  // namespace ravel
