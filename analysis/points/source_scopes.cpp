// SPDX-License-Identifier: Apache-2.0
#include "analysis/points/source_scopes.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include <algorithm>

namespace ravel {
namespace {

std::string printed(const clang::NamedDecl& declaration) {
  std::string text;
  llvm::raw_string_ostream out(text);
  clang::PrintingPolicy policy(declaration.getLangOpts());
  declaration.printName(out, policy);
  return text;
}

std::string template_arguments(const clang::CXXRecordDecl& record) {
  clang::PrintingPolicy policy(record.getLangOpts());
  std::string text;
  llvm::raw_string_ostream out(text);
  if (const auto* special = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record)) {
    const clang::ASTTemplateArgumentListInfo* written = special->getTemplateArgsAsWritten();
    if (written != nullptr) {
      clang::printTemplateArgumentList(out, written->arguments(), policy);
    } else {
      clang::printTemplateArgumentList(out, special->getTemplateArgs().asArray(), policy);
    }
  } else if (const clang::ClassTemplateDecl* pattern = record.getDescribedClassTemplate()) {
    out << '<';
    for (unsigned i = 0; i < pattern->getTemplateParameters()->size(); ++i) {
      out << (i == 0 ? "" : ",") << printed(*pattern->getTemplateParameters()->getParam(i));
    }
    out << '>';
  }
  return without_spaces(text);
}

// The names around a declaration, outermost first; what has no name is left out.
std::vector<NamePart> path_of(const clang::NamedDecl& declaration) {
  std::vector<NamePart> path;
  const clang::Decl* at = &declaration;
  while (at != nullptr) {
    NamePart part;
    if (const auto* named = llvm::dyn_cast<clang::NamedDecl>(at)) part.name = printed(*named);
    if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(at)) {
      part.arguments = template_arguments(*record);
      if (record->isLambda() || record->getIdentifier() == nullptr) part.name.clear();
    } else if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(at)) {
      if (space->isAnonymousNamespace()) part.name.clear();
      part.may_be_left = space->isInline();
    } else if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(at)) {
      if (method->getParent()->isLambda()) part.name.clear();
      // "List<T>" is how a constructor of a template prints; the test says "List".
      if (llvm::isa<clang::CXXConstructorDecl>(at)) part.name = method->getParent()->getNameAsString();
      if (llvm::isa<clang::CXXDestructorDecl>(at)) part.name = "~" + method->getParent()->getNameAsString();
    }
    if (!part.name.empty()) path.push_back(std::move(part));
    const clang::DeclContext* parent = at->getDeclContext();
    at = parent == nullptr || parent->isTranslationUnit() ? nullptr : clang::Decl::castFromDeclContext(parent);
  }
  std::ranges::reverse(path);
  return path;
}

std::string joined(const std::vector<NamePart>& path) {
  std::string text;
  for (const NamePart& part : path) text += (text.empty() ? "" : "::") + part.name;
  return text;
}

class Collector : public clang::RecursiveASTVisitor<Collector> {
 public:
  Collector(ParsedFile& file, std::vector<FunctionScope>& functions, std::vector<ClassScope>& classes)
      : file_(file), functions_(functions), classes_(classes) {}

