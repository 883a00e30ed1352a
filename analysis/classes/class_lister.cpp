// SPDX-License-Identifier: Apache-2.0
#include "analysis/classes/class_lister.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include <set>

#include "analysis/classes/value_pools.h"

namespace ravel {
namespace {

constexpr const char* kAlias = "ravel_class_under_test";
constexpr unsigned kMostParameters = 12;

class Lister {
 public:
  Lister(clang::ASTContext& context, const clang::CXXRecordDecl& record, const ClassQuestion& question)
      : context_(context), record_(record), pools_(context, record, question.values) {}

  ClassListing list() {
    listing_.name = pools_.spelled(context_.getRecordType(&record_));
    if (!record_.isAbstract()) add_constructors();
    add_methods(record_);
    add_bases(record_);
    listing_.pools = std::move(pools_.pools);
    listing_.slots = std::move(pools_.slots);
    listing_.declarations = std::move(pools_.declarations);
    bool makes = false;
    for (const ListedOperation& one : listing_.operations) {
      makes = makes || (one.kind != ListedKind::method && one.kind != ListedKind::function);
    }
    if (!makes) {
      const char* const why =
          record_.isAbstract() ? "it is abstract" : "it has no public constructor or factory that a test can call";
      listing_.error = "no object of " + listing_.name + " can be made: " + why;
    }
    return std::move(listing_);
  }

 private:
  std::string signature(const clang::CXXMethodDecl& method) const {
    std::string parameters;
    for (const clang::ParmVarDecl* const parameter : method.parameters()) {
      parameters += (parameters.empty() ? "" : ", ") + pools_.spelled(parameter->getType());
    }
    return method.getNameAsString() + "(" + parameters + ")" + (method.isConst() ? " const" : "");
  }

  // Also where parameters that have default arguments need values that there are not: they are left to the defaults.
  bool take_parameters(const clang::CXXMethodDecl& method, ListedOperation& operation) {
    if (method.getNumParams() > kMostParameters) return left_out(method, "it has too many parameters");
    for (unsigned i = 0; i < method.getNumParams(); ++i) {
      const clang::QualType type = method.getParamDecl(i)->getType();
      const auto pool = pools_.pool_for(type);
      if (!pool && i >= method.getMinRequiredArguments()) break;
      if (!pool) return left_out(method, "there are no values for a parameter of type " + pools_.spelled(type));
      operation.pools.push_back(*pool);
    }
    return true;
  }

  bool left_out(const clang::CXXMethodDecl& method, const std::string& reason) {
    listing_.left_out.push_back({signature(method), reason});
    return false;
  }

  void add_constructors() {
    for (const clang::CXXConstructorDecl* const one : record_.ctors()) {
      if (one->isDeleted() || one->isCopyOrMoveConstructor() || one->getAccess() != clang::AS_public) continue;
      ListedOperation operation{
          ListedKind::constructor, one->getQualifiedNameAsString(), listing_.name, signature(*one), {}, false};
      if (take_parameters(*one, operation)) listing_.operations.push_back(std::move(operation));
    }
    if (record_.needsImplicitDefaultConstructor()) {
      const std::string name = record_.getNameAsString();
      listing_.operations.push_back({ListedKind::constructor,
                                     record_.getQualifiedNameAsString() + "::" + name,
                                     listing_.name,
                                     name + "()",
                                     {},
                                     false});
    }
  }

  bool is_tested(clang::QualType type) const {
    const auto* const record = type->getAsCXXRecordDecl();
    return record != nullptr && record->getCanonicalDecl() == record_.getCanonicalDecl();
  }

