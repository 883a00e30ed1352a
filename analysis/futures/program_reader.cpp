// SPDX-License-Identifier: Apache-2.0
#include "analysis/futures/program_reader.h"

#include <clang/AST/RecursiveASTVisitor.h>

#include <filesystem>

#include "analysis/futures/function_reader.h"
#include "analysis/futures/library_names.h"
#include "analysis/futures/source_names.h"

namespace ravel {
namespace {

// Visits what the user wrote, with the instantiations of templates.
template <typename Derived>
class UserCode : public clang::RecursiveASTVisitor<Derived> {
 public:
  explicit UserCode(SourceNames& names) : names_(names) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }
  bool shouldVisitLambdaBody() const { return true; }

  bool TraverseDecl(clang::Decl* declaration) {
    if (declaration == nullptr) return true;
    if (!llvm::isa<clang::TranslationUnitDecl>(declaration) && declaration->getLocation().isValid() &&
        !names_.is_user(*declaration)) {
      return true;
    }
    return clang::RecursiveASTVisitor<Derived>::TraverseDecl(declaration);
  }

 protected:
  SourceNames& names_;
};

// Facts about variables and fields that hold throughout: whether they ever change, whether their address is known
// elsewhere.
class FactReader : public UserCode<FactReader> {
 public:
  using UserCode::UserCode;

