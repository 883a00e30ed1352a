// SPDX-License-Identifier: Apache-2.0
// ValuePools: values for the parameters of calls, by type: primitives around their edges, every enumerator, strings,
// null, callables, containers, and objects made by their own constructors; stubs where a class is abstract.
//
// Who calls it: class_lister. Thread safety: none.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Type.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/classes/class_listing.h"
#include "analysis/classes/handle_type.h"

namespace ravel {

class ValuePools {
 public:
  // `given`: values of the user, by the type as it is written. `tested`: null for a handle.
  ValuePools(clang::ASTContext& context, const clang::CXXRecordDecl* tested, const HandleType* handle,
             std::map<std::string, std::vector<std::string>> given);

  // The pool for a parameter of this type; nullopt: there are no values for it.
  std::optional<unsigned> pool_for(clang::QualType parameter);

  // A pool of one value.
  unsigned single_pool(const std::string& type, const std::string& value);
  // A slot for values of the type that calls return; every pool of the type gets it as its first value. Empty: there is
  // no such pool.
  std::string slot_for_result(clang::QualType type);
  // The value that is tried first; empty: there is none.
  std::string first_value(clang::QualType type);

  // As C++ spells it, with all scopes.
  std::string spelled(clang::QualType type) const;

  std::vector<ListedPool> pools;
  std::vector<ListedSlot> slots;
  std::string declarations;

 private:
  using Values = std::vector<std::string>;

  Values values_of(clang::QualType type, unsigned depth);
  Values numbers(clang::QualType type) const;
  Values objects(clang::QualType type, unsigned depth);
  Values standard_objects(clang::QualType type, const std::string& name, unsigned depth);
  Values pointers(clang::QualType type, unsigned depth);
  Values callables(clang::QualType type);
  // Expressions that make an object of the class.
  Values constructions(const clang::CXXRecordDecl& record, unsigned depth);
  std::optional<std::string> arguments(const clang::CXXConstructorDecl& constructor, unsigned depth);
  Values stubs(const clang::CXXRecordDecl& record);
  std::string stub(const clang::CXXRecordDecl& record, bool answer, bool& has_answer);
  // Two slots of the type at most; their names.
  Values slots_of(clang::QualType type, unsigned depth);
  std::string slot_name(clang::QualType type);
  std::vector<const clang::CXXRecordDecl*> concrete_classes(const clang::CXXRecordDecl& base) const;

  clang::ASTContext& context_;
  clang::PrintingPolicy policy_;
  const clang::CXXRecordDecl* tested_;
  const HandleType* handle_;
  std::map<std::string, std::vector<std::string>> given_;
  std::map<std::string, std::optional<unsigned>> known_;
  std::map<std::string, Values> known_slots_;
  std::map<std::string, Values> known_stubs_;
  std::map<std::string, std::string> buffers_;  // slots, by type
  std::set<std::string> names_;
};

}  // namespace ravel
