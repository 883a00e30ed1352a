// SPDX-License-Identifier: Apache-2.0
#include "analysis/classes/method_templates.h"

#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Sema/Template.h>
#include <clang/Sema/TemplateDeduction.h>

#include <algorithm>
#include <set>

namespace ravel {
namespace {

// Types of the template whose values the body calls: "f(x)", "std::forward<F>(f)(x)", "std::invoke(f, x)".
class CalledTypes : public clang::RecursiveASTVisitor<CalledTypes> {
 public:
  bool VisitCallExpr(clang::CallExpr* call) {  // NOLINT: the name is Clang's
    note(call->getCallee());
    const auto* const named = llvm::dyn_cast<clang::UnresolvedLookupExpr>(call->getCallee()->IgnoreParenImpCasts());
    const bool invokes = named != nullptr && named->getName().getAsString() == "invoke";
    if (invokes && call->getNumArgs() > 0) note(call->getArg(0));
    return true;
  }
  std::set<unsigned> found;  // by their index

 private:
  void note(const clang::Expr* callee) {
    callee = callee->IgnoreParenImpCasts();
    if (const auto* const forwarded = llvm::dyn_cast<clang::CallExpr>(callee)) {
      if (forwarded->getNumArgs() == 1) callee = forwarded->getArg(0)->IgnoreParenImpCasts();
    }
    const auto* const reference = llvm::dyn_cast<clang::DeclRefExpr>(callee);
    if (reference == nullptr) return;
    const clang::QualType type = reference->getDecl()->getType().getNonReferenceType();
    if (const auto* const parameter = type->getAs<clang::TemplateTypeParmType>()) found.insert(parameter->getIndex());
  }
};

// By its name, where the body is elsewhere.
bool is_named_callable(const clang::TemplateTypeParmDecl& parameter) {
  static const std::set<std::string> kNames = {"F",        "Fn",       "Func",    "Function", "Functor",   "Callable",
                                               "Callback", "Visitor",  "Handler", "Action",   "Predicate", "Pred",
                                               "Compare",  "Consumer", "Task",    "Listener"};
  return kNames.contains(parameter.getNameAsString());
}

clang::QualType type_in(clang::ASTContext& context, const clang::DeclContext& scope, const char* name) {
  for (const clang::NamedDecl* const one : scope.lookup(&context.Idents.get(name))) {
    if (const auto* const type = llvm::dyn_cast<clang::TypeDecl>(one)) return context.getTypeDeclType(type);
  }
  return {};
}

clang::QualType standard_string(clang::ASTContext& context) {
  for (const clang::NamedDecl* const one : context.getTranslationUnitDecl()->lookup(&context.Idents.get("std"))) {
    if (const auto* const space = llvm::dyn_cast<clang::NamespaceDecl>(one)) return type_in(context, *space, "string");
  }
  return {};
}

// One choice of arguments.
struct Choice {
  clang::QualType type;        // of every parameter that is not called
  std::string lambda_returns;  // of those that are
};

class TemplateCalls {
 public:
  TemplateCalls(clang::FunctionTemplateDecl& pattern, const clang::CXXRecordDecl& owner,
                const ListedOperation& operation, clang::Sema& sema, CallCollector& calls)
      : pattern_(pattern), owner_(owner), operation_(operation), sema_(sema), calls_(calls) {
    for (clang::NamedDecl* const one : *pattern_.getTemplateParameters()) {
      const auto* const type = llvm::dyn_cast<clang::TemplateTypeParmDecl>(one);
      if (type != nullptr && is_named_callable(*type)) called_.insert(type->getIndex());
    }
    // The body may be outside of the class; that of a class template is with the pattern.
    clang::FunctionTemplateDecl* written = &pattern_;
    while (written->getInstantiatedFromMemberTemplate() != nullptr) {
      written = written->getInstantiatedFromMemberTemplate();
    }
    const clang::FunctionDecl* body = written->getTemplatedDecl();
    if (!body->hasBody(body)) return;
    CalledTypes finder;
    finder.TraverseStmt(body->getBody());
    called_.insert(finder.found.begin(), finder.found.end());
  }

  void add() {
    for (const Choice& choice : choices()) {
      if (added_ < kMost) add(choice);
    }
    if (added_ > 0) return;
    calls_.leave_out(pattern_.getNameAsString(),
                     "it is a template that takes neither int, nor std::string, nor the "
                     "template arguments of its class, nor a lambda");
  }

 private:
  static constexpr unsigned kMost = 3;

  std::vector<clang::QualType> own_arguments() const {
    std::vector<clang::QualType> types;
    if (const auto* const special = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&owner_)) {
      for (const clang::TemplateArgument& argument : special->getTemplateArgs().asArray()) {
        if (argument.getKind() == clang::TemplateArgument::Type && types.size() < 2)
          types.push_back(argument.getAsType());
      }
    }
    return types;
  }