  bool VisitUnaryOperator(clang::UnaryOperator* unary) {
    if (unary->isIncrementDecrementOp()) changed(unary->getSubExpr());
    if (unary->getOpcode() == clang::UO_AddrOf) exposed(unary->getSubExpr(), true);
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* binary) {
    if (binary->isAssignmentOp()) changed(binary->getLHS());
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) {
    if (variable->getDeclContext()->isDependentContext()) return true;
    const clang::Expr* initial = variable->getInit();
    if (variable->getType()->isReferenceType() && initial != nullptr && !initial->isValueDependent()) {
      exposed(initial, !variable->getType()->getPointeeType().isConstQualified());
    }
    FlowVariable& entry = names_.program().variables[static_cast<std::size_t>(names_.variable(*variable))];
    if (!variable->isThisDeclarationADefinition()) return true;
    const ExpressionReader expressions(names_);
    if (is_counter(library_class(variable->getType()))) {
      entry.count = first_argument(initial);
    } else if (initial == nullptr) {
      if (variable->hasGlobalStorage()) entry.initial = 0;
    } else if (!initial->isValueDependent()) {
      const clang::Expr* plain = ExpressionReader::strip(initial);
      if (const auto* construction = llvm::dyn_cast<clang::CXXConstructExpr>(plain)) {
        if (is_atomic(library_class(variable->getType()))) {
          entry.initial =
              construction->getNumArgs() == 0 ? std::optional<long>(0) : expressions.constant(construction->getArg(0));
        }
      } else if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(plain)) {
        entry.initial = list->getNumInits() == 1 ? expressions.constant(list->getInit(0)) : std::optional<long>();
      } else {
        entry.initial = expressions.constant(initial);
      }
    }
    return true;
  }
  bool VisitFieldDecl(clang::FieldDecl* field) {
    if (field->getDeclContext()->isDependentContext()) return true;
    if (is_counter(library_class(field->getType())) && field->hasInClassInitializer()) {
      count_field(*field, field->getInClassInitializer());
    }
    return true;
  }
  bool VisitCXXConstructorDecl(clang::CXXConstructorDecl* constructor) {
    if (constructor->isDependentContext()) return true;
    for (const clang::CXXCtorInitializer* initialiser : constructor->inits()) {
      const clang::FieldDecl* field = initialiser->getAnyMember();
      if (field == nullptr || initialiser->getInit() == nullptr) continue;
      if (is_counter(library_class(field->getType()))) count_field(*field, initialiser->getInit());
      if (field->getType()->isReferenceType()) exposed(initialiser->getInit(), true);
    }
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) {
    if (cast->getCastKind() == clang::CK_ArrayToPointerDecay && !subscripted_.contains(cast)) {
      exposed(cast->getSubExpr(), true);
    }
    return true;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* subscript) {
    subscripted_.insert(ExpressionReader::strip(subscript->getBase()));
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr* lambda) {
    if (lambda->getCallOperator()->isDependentContext()) return true;
    const int id = names_.function(*lambda->getCallOperator());
    std::vector<FlowCapture> captures;
    const ExpressionReader expressions(names_);
    auto initial = lambda->capture_init_begin();
    for (const clang::LambdaCapture& capture : lambda->captures()) {
      const clang::Expr* value = *initial++;
      if (!capture.capturesVariable()) continue;
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar());
      if (variable == nullptr) continue;
      FlowCapture entry;
      entry.variable = names_.variable(*variable);
      entry.by_reference = capture.getCaptureKind() == clang::LCK_ByRef;
      if (entry.by_reference) names_.program().variables[static_cast<std::size_t>(entry.variable)].escapes = true;
      if (!entry.by_reference && value != nullptr) entry.value = expressions.value(value);
      if (variable->isInitCapture() && entry.by_reference && variable->getInit() != nullptr) {
        entry.value = expressions.argument(variable->getInit(), true);
        exposed(variable->getInit(), true);
      }
      captures.push_back(std::move(entry));
    }
    FlowFunction& function = names_.program().functions[static_cast<std::size_t>(id)];
    function.captures = std::move(captures);
    function.where = names_.place(lambda->getBeginLoc());
    function.where.lines.push_back(names_.lines(lambda->getSourceRange()));
    function.is_lambda = true;
    function.address_taken = true;
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) {
    if (call->isTypeDependent() || call->isValueDependent()) return true;
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts())) {
      called_.insert(name);
    }
    const clang::Expr* object = ExpressionReader::receiver(*call);
    const unsigned skipped = llvm::isa<clang::CXXOperatorCallExpr>(call) && object != nullptr ? 1 : 0;
    for (unsigned i = skipped; i < call->getNumArgs() && callee != nullptr; ++i) {
      const unsigned number = i - skipped;
      if (number >= callee->getNumParams()) continue;
      const clang::QualType type = callee->getParamDecl(number)->getType();
      if (type->isReferenceType() && !looks_through(*callee)) {
        exposed(call->getArg(i), !type->getPointeeType().isConstQualified() && !only_copies(*callee));
      }
    }
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    if (object != nullptr && method != nullptr) {
      const std::string library = library_class(ExpressionReader::strip(object)->getType());
      if (names_.is_user(*method) && !method->getParent()->isLambda()) exposed(object, !method->isConst());
      if (is_one_of(method->getNameAsString(), {"swap", "detach", "release", "request_stop"})) moved(object);
      if (!library.empty() && !method->isConst() && !only_looks(library, method->getNameAsString())) changed(object);
    }
    if (callee != nullptr && callee->isInStdNamespace() && callee->getIdentifier() != nullptr) {
      if (callee->getName() == "ref" || callee->getName() == "addressof") exposed(call->getArg(0), true);
      if (callee->getName() == "cref") exposed(call->getArg(0), false);
      if (callee->getName() == "move") changed(call->getArg(0));
      if (is_one_of(callee->getName(), {"move", "swap"})) {
        for (const clang::Expr* argument : call->arguments()) moved(argument);
      }
      if (callee->getName() == "async") names_.program().catches = true;  // into the future
    }
    if (callee != nullptr && is_one_of(callee->getNameAsString(), {"pthread_barrier_init", "sem_init"}) &&
        call->getNumArgs() == 3) {
      count_by_call(call->getArg(0), call->getArg(2));
    }
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* construction) {
    if (construction->isTypeDependent() || construction->isValueDependent()) return true;
    const clang::CXXConstructorDecl* constructor = construction->getConstructor();
    for (unsigned i = 0; i < construction->getNumArgs() && i < constructor->getNumParams(); ++i) {
      const clang::QualType type = constructor->getParamDecl(i)->getType();
      if (type->isReferenceType() && !constructor->isCopyOrMoveConstructor()) {
        const bool copied = is_thread(library_class(construction->getType()));
        exposed(construction->getArg(i), !copied && !type->getPointeeType().isConstQualified());
      }
    }
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(name->getDecl());
    if (function == nullptr || called_.contains(name) || !names_.is_user(*function)) return true;
    names_.program().functions[static_cast<std::size_t>(names_.function(*function))].address_taken = true;
    return true;
  }
  bool VisitCXXMethodDecl(clang::CXXMethodDecl* method) {
    for (const clang::CXXMethodDecl* base : method->overridden_methods()) {
      const int derived = names_.function(*method);
      if (names_.is_user(*base)) {
        names_.program().functions[static_cast<std::size_t>(names_.function(*base))].overriders.push_back(derived);
      }
    }
    return true;
  }
  bool VisitCXXTryStmt(clang::CXXTryStmt*) {
    names_.program().catches = true;
    return true;
  }

 private:
  static bool looks_through(const clang::FunctionDecl& callee) {
    return callee.isInStdNamespace() && callee.getIdentifier() != nullptr &&
           is_one_of(callee.getName(), {"move", "forward", "as_const"});
  }

  // Takes anything by reference, and copies it.
  static bool only_copies(const clang::FunctionDecl& callee) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&callee);
    const bool standard = callee.isInStdNamespace() || (method != nullptr && method->getParent()->isInStdNamespace());
    return standard && callee.getIdentifier() != nullptr && is_one_of(callee.getName(), {"emplace_back", "async"});
  }

  std::optional<long> first_argument(const clang::Expr* initial) const {
    if (initial == nullptr) return std::nullopt;
    const ExpressionReader expressions(names_);
    const auto* construction = llvm::dyn_cast<clang::CXXConstructExpr>(ExpressionReader::strip(initial));
    if (construction == nullptr || construction->getNumArgs() == 0) return std::nullopt;
    return expressions.constant(construction->getArg(0));
  }

  void count_field(const clang::FieldDecl& field, const clang::Expr* initial) {
    if (llvm::isa<clang::CXXDefaultInitExpr>(initial)) return;
    const auto count = first_argument(initial);
    const auto [entry, is_new] = names_.program().field_counts.emplace(SourceNames::field(field), count);
    if (!is_new && entry->second != count) entry->second = std::nullopt;
  }

  void count_by_call(const clang::Expr* object, const clang::Expr* count) {
    const ExpressionReader expressions(names_);
    const FlowExprPtr value = expressions.value(object);
    if (value->kind != FlowExpr::Kind::address) return;
    const FlowExpr& place = *value->base;
    const auto number = expressions.constant(count);
    if (place.kind == FlowExpr::Kind::variable) {
      FlowVariable& entry = names_.program().variables[static_cast<std::size_t>(place.id)];
      const bool again = !counted_.insert(place.id).second;
      entry.count = again && entry.count != number ? std::nullopt : number;
    } else if (place.kind == FlowExpr::Kind::field) {
      const auto [entry, is_new] = names_.program().field_counts.emplace(place.text, number);
      if (!is_new && entry->second != number) entry->second = std::nullopt;
    }
  }

  // Walks to the variable, and marks the fields on the way.
  void mark(const clang::Expr* expression, bool changes, bool exposes) {
    if (expression->isTypeDependent() || expression->isValueDependent()) return;
    expression = ExpressionReader::strip(expression);
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl())) {
        FlowVariable& entry = names_.program().variables[static_cast<std::size_t>(names_.variable(*variable))];
        entry.changes = entry.changes || changes;
        entry.escapes = entry.escapes || exposes;
      }
    } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
      if (const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl())) {
        if (changes) names_.program().changing_fields.insert(SourceNames::field(*field));
        if (exposes) names_.program().exposed_fields.insert(SourceNames::field(*field));
      }
      if (!member->isArrow()) mark(member->getBase(), changes, exposes);
    } else if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) {
      const clang::Expr* base = ExpressionReader::strip(subscript->getBase());
      const auto* decay = llvm::dyn_cast<clang::CastExpr>(base);
      if (decay != nullptr && decay->getCastKind() == clang::CK_ArrayToPointerDecay) {
        mark(decay->getSubExpr(), changes, exposes);
      }
    } else if (const auto* choice = llvm::dyn_cast<clang::AbstractConditionalOperator>(expression)) {
      mark(choice->getTrueExpr(), changes, exposes);
      mark(choice->getFalseExpr(), changes, exposes);
    } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) {
      // A part of a container, or what std::move and the like pass on.
      if (const clang::Expr* object = ExpressionReader::receiver(*call)) {
        mark(object, changes, exposes);
      } else if (call->getNumArgs() == 1) {
        mark(call->getArg(0), changes, exposes);
      }
    }
  }
  // A thread handle that is moved to another.
  void moved(const clang::Expr* expression) {
    expression = ExpressionReader::strip(expression);
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl())) {
        names_.program().variables[static_cast<std::size_t>(names_.variable(*variable))].moved = true;
      }
    } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
      if (const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl())) {
        names_.program().moved_fields.insert(SourceNames::field(*field));
      }
    } else if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) {
      moved(subscript->getBase()->IgnoreParenImpCasts());
    } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) {
      if (const clang::Expr* object = ExpressionReader::receiver(*call)) moved(object);
    }
  }
  void changed(const clang::Expr* expression) { mark(expression, true, false); }
  void exposed(const clang::Expr* expression, bool changes) { mark(expression, changes, true); }

  std::set<const clang::Expr*> subscripted_;
  std::set<const clang::Expr*> called_;
  std::set<int> counted_;
};

