// SPDX-License-Identifier: Apache-2.0
#include "analysis/classes/handle_lister.h"

#include <clang/AST/DeclCXX.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "analysis/classes/call_collector.h"

namespace ravel {
namespace {

bool names_one_of(const std::string& function, std::initializer_list<const char*> words) {
  std::string lower = function;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return lower.find(word) != std::string::npos; });
}

class HandleLister {
 public:
  HandleLister(clang::ASTContext& context, const HandleType& handle, const ClassQuestion& question)
      : context_(context), handle_(handle), calls_(ValuePools(context, nullptr, &handle_, question.values)) {}

  ClassListing list() {
    calls_.listing.name =
        calls_.pools().spelled(handle_.pointee()->isRecordType() ? handle_.pointee() : handle_.type());
    calls_.listing.handle = calls_.pools().spelled(handle_.type());
    add_functions(*context_.getTranslationUnitDecl());
    if (!calls_.makes_objects()) {
      calls_.listing.error = "no function makes a " + calls_.listing.handle + " that a test could use";
    }
    return calls_.take();
  }

 private:
  void add_functions(const clang::DeclContext& scope) {
    for (const clang::Decl* const one : scope.decls()) {
      if (const auto* const space = llvm::dyn_cast<clang::NamespaceDecl>(one)) {
        if (!space->isStdNamespace()) add_functions(*space);
      } else if (const auto* const linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(one)) {
        add_functions(*linkage);
      } else if (const auto* const function = llvm::dyn_cast<clang::FunctionDecl>(one)) {
        add(*function);
      }
    }
  }

  void add(const clang::FunctionDecl& function) {
    if (function.isImplicit() || function.isDeleted() || llvm::isa<clang::CXXMethodDecl>(function)) return;
    if (!is_about_handle(function) || !seen_.insert(function.getCanonicalDecl()).second) return;
    const std::string name = function.getQualifiedNameAsString();
    ListedOperation operation{kind_of(function), name, name, calls_.signature(function), {}, false, false, "", ""};
    if (operation.kind == ListedKind::handle_maker) {
      operation.before = fills_place(function) ? "nullptr" : "new " + calls_.pools().spelled(handle_.pointee()) + "()";
    }
    calls_.add(function, std::move(operation));
  }

  bool any_parameter(const clang::FunctionDecl& function, bool (HandleType::*is)(clang::QualType) const) const {
    return std::any_of(function.parameters().begin(), function.parameters().end(),
                       [&](const clang::ParmVarDecl* one) { return (handle_.*is)(one->getType()); });
  }

  bool is_about_handle(const clang::FunctionDecl& function) const {
    return makes(function.getReturnType()) ||
           std::any_of(function.parameters().begin(), function.parameters().end(),
                       [&](const clang::ParmVarDecl* one) { return !handle_.argument(one->getType()).empty(); });
  }

  // A result that can be kept as the handle: not one that must not be changed.
  bool makes(clang::QualType result) const {
    return handle_.is_handle(result) &&
           (!result->getPointeeType().isConstQualified() || handle_.pointee().isConstQualified());
  }

  // Gives the handle back through a parameter. What closes one often takes the same parameter.
  bool fills_place(const clang::FunctionDecl& function) const {
    return any_parameter(function, &HandleType::is_place) && !any_parameter(function, &HandleType::is_handle) &&
           !names_one_of(function.getNameAsString(), {"close", "free", "destroy", "delete", "release", "unref", "drop",
                                                      "dispose", "clear", "fini", "cleanup", "term", "put"});
  }

  // Fills in a struct that the caller has.
  bool initialises(const clang::FunctionDecl& function) const {
    const auto* const record = handle_.pointee()->getAsCXXRecordDecl();
    return record != nullptr && record->hasDefinition() && function.getNumParams() > 0 &&
           makes(function.getParamDecl(0)->getType()) && names_one_of(function.getNameAsString(), {"init", "setup"});
  }

  ListedKind kind_of(const clang::FunctionDecl& function) const {
    const bool takes = any_parameter(function, &HandleType::is_handle);
    if (makes(function.getReturnType()) && !takes) return ListedKind::pointer_factory;
    if (fills_place(function) || initialises(function)) return ListedKind::handle_maker;
    return ListedKind::function;
  }

  clang::ASTContext& context_;
  HandleType handle_;
  CallCollector calls_;
  std::set<const clang::FunctionDecl*> seen_;
};

}  // namespace

ClassListing list_handle(clang::ASTContext& context, clang::QualType named, const ClassQuestion& question) {
  const auto handle = HandleType::of(context, named);
  if (handle) return HandleLister(context, *handle, question).list();
  ClassListing listing;
  listing.name = question.class_name;
  listing.error = question.class_name + " is neither a struct nor a pointer, so it is no handle";
  return listing;
}

}  // namespace ravel