  std::vector<Choice> choices() {
    clang::ASTContext& context = sema_.getASTContext();
    const std::vector<clang::QualType> own = own_arguments();
    std::vector<clang::QualType> types = own;
    types.push_back(context.IntTy);
    if (const clang::QualType string = standard_string(context); !string.isNull()) types.push_back(string);
    std::vector<std::string> results = {"true"};
    for (const clang::QualType type : own) {
      const std::string value = calls_.pools().first_value(type);
      if (!value.empty()) results.push_back(calls_.pools().spelled(type) + "(" + value + ")");
    }
    if (!called_.empty()) types.resize(1);
    if (called_.empty()) results.resize(1);
    std::vector<Choice> all;
    std::set<std::string> seen;
    for (const clang::QualType type : types) {
      if (!seen.insert(calls_.pools().spelled(type)).second) continue;
      for (const std::string& result : results) all.push_back({type, result});
    }
    return all;
  }

  bool is_called(const clang::NamedDecl* parameter) const {
    const auto* const type = llvm::dyn_cast<clang::TemplateTypeParmDecl>(parameter);
    return type != nullptr && called_.contains(type->getIndex());
  }

  static bool has_default(const clang::NamedDecl* parameter) {
    if (const auto* const type = llvm::dyn_cast<clang::TemplateTypeParmDecl>(parameter))
      return type->hasDefaultArgument();
    const auto* const value = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(parameter);
    return value != nullptr && value->hasDefaultArgument();
  }

  // Explicit arguments for the parameters without defaults; `text`: those that a call has to spell. False: it has a
  // parameter that is neither a type nor a number.
  bool arguments(const Choice& choice, clang::TemplateArgumentListInfo& list, std::string& text) {
    clang::ASTContext& context = sema_.getASTContext();
    const auto add_type = [&](clang::QualType type) {
      list.addArgument({clang::TemplateArgument(type), context.getTrivialTypeSourceInfo(type)});
    };
    bool spells = true;
    for (const clang::NamedDecl* const one : *pattern_.getTemplateParameters()) {
      if (has_default(one)) break;
      if (is_called(one)) {
        add_type(type_in(context, *context.getTranslationUnitDecl(), kCallable));
        spells = false;  // a lambda has no name: it is deduced, and so is all that follows
        continue;
      }
      const std::string before = text.empty() ? "" : ", ";
      if (llvm::isa<clang::TemplateTypeParmDecl>(one)) {
        add_type(choice.type);
        if (spells) text += before + calls_.pools().spelled(choice.type);
        continue;
      }
      const auto* const value = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(one);
      if (value == nullptr || !value->getType()->isIntegerType()) return false;
      clang::Expr* const number = clang::IntegerLiteral::Create(
          context, llvm::APInt(context.getIntWidth(context.IntTy), 1), context.IntTy, pattern_.getLocation());
      list.addArgument({clang::TemplateArgument(number), number});
      if (spells) text += before + "1";
    }
    return true;
  }

  static std::string readable(std::string signature) {
    const std::string name = kCallable;
    for (std::size_t at = 0; (at = signature.find(name)) != std::string::npos;) {
      signature.replace(at, name.size(), "lambda");
    }
    return signature;
  }

  void add(const Choice& choice) {
    clang::TemplateArgumentListInfo list(pattern_.getLocation(), pattern_.getLocation());
    std::string text;
    if (!arguments(choice, list, text)) return;
    clang::sema::TemplateDeductionInfo info(pattern_.getLocation());
    clang::FunctionDecl* instance = nullptr;
    const auto result = sema_.DeduceTemplateArguments(&pattern_, &list, instance, info);
    if (result != clang::TemplateDeductionResult::Success || instance == nullptr || instance->isInvalidDecl()) return;
    ListedOperation operation = operation_;
    const std::string spelt = text.empty() ? "" : "<" + text + ">";
    operation.call += spelt;
    operation.signature = readable(calls_.signature(*instance, spelt));
    operation.is_instance = true;
    clang::ASTContext& context = sema_.getASTContext();
    const clang::QualType callable = type_in(context, *context.getTranslationUnitDecl(), kCallable);
    for (const clang::ParmVarDecl* const one : instance->parameters()) {
      const clang::QualType type = one->getType().getNonReferenceType().getUnqualifiedType();
      std::optional<unsigned> pool;
      if (context.hasSameType(type, callable)) {
        pool = calls_.pools().single_pool("auto", "[](auto&&...) { return " + choice.lambda_returns + "; }");
      } else {
        pool = calls_.pools().pool_for(one->getType());
      }
      if (!pool) return;
      operation.pools.push_back(*pool);
    }
    if (calls_.add(*instance, std::move(operation))) ++added_;
  }

  clang::FunctionTemplateDecl& pattern_;
  const clang::CXXRecordDecl& owner_;
  const ListedOperation& operation_;
  clang::Sema& sema_;
  CallCollector& calls_;
  std::set<unsigned> called_;
  unsigned added_ = 0;
};

}  // namespace

void add_method_template(clang::FunctionTemplateDecl& pattern, const clang::CXXRecordDecl& owner,
                         const ListedOperation& operation, clang::Sema& sema, CallCollector& calls) {
  TemplateCalls(pattern, owner, operation, sema, calls).add();
}

}  // namespace ravel