class BodyReader : public UserCode<BodyReader> {
 public:
  using UserCode::UserCode;

  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    if (function->isDependentContext() || !function->doesThisDeclarationHaveABody() || function->getBody() == nullptr) {
      return true;
    }
    const int id = names_.function(*function);
    if (!names_.program().functions[static_cast<std::size_t>(id)].defined) FunctionReader(names_, id).read(*function);
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr* lambda) { return VisitFunctionDecl(lambda->getCallOperator()); }
  bool VisitVarDecl(clang::VarDecl* variable) {
    if (!variable->hasGlobalStorage() || variable->isStaticLocal() || variable->getInit() == nullptr ||
        variable->getDeclContext()->isDependentContext() || !variable->isThisDeclarationADefinition() ||
        variable->getInit()->isValueDependent() ||
        variable->getInit()->isConstantInitializer(names_.context(), variable->getType()->isReferenceType())) {
      return true;
    }
    const std::string library = library_class(variable->getType());
    if (!library.empty() && !is_thread(library) && !is_one_of(library, {"vector", "future", "barrier"})) return true;
    FunctionReader(names_, names_.initialiser(*variable)).read_initialiser(*variable);
    return true;
  }
};

}  // namespace

struct ProgramReader::Names {
  explicit Names(FlowProgram& program) : names(program) {}
  SourceNames names;
};