  // Most declarations are in other files: they are not visited.
  bool TraverseDecl(clang::Decl* declaration) {
    if (declaration != nullptr && !llvm::isa<clang::TranslationUnitDecl>(declaration)) {
      unsigned offset = 0;
      const clang::DeclContext* parent = declaration->getLexicalDeclContext();
      if (parent != nullptr && parent->isTranslationUnit() && !file_.begins_here(declaration->getBeginLoc(), offset)) {
        unsigned end = 0;
        if (!file_.ends_here(declaration->getEndLoc(), end)) return true;
      }
    }
    return RecursiveASTVisitor::TraverseDecl(declaration);
  }

  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    if (!function->isThisDeclarationADefinition() || function->isDefaulted() || function->isDeleted()) return true;
    if (function->isTemplateInstantiation()) return true;
    if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function)) {
      if (method->getParent()->isLambda()) return true;
    }
    FunctionScope scope;
    scope.function = function;
    if (!file_.begins_here(function->getOuterLocStart(), scope.begin)) return true;
    if (!file_.ends_here(function->getEndLoc(), scope.end)) return true;
    scope.path = path_of(*function);
    scope.name = joined(scope.path);
    clang::PrintingPolicy policy(function->getLangOpts());
    std::string parameters;
    for (const clang::ParmVarDecl* parameter : function->parameters()) {
      const std::string type = parameter->getOriginalType().getAsString(policy);
      parameters += (parameters.empty() ? "" : ", ") + type;
      scope.parameters.push_back(without_spaces(type));
    }
    scope.signature = scope.name + "(" + parameters + ")";
    if (is_const(*function)) scope.signature += " const";
    functions_.push_back(std::move(scope));
    return true;
  }

  bool VisitCXXRecordDecl(clang::CXXRecordDecl* record) {
    if (!record->isThisDeclarationADefinition() || record->isLambda()) return true;
    ClassScope scope;
    if (!file_.begins_here(record->getBeginLoc(), scope.begin)) return true;
    if (!file_.ends_here(record->getEndLoc(), scope.end)) return true;
    scope.path = path_of(*record);
    classes_.push_back(std::move(scope));
    return true;
  }

  static bool is_const(const clang::FunctionDecl& function) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
    return method != nullptr && method->isConst();
  }

 private:
  ParsedFile& file_;
  std::vector<FunctionScope>& functions_;
  std::vector<ClassScope>& classes_;
};

bool has_parameters(const FunctionScope& scope, const std::vector<std::string>& wanted) {
  if (scope.parameters.size() != wanted.size()) return false;
  const clang::PrintingPolicy policy(scope.function->getLangOpts());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const clang::QualType type = scope.function->getParamDecl(static_cast<unsigned>(i))->getOriginalType();
    const std::string canonical = without_spaces(type.getCanonicalType().getAsString(policy));
    const std::string& written = scope.parameters[i];
    if (wanted[i] != written && wanted[i] != canonical &&
        without_qualifiers(wanted[i]) != without_qualifiers(written)) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool has_name(const clang::FunctionDecl& function, const ScopeName& scope) {
  for (std::vector<NamePart> path = path_of(function); !path.empty(); path.pop_back()) {
    if (ends_with(path, scope.parts)) return true;
  }
  return false;
}

SourceScopes::SourceScopes(ParsedFile& file) {
  Collector(file, functions_, classes_).TraverseDecl(file.context().getTranslationUnitDecl());
}

const FunctionScope* SourceScopes::function_at(unsigned offset) const {
  const FunctionScope* innermost = nullptr;
  for (const FunctionScope& scope : functions_) {
    if (offset < scope.begin || offset >= scope.end) continue;
    if (innermost == nullptr || scope.end - scope.begin < innermost->end - innermost->begin) innermost = &scope;
  }
  return innermost;
}

std::vector<const FunctionScope*> SourceScopes::functions_named(const ScopeName& scope) const {
  std::vector<const FunctionScope*> found;
  for (const FunctionScope& function : functions_) {
    if (ends_with(function.path, scope.parts)) {
      if (!scope.parameters || has_parameters(function, *scope.parameters)) found.push_back(&function);
      continue;
    }
    if (scope.parameters) continue;
    // A class: any of its methods, also those of classes within it.
    std::vector<NamePart> around = function.path;
    for (around.pop_back(); !around.empty(); around.pop_back()) {
      const bool in_class = llvm::isa<clang::CXXMethodDecl>(function.function);
      if (in_class && ends_with(around, scope.parts)) {
        found.push_back(&function);
        break;
      }
    }
  }
  if (scope.parameters && found.size() > 1) {
    std::vector<const FunctionScope*> exact;
    for (const FunctionScope* function : found) {
      if (Collector::is_const(*function->function) == scope.is_const) exact.push_back(function);
    }
    if (!exact.empty()) return exact;
  }
  return found;
}

bool SourceScopes::in_class_named(const ScopeName& scope, unsigned offset) const {
  if (scope.parameters) return false;
  return std::ranges::any_of(classes_, [&](const ClassScope& c) {
    return c.begin <= offset && offset < c.end && ends_with(c.path, scope.parts);
  });
}

}  // namespace ravel
