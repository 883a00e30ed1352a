// SPDX-License-Identifier: Apache-2.0
#include "analysis/classes/class_lister.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include <set>

#include "analysis/classes/call_collector.h"
#include "analysis/classes/handle_lister.h"
#include "analysis/classes/method_templates.h"

namespace ravel {
namespace {

constexpr const char* kAlias = "ravel_class_under_test";

class ClassLister {
 public:
  // `named`: the class as the user spells it.
  ClassLister(ParsedFile& file, clang::QualType named, const clang::CXXRecordDecl& record,
              const ClassQuestion& question)
      : named_(named),
        sema_(file.sema()),
        record_(record),
        calls_(ValuePools(file.context(), &record, nullptr, question.values)) {}

  ClassListing list() {
    const std::string& name = calls_.listing.name = calls_.pools().spelled(named_);
    if (!record_.isAbstract()) add_constructors();
    add_methods(record_);
    add_bases(record_);
    if (!calls_.makes_objects()) {
      const char* const why =
          record_.isAbstract() ? "it is abstract" : "it has no public constructor or factory that a test can call";
      calls_.listing.error = "no object of " + name + " can be made: " + why;
    }
    return calls_.take();
  }

 private:
  void add_constructors() {
    const std::string& name = calls_.listing.name;
    for (const clang::CXXConstructorDecl* const one : record_.ctors()) {
      if (one->isDeleted() || one->isCopyOrMoveConstructor() || one->getAccess() != clang::AS_public) continue;
      calls_.add(*one, {ListedKind::constructor,
                        one->getQualifiedNameAsString(),
                        name,
                        calls_.signature(*one),
                        {},
                        false,
                        false,
                        "",
                        ""});
    }
    if (record_.needsImplicitDefaultConstructor()) {
      const std::string own = record_.getNameAsString();
      const std::string qualified = record_.getQualifiedNameAsString() + "::" + own;
      calls_.listing.operations.push_back(
          {ListedKind::constructor, qualified, name, own + "()", {}, false, false, "", ""});
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

  // As it is called; "operator T" with the scopes of T.
  std::string call_of(const clang::CXXMethodDecl& method) const {
    if (const auto* const conversion = llvm::dyn_cast<clang::CXXConversionDecl>(&method)) {
      return "operator " + calls_.pools().spelled(conversion->getConversionType());
    }
    return method.getNameAsString();
  }

  ListedOperation operation_of(const clang::CXXMethodDecl& method, const std::string& signature) const {
    ListedOperation operation{
        kind_of(method), method.getQualifiedNameAsString(), call_of(method), signature, {}, false, false, "", ""};
    operation.is_const = method.isConst();
    if (operation.kind != ListedKind::method) operation.call = calls_.listing.name + "::" + operation.call;
    // A smart pointer is kept, and what it points to is the object.
    if (operation.kind == ListedKind::reference_factory && !method.getReturnType()->isReferenceType()) {
      operation.call = "*" + operation.call;
    }
    return operation;
  }

  void add_methods(const clang::CXXRecordDecl& record) {
    for (const clang::CXXMethodDecl* const one : record.methods()) {
      if (llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(one)) continue;
      if (one->isImplicit() || one->isDeleted() || one->getAccess() != clang::AS_public) continue;
      // What a derived class overrides or hides was listed with it. Its assignments do not assign the whole object.
      const bool of_base = &record != &record_;
      if (of_base && one->getOverloadedOperator() == clang::OO_Equal) continue;
      const std::string shown = calls_.signature(*one);
      if (listed_.insert(shown).second) calls_.add(*one, operation_of(*one, shown));
    }
    for (clang::Decl* const one : record.decls()) {
      auto* const pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(one);
      if (pattern == nullptr || pattern->getAccess() != clang::AS_public) continue;
      const auto* const method = llvm::dyn_cast<clang::CXXMethodDecl>(pattern->getTemplatedDecl());
      if (method == nullptr || method->isDeleted()) continue;
      if (llvm::isa<clang::CXXConstructorDecl>(method)) {
        calls_.leave_out(calls_.signature(*method), "it is a constructor template");
      } else if (llvm::isa<clang::CXXConversionDecl>(method)) {
        calls_.leave_out(calls_.signature(*method), "it is a template of conversions");
      } else {
        add_method_template(*pattern, record_, operation_of(*method, ""), sema_, calls_);
      }
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

  clang::QualType named_;
  clang::Sema& sema_;
  const clang::CXXRecordDecl& record_;
  CallCollector calls_;
  std::set<std::string> listed_;
};

// What the user named; null: there is no such type.
clang::QualType find_named(clang::ASTContext& context) {
  for (const clang::Decl* const one : context.getTranslationUnitDecl()->decls()) {
    const auto* const alias = llvm::dyn_cast<clang::TypeAliasDecl>(one);
    if (alias != nullptr && alias->getName() == kAlias && !alias->isInvalidDecl()) return alias->getUnderlyingType();
  }
  return {};
}

// The headers, and names for what is asked about.
std::string text_of(const ClassQuestion& question) {
  std::string text = question.c_headers ? "extern \"C\" {\n" : "";
  for (const std::string& header : question.headers) text += "#include \"" + header + "\"\n";
  if (question.c_headers) text += "}\n";
  // C says "struct db"; C++ needs the name alone.
  std::string name = question.class_name;
  if (name.starts_with("struct ")) name = name.substr(7);
  text += "using " + std::string(kAlias) + " = ::" + name + ";\n";
  if (question.handle) return text;
  // sizeof completes a class template.
  text += "constexpr unsigned long ravel_size_under_test = sizeof(" + std::string(kAlias) + ");\n";
  return text + "struct " + kCallable + " { template <typename... T> bool operator()(T&&...) const; };\n";
}

}  // namespace

ClassListing list_class(const ClassQuestion& question, std::vector<CompilerError>& errors) {
  ParseInput input;
  input.directory = question.directory;
  input.file = (question.directory.empty() ? "" : question.directory) + "/ravel_class_under_test.cpp";
  input.main = input.file;
  input.arguments = question.arguments;
  input.replaced = true;
  input.replacement = text_of(question);
  input.whole = true;  // what a method template does with its parameters is in its body
  ClassListing listing;
  listing.error =
      question.handle ? "there is no type " + question.class_name : "there is no class " + question.class_name;
  const auto visit = [&](ParsedFile& file) {
    const clang::QualType named = find_named(file.context());
    if (named.isNull()) return;
    if (question.handle) {
      listing = list_handle(file.context(), named, question);
      return;
    }
    const auto* const record = named->getAsCXXRecordDecl();
    if (record != nullptr && record->getDefinition() != nullptr) {
      listing = ClassLister(file, named, *record->getDefinition(), question).list();
    }
  };
  parse(input, visit, errors);
  return listing;
}

}  // namespace ravel
