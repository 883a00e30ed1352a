// SPDX-License-Identifier: Apache-2.0
// HandleType: the pointer that the functions of a C library pass around: `db *` for a struct db, or a type of that name
// that is a pointer. Says which parameters and results are the handle.
//
// Who calls it: handle_lister, and value_pools for parameters. Thread safety: a value.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Type.h>

#include <optional>
#include <string>

namespace ravel {

class HandleType {
 public:
  // Nullopt: neither a struct nor a pointer.
  static std::optional<HandleType> of(clang::ASTContext& context, clang::QualType named);

  clang::QualType type() const { return type_; }        // the pointer
  clang::QualType pointee() const { return pointee_; }  // as the user named it, where that is the struct

  // Is this value the handle? A pointer to const is one too.
  bool is_handle(clang::QualType value) const;
  // Where a function leaves a handle: a pointer or a reference to one.
  bool is_place(clang::QualType value) const;
  // What is passed for a parameter that is about the handle: "$object", "*$object", "&$object". Empty: it is not.
  std::string argument(clang::QualType parameter) const;

 private:
  HandleType(clang::QualType type, clang::QualType pointee) : type_(type), pointee_(pointee) {}

  clang::QualType type_;
  clang::QualType pointee_;
};

}  // namespace ravel