  ListedKind kind_of(const clang::CXXMethodDecl& method) const {
    if (!method.isStatic()) return ListedKind::method;
    const clang::QualType result = method.getReturnType();
    if (result->isPointerType() && is_tested(result->getPointeeType())) return ListedKind::pointer_factory;
    if (result->isReferenceType() && is_tested(result->getPointeeType())) return ListedKind::reference_factory;
    if (is_tested(result)) return ListedKind::value_factory;
    if (const auto* const smart =
            llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(result->getAsCXXRecordDecl())) {
      const std::string name = smart->getNameAsString();
      const auto& arguments = smart->getTemplateArgs();
      const bool holds = smart->isInStdNamespace() && (name == "unique_ptr" || name == "shared_ptr");
      if (holds && arguments[0].getKind() == clang::TemplateArgument::Type && is_tested(arguments[0].getAsType())) {
        return ListedKind::reference_factory;
      }
    }
    return ListedKind::function;
  }

  void add_methods(const clang::CXXRecordDecl& record) {
    for (const clang::CXXMethodDecl* const one : record.methods()) {
      if (llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(one)) continue;
      if (one->isImplicit() || one->isDeleted() || one->getAccess() != clang::AS_public) continue;
      if (one->getOverloadedOperator() == clang::OO_Equal || llvm::isa<clang::CXXConversionDecl>(one)) continue;
      // What a derived class overrides or hides was listed with it.
      const std::string shown = signature(*one);
      if (!listed_.insert(shown).second) continue;
      ListedOperation operation{kind_of(*one), one->getQualifiedNameAsString(), one->getNameAsString(), shown, {},
                                false};
      operation.is_const = one->isConst();
      if (operation.kind != ListedKind::method) operation.call = listing_.name + "::" + operation.call;
      // A smart pointer is kept, and what it points to is the object.
      if (operation.kind == ListedKind::reference_factory && !one->getReturnType()->isReferenceType()) {
        operation.call = "*" + operation.call;
      }
      if (take_parameters(*one, operation)) listing_.operations.push_back(std::move(operation));
    }
    for (const clang::Decl* const one : record.decls()) {
      const auto* const pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(one);
      if (pattern == nullptr || pattern->getAccess() != clang::AS_public) continue;
      listing_.left_out.push_back({pattern->getNameAsString(), "it is a template"});
    }
  }

  void add_bases(const clang::CXXRecordDecl& record) {
    for (const clang::CXXBaseSpecifier& base : record.bases()) {
      const auto* const parent = base.getType()->getAsCXXRecordDecl();
      if (base.getAccessSpecifier() != clang::AS_public || parent == nullptr || parent->getDefinition() == nullptr)
        continue;
      add_methods(*parent->getDefinition());
      add_bases(*parent->getDefinition());
    }
  }

  clang::ASTContext& context_;
  const clang::CXXRecordDecl& record_;
  ValuePools pools_;
  ClassListing listing_;
  std::set<std::string> listed_;
};

const clang::CXXRecordDecl* find_class(clang::ASTContext& context) {
  for (const clang::Decl* const one : context.getTranslationUnitDecl()->decls()) {
    const auto* const alias = llvm::dyn_cast<clang::TypeAliasDecl>(one);
    if (alias == nullptr || alias->getName() != kAlias) continue;
    const auto* const record = alias->getUnderlyingType()->getAsCXXRecordDecl();
    return record == nullptr ? nullptr : record->getDefinition();
  }
  return nullptr;
}

}  // namespace

ClassListing list_class(const ClassQuestion& question, std::vector<CompilerError>& errors) {
  ParseInput input;
  input.directory = question.directory;
  input.file = (question.directory.empty() ? "" : question.directory) + "/ravel_class_under_test.cpp";
  input.main = input.file;
  input.arguments = question.arguments;
  input.replaced = true;
  for (const std::string& header : question.headers) input.replacement += "#include \"" + header + "\"\n";
  // sizeof completes a class template.
  input.replacement += "using " + std::string(kAlias) + " = ::" + question.class_name + ";\n";
  input.replacement += "constexpr unsigned long ravel_size_under_test = sizeof(" + std::string(kAlias) + ");\n";
  ClassListing listing;
  listing.error = "there is no class " + question.class_name;
  const auto visit = [&](ParsedFile& file) {
    if (const clang::CXXRecordDecl* const record = find_class(file.context())) {
      listing = Lister(file.context(), *record, question).list();
    }
  };
  parse(input, visit, errors);
  return listing;
}

}  // namespace ravel
