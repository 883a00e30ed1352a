// SPDX-License-Identifier: Apache-2.0
#include "analysis/futures/source_names.h"

#include <algorithm>

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Index/USRGeneration.h>

#include "analysis/futures/library_names.h"

namespace ravel {
namespace {

std::string program_name(const clang::Decl& declaration) {
  llvm::SmallString<128> text;
  if (clang::index::generateUSRForDecl(&declaration, text)) return "";
  return std::string(text);
}

std::string written_name(const clang::FunctionDecl& function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  if (method != nullptr && method->getParent()->isLambda()) {
    const clang::DeclContext* around = method->getParent()->getDeclContext();
    while (around != nullptr && !around->isFileContext()) {
      if (const auto* outer = llvm::dyn_cast<clang::FunctionDecl>(around)) {
        const std::string name = written_name(*outer);
        return name.ends_with(")::lambda") || name.ends_with("::lambda") ? name : name + "::lambda";
      }
      around = around->getParent();
    }
    return "lambda";
  }
  return function.getQualifiedNameAsString();
}

}  // namespace

void SourceNames::begin_unit(clang::ASTContext& context) {
  context_ = &context;
  functions_.clear();
  variables_.clear();
  allocations_.clear();
}

int SourceNames::function(const clang::FunctionDecl& function) {
  const clang::FunctionDecl* canonical = function.getCanonicalDecl();
  const auto known = functions_.find(canonical);
  if (known != functions_.end()) return known->second;
  const bool local = canonical->getParentFunctionOrMethod() != nullptr ||
                     (llvm::isa<clang::CXXMethodDecl>(canonical) &&
                      llvm::cast<clang::CXXMethodDecl>(canonical)->getParent()->isLambda());
  const std::string name = local ? "" : program_name(*canonical);
  int id = -1;
  if (!name.empty()) {
    const auto shared = shared_functions_.find(name);
    if (shared != shared_functions_.end()) id = shared->second;
  }
  if (id < 0) {
    id = static_cast<int>(program_.functions.size());
    program_.functions.emplace_back();
    program_.functions.back().name = written_name(function);
    if (!name.empty()) shared_functions_[name] = id;
  }
  functions_[canonical] = id;
  return id;
}

int SourceNames::initialiser(const clang::VarDecl& variable) {
  const int id = static_cast<int>(program_.functions.size());
  program_.functions.emplace_back();
  program_.functions.back().name = variable.getQualifiedNameAsString();
  program_.initialisers.push_back(id);
  return id;
}

int SourceNames::variable(const clang::VarDecl& variable) {
  const clang::VarDecl* canonical = variable.getCanonicalDecl();
  const auto known = variables_.find(canonical);
  if (known != variables_.end()) {
    // The definition says more than the declaration in a header.
    if (&variable != canonical && variable.isThisDeclarationADefinition() == clang::VarDecl::Definition) {
      program_.variables[static_cast<std::size_t>(known->second)].where = place(variable.getLocation());
    }
    return known->second;
  }
  const bool global = canonical->hasGlobalStorage() && !canonical->isStaticLocal();
  const std::string name = global ? program_name(*canonical) : "";
  int id = -1;
  if (!name.empty()) {
    const auto shared = shared_variables_.find(name);
    if (shared != shared_variables_.end()) id = shared->second;
  }
  if (id < 0) {
    id = static_cast<int>(program_.variables.size());
    program_.variables.emplace_back();
    if (!name.empty()) shared_variables_[name] = id;
  }
  variables_[canonical] = id;
  FlowVariable& entry = program_.variables[static_cast<std::size_t>(id)];
  if (!entry.name.empty() && variable.isThisDeclarationADefinition() == clang::VarDecl::DeclarationOnly) return id;
  entry.name = canonical->isStaticLocal() || !global ? variable.getNameAsString() : variable.getQualifiedNameAsString();
  entry.type = plain_type(variable.getType().getNonReferenceType());
  entry.where = place(variable.getLocation());
  // What a function gets is put into its parameters where the function begins.
  const auto* around = llvm::dyn_cast_or_null<clang::FunctionDecl>(variable.getParentFunctionOrMethod());
  if (llvm::isa<clang::ParmVarDecl>(variable) && around != nullptr && around->hasBody()) {
    entry.where.lines.push_back(lines({around->getBeginLoc(), around->getBody()->getBeginLoc()}));
  }
  entry.is_static = variable.hasGlobalStorage();
  entry.per_thread = variable.getTLSKind() != clang::VarDecl::TLS_None;
  entry.is_reference = variable.getType()->isReferenceType();
  if (!entry.is_static) {
    if (const auto* owner = llvm::dyn_cast_or_null<clang::FunctionDecl>(variable.getParentFunctionOrMethod())) {
      entry.owner = function(*owner);
    }
  }
  return id;
}

std::string SourceNames::field(const clang::FieldDecl& field) {
  return field.getParent()->getQualifiedNameAsString() + "::" + field.getNameAsString();
}

int SourceNames::allocation(const clang::Expr& expression) {
  const auto [entry, is_new] = allocations_.emplace(&expression, static_cast<int>(program_.allocations.size()));
  if (is_new) program_.allocations.push_back(place(expression.getExprLoc()));
  return entry->second;
}

SourcePlace SourceNames::place(clang::SourceLocation location) const {
  const clang::SourceManager& sources = context_->getSourceManager();
  const clang::PresumedLoc presumed = sources.getPresumedLoc(sources.getExpansionLoc(location));
  if (presumed.isInvalid()) return {};
  const std::string file = presumed.getFilename();
  return {file, presumed.getLine(), presumed.getColumn(), {{file, presumed.getLine(), presumed.getLine()}}};
}

SourceLines SourceNames::lines(clang::SourceRange range) const {
  const clang::SourceManager& sources = context_->getSourceManager();
  const clang::PresumedLoc first = sources.getPresumedLoc(sources.getExpansionLoc(range.getBegin()));
  const clang::PresumedLoc last = sources.getPresumedLoc(sources.getExpansionRange(range.getEnd()).getEnd());
  if (first.isInvalid() || last.isInvalid()) return {};
  return {first.getFilename(), first.getLine(), std::max(first.getLine(), last.getLine())};
}

bool SourceNames::is_user(const clang::Decl& declaration) const {
  const clang::SourceLocation location = declaration.getLocation();
  return location.isValid() && !context_->getSourceManager().isInSystemHeader(location);
}

std::string library_class(clang::QualType type) {
  if (type.isNull()) return "";
  type = type.getNonReferenceType();
  if (type->isPointerType()) return "";
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (record == nullptr || !record->isInStdNamespace()) return "";
  return record->getNameAsString();
}

bool is_thread_like(clang::QualType type) {
  const std::string name = library_class(type);
  return is_thread(name) || is_future(name);
}

bool is_synchronisation_type(clang::QualType type) {
  if (type.isNull()) return false;
  type = type.getNonReferenceType();
  for (clang::QualType at = type; const auto* alias = at->getAs<clang::TypedefType>();) {
    if (is_c_synchronisation(alias->getDecl()->getName())) return true;
    at = alias->desugar();
  }
  if (const clang::ArrayType* array = type->getAsArrayTypeUnsafe()) {
    return is_synchronisation_type(array->getElementType());
  }
  const std::string name = library_class(type);
  if (name.empty()) return false;
  if (is_synchronisation(name)) return true;
  const auto* record = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (record == nullptr || !is_one_of(name, {"vector", "array", "deque", "list"})) return false;
  const clang::TemplateArgumentList& arguments = record->getTemplateArgs();
  return arguments.size() > 0 && arguments[0].getKind() == clang::TemplateArgument::Type &&
         is_synchronisation_type(arguments[0].getAsType());
}

std::string plain_type(clang::QualType type) {
  if (type.isNull()) return "";
  return type.getNonReferenceType().getCanonicalType().getUnqualifiedType().getAsString();
}

}  // namespace ravel