ProgramReader::ProgramReader(FlowProgram& program) : names_(std::make_unique<Names>(program)) {}
ProgramReader::~ProgramReader() = default;

void ProgramReader::read(ParsedFile& file) {
  names_->names.begin_unit(file.context());
  FactReader facts(names_->names);
  facts.TraverseDecl(file.context().getTranslationUnitDecl());
  BodyReader bodies(names_->names);
  bodies.TraverseDecl(file.context().getTranslationUnitDecl());
}

std::vector<Problem> read_program(const std::vector<ParseInput>& sources, FlowProgram& program) {
  std::vector<Problem> problems;
  ProgramReader reader(program);
  for (ParseInput input : sources) {
    if (!std::filesystem::is_regular_file(input.file)) {
      problems.push_back({"", "There is no file " + input.file + ".", "Check the path."});
      continue;
    }
    input.whole = true;
    input.instantiates = true;
    std::vector<CompilerError> errors;
    const bool seen = parse(
        input, [&](ParsedFile& file) { reader.read(file); }, errors);
    // What Clang cannot read is missing from the tree, and with it definitions.
    if (!seen || !errors.empty()) {
      const std::string why = errors.empty() ? "it is empty"
                                             : errors.front().path + ":" + std::to_string(errors.front().line) + ": " +
                                                   errors.front().message;
      problems.push_back(
          {"", "Clang cannot read " + input.file + ": " + why + ".",
           "Give the options the file is really compiled with: --compile-commands FILE, or -- OPTIONS."});
    }
  }
  if (problems.empty() && program.main < 0) {
    problems.push_back({"", "None of the sources has a main function.", "Give all sources of one program."});
  }
  return problems;
}

}  // namespace ravel
