// SPDX-License-Identifier: Apache-2.0
#include "analysis/classes/handle_type.h"

#include <clang/AST/Decl.h>

namespace ravel {
namespace {

clang::QualType plain(clang::QualType type) { return type.getCanonicalType().getUnqualifiedType(); }

const clang::TypedefNameDecl* typedef_of(clang::QualType type) {
  const auto* const sugar = type->getAs<clang::TypedefType>();
  return sugar == nullptr ? nullptr : sugar->getDecl()->getCanonicalDecl();
}

}  // namespace

std::optional<HandleType> HandleType::of(clang::ASTContext& context, clang::QualType named) {
  if (named->isPointerType()) return HandleType(named, named->getPointeeType());
  if (named->isRecordType()) return HandleType(context.getPointerType(named), named);
  return std::nullopt;
}

bool HandleType::is_handle(clang::QualType value) const {
  if (!value->isPointerType()) return false;
  // Many libraries have void pointers of several names.
  if (pointee_->isVoidType()) return typedef_of(type_) != nullptr && typedef_of(value) == typedef_of(type_);
  return plain(value->getPointeeType()) == plain(pointee_);
}

bool HandleType::is_place(clang::QualType value) const {
  const bool leads = value->isPointerType() || value->isLValueReferenceType();
  return leads && is_handle(value->getPointeeType()) && !value->getPointeeType().isConstQualified();
}

std::string HandleType::argument(clang::QualType parameter) const {
  if (is_handle(parameter)) return "$object";
  if (is_place(parameter)) return parameter->isReferenceType() ? "$object" : "&$object";
  if (parameter->isLValueReferenceType() && plain(parameter->getPointeeType()) == plain(pointee_)) return "*$object";
  return "";
}

}  // namespace ravel
