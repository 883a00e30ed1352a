// SPDX-License-Identifier: Apache-2.0
#include "analysis/futures/expression_reader.h"

#include <clang/AST/ASTContext.h>

#include "analysis/futures/library_names.h"

namespace ravel {

using ExprKind = FlowExpr::Kind;

FlowExprPtr make_expr(FlowExpr expression) { return std::make_shared<const FlowExpr>(std::move(expression)); }

FlowExprPtr pointee_of(FlowExprPtr value, const std::string& type) {
  if (value->kind == ExprKind::address) return value->base;
  FlowExpr result;
  result.kind = ExprKind::pointee;
  result.base = std::move(value);
  result.type = type;
  return make_expr(std::move(result));
}

FlowExprPtr address_of(FlowExprPtr place) {
  if (place->kind == ExprKind::pointee) return place->base;
  FlowExpr result;
  result.kind = ExprKind::address;
  result.base = std::move(place);
  return make_expr(std::move(result));
}

FlowExprPtr element_of(FlowExprPtr place, const std::string& index, const std::string& type) {
  if (place->whole) return place;
  FlowExpr result;
  result.kind = ExprKind::element;
  result.base = std::move(place);
  result.text = index;
  result.type = type;
  return make_expr(std::move(result));
}

namespace {

FlowExprPtr unknown(const std::string& type) {
  FlowExpr result;
  result.type = type;
  return make_expr(std::move(result));
}

FlowExprPtr load_of(FlowExprPtr place) {
  FlowExpr result;
  result.kind = ExprKind::load;
  result.base = std::move(place);
  return make_expr(std::move(result));
}

bool is_copy(const clang::CXXConstructExpr& construction) {
  return construction.getNumArgs() >= 1 && construction.getConstructor()->isCopyOrMoveConstructor();
}

}  // namespace

const clang::Expr* ExpressionReader::strip(const clang::Expr* expression) {
  for (;;) {
    const clang::Expr* next = expression;
    if (const auto* full = llvm::dyn_cast<clang::FullExpr>(next)) next = full->getSubExpr();
    if (const auto* made = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(next)) next = made->getSubExpr();
    if (const auto* bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(next)) next = bound->getSubExpr();
    if (const auto* paren = llvm::dyn_cast<clang::ParenExpr>(next)) next = paren->getSubExpr();
    if (const auto* shared = llvm::dyn_cast<clang::OpaqueValueExpr>(next)) {
      if (shared->getSourceExpr() != nullptr) next = shared->getSourceExpr();
    }
    if (const auto* standard = llvm::dyn_cast<clang::CXXDefaultInitExpr>(next)) next = standard->getExpr();
    if (const auto* standard = llvm::dyn_cast<clang::CXXDefaultArgExpr>(next)) next = standard->getExpr();
    if (const auto* substituted = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(next)) {
      next = substituted->getReplacement();
    }
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(next)) {
      switch (cast->getCastKind()) {
        case clang::CK_LValueToRValue:
        case clang::CK_ArrayToPointerDecay:
        case clang::CK_FunctionToPointerDecay:
          break;
        default:
          next = cast->getSubExpr();
      }
    }
    if (next == expression) return expression;
    expression = next;
  }
}

const clang::Expr* ExpressionReader::receiver(const clang::CallExpr& call) {
  if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call)) return member->getImplicitObjectArgument();
  if (const auto* written = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call)) {
    if (llvm::isa_and_nonnull<clang::CXXMethodDecl>(written->getDirectCallee()) && written->getNumArgs() > 0) {
      return written->getArg(0);
    }
  }
  return nullptr;
}

std::optional<long> ExpressionReader::constant(const clang::Expr* expression) const {
  if (expression == nullptr || expression->isValueDependent()) return std::nullopt;
  if (!expression->getType()->isIntegralOrEnumerationType()) return std::nullopt;
  clang::Expr::EvalResult result;
  if (!expression->EvaluateAsInt(result, names_.context(), clang::Expr::SE_NoSideEffects)) return std::nullopt;
  const llvm::APSInt number = result.Val.getInt();
  return number.isRepresentableByInt64() ? std::optional<long>(number.getExtValue()) : std::nullopt;
}

FlowExprPtr ExpressionReader::variable(const clang::VarDecl& variable) const {
  FlowExpr result;
  result.kind = ExprKind::variable;
  result.id = names_.variable(variable);
  result.type = plain_type(variable.getType());
  return make_expr(std::move(result));
}

FlowExprPtr ExpressionReader::member(FlowExprPtr object, const clang::FieldDecl& field) const {
  if (object->whole) return object;
  if (field.getParent()->isUnion()) {
    FlowExpr whole = *object;
    whole.whole = true;
    names_.program().unions.insert(whole.type);
    return make_expr(std::move(whole));
  }
  FlowExpr result;
  result.kind = ExprKind::field;
  result.base = std::move(object);
  result.text = SourceNames::field(field);
  result.type = plain_type(field.getType());
  // A field that is a reference stands for what it is bound to.
  const bool refers = field.getType()->isReferenceType();
  FlowExprPtr made = make_expr(std::move(result));
  return refers ? pointee_of(load_of(made), made->type) : made;
}

FlowExprPtr ExpressionReader::place(const clang::Expr* expression) const {
  expression = strip(expression);
  const std::string type = plain_type(expression->getType());
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    if (const auto* declared = llvm::dyn_cast<clang::VarDecl>(name->getDecl())) return variable(*declared);
    if (const auto* binding = llvm::dyn_cast<clang::BindingDecl>(name->getDecl())) {
      if (binding->getHoldingVar() != nullptr) return variable(*binding->getHoldingVar());
      if (binding->getBinding() != nullptr) return place(binding->getBinding());
    }
    return unknown(type);
  }
  if (const auto* access = llvm::dyn_cast<clang::MemberExpr>(expression)) {
    if (const auto* fixed = llvm::dyn_cast<clang::VarDecl>(access->getMemberDecl())) return variable(*fixed);
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(access->getMemberDecl());
    if (field == nullptr) return unknown(type);
    const clang::Expr* base = access->getBase();
    FlowExprPtr object =
        access->isArrow() ? pointee_of(value(base), plain_type(base->getType()->getPointeeType())) : place(base);
    return member(std::move(object), *field);
  }
  if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) {
    const auto index = constant(subscript->getIdx());
    const std::string text = index ? std::to_string(*index) : "";
    const clang::Expr* base = strip(subscript->getBase());
    const auto* decay = llvm::dyn_cast<clang::CastExpr>(base);
    if (decay != nullptr && decay->getCastKind() == clang::CK_ArrayToPointerDecay) {
      return element_of(place(decay->getSubExpr()), text, type);
    }
    return element_of(pointee_of(value(base), type), "", type);
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
    if (unary->getOpcode() == clang::UO_Deref) return pointee_of(value(unary->getSubExpr()), type);
    if (unary->isIncrementDecrementOp()) return place(unary->getSubExpr());
  }
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression)) {
    if (binary->isAssignmentOp()) return place(binary->getLHS());
    if (binary->getOpcode() == clang::BO_Comma) return place(binary->getRHS());
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) return call_place(*call);
  if (llvm::isa<clang::CXXThisExpr>(expression)) return pointee_of(value(expression), type);
  if (llvm::isa<clang::CXXConstructExpr>(expression) || llvm::isa<clang::LambdaExpr>(expression) ||
      llvm::isa<clang::InitListExpr>(expression)) {
    // A temporary: an object of its own.
    FlowExpr result;
    result.kind = ExprKind::allocation;
    result.id = names_.allocation(*expression);
    return pointee_of(make_expr(std::move(result)), type);
  }
  return unknown(type);
}

FlowExprPtr ExpressionReader::call_place(const clang::CallExpr& call) const {
  const std::string type = plain_type(call.getType());
  const clang::FunctionDecl* callee = call.getDirectCallee();
  if (callee == nullptr) return unknown(type);
  if (callee->isInStdNamespace() && callee->getIdentifier() != nullptr && call.getNumArgs() >= 1 &&
      is_one_of(callee->getName(), {"ref", "cref", "move", "forward", "as_const", "get"}) &&
      receiver(call) == nullptr) {
    return place(call.getArg(0));
  }
  const clang::Expr* object = receiver(call);
  const std::string library = object == nullptr ? "" : library_class(strip(object)->getType());
  if (is_smart_pointer(library)) return pointee_of(load_of(place(object)), type);
  if (library == "reference_wrapper") return place(object);
  if (!library.empty() && gives_element(callee->getNameAsString())) return element_of(place(object), "", type);
  if (names_.is_user(*callee)) return pointee_of(call_value(call), type);
  return unknown(type);
}

FlowExprPtr ExpressionReader::call_value(const clang::CallExpr& call) const {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  if (callee == nullptr) return unknown("");
  const clang::Expr* object = receiver(call);
  if (callee->isInStdNamespace() && callee->getIdentifier() != nullptr && object == nullptr) {
    if (is_one_of(callee->getName(), {"make_shared", "make_unique"})) {
      FlowExpr result;
      result.kind = ExprKind::allocation;
      result.id = names_.allocation(call);
      return make_expr(std::move(result));
    }
    if (call.getNumArgs() >= 1 && is_one_of(callee->getName(), {"move", "forward", "addressof"})) {
      return callee->getName() == "addressof" ? address_of(place(call.getArg(0))) : value(call.getArg(0));
    }
    if (call.getNumArgs() >= 1 && is_one_of(callee->getName(), {"ref", "cref"})) {
      return address_of(place(call.getArg(0)));
    }
  }
  if (object != nullptr && is_smart_pointer(library_class(strip(object)->getType())) &&
      is_one_of(callee->getNameAsString(), {"get", "operator->"})) {
    return load_of(place(object));
  }
  if (!names_.is_user(*callee)) return unknown("");
  FlowExpr result;
  result.kind = ExprKind::result;
  result.id = names_.function(*callee);
  if (object != nullptr) {
    const bool arrow = object->getType()->isPointerType();
    result.base = arrow ? value(object) : address_of(place(object));
  }
  const unsigned skipped = llvm::isa<clang::CXXOperatorCallExpr>(call) && object != nullptr ? 1 : 0;
  result.arguments = arguments(*callee, call.getArgs() + skipped, call.getNumArgs() - skipped);
  return make_expr(std::move(result));
}

FlowExprPtr ExpressionReader::value(const clang::Expr* expression) const {
  expression = strip(expression);
  if (const auto number = constant(expression)) {
    FlowExpr result;
    result.kind = ExprKind::constant;
    result.number = *number;
    return make_expr(std::move(result));
  }
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression)) {
    const clang::Expr* inner = cast->getSubExpr();
    if (cast->getCastKind() == clang::CK_LValueToRValue) return load_of(place(inner));
    if (cast->getCastKind() == clang::CK_ArrayToPointerDecay) {
      return address_of(element_of(place(inner), "", plain_type(cast->getType()->getPointeeType())));
    }
    if (cast->getCastKind() == clang::CK_FunctionToPointerDecay) return value(inner);
  }
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(name->getDecl())) {
      FlowExpr result;
      result.kind = ExprKind::function;
      result.id = names_.function(*function);
      return make_expr(std::move(result));
    }
    if (llvm::isa<clang::VarDecl>(name->getDecl())) return load_of(place(expression));
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
    if (unary->getOpcode() == clang::UO_AddrOf) {
      const clang::Expr* inner = strip(unary->getSubExpr());
      const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(inner);
      if (name != nullptr && llvm::isa<clang::FunctionDecl>(name->getDecl())) return value(inner);
      return address_of(place(inner));
    }
  }
  if (llvm::isa<clang::CXXThisExpr>(expression)) {
    FlowExpr result;
    result.kind = ExprKind::self;
    return make_expr(std::move(result));
  }
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(expression)) {
    FlowExpr result;
    result.kind = ExprKind::closure;
    result.id = names_.function(*lambda->getCallOperator());
    return make_expr(std::move(result));
  }
  if (const auto* created = llvm::dyn_cast<clang::CXXNewExpr>(expression)) {
    if (created->getNumPlacementArgs() > 0) return unknown("");  // perhaps in another object
    FlowExpr result;
    result.kind = ExprKind::allocation;
    result.id = names_.allocation(*expression);
    return make_expr(std::move(result));
  }
  if (const auto* construction = llvm::dyn_cast<clang::CXXConstructExpr>(expression)) {
    const std::string library = library_class(construction->getType());
    const bool wraps =
        is_one_of(library, {"function", "reference_wrapper", "move_only_function"}) || is_smart_pointer(library);
    if (construction->getNumArgs() >= 1 && (is_copy(*construction) || wraps)) return value(construction->getArg(0));
    const clang::CXXRecordDecl* record = construction->getType()->getAsCXXRecordDecl();
    if (record != nullptr && library.empty()) return load_of(place(expression));
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) return call_value(*call);
  if (expression->isGLValue()) return load_of(place(expression));
  return unknown("");
}

FlowExprPtr ExpressionReader::argument(const clang::Expr* expression, bool by_reference) const {
  const clang::Expr* plain = strip(expression);
  if (by_reference && !llvm::isa<clang::LambdaExpr>(plain)) return address_of(place(expression));
  return value(expression);
}

std::vector<FlowExprPtr> ExpressionReader::arguments(const clang::FunctionDecl& callee, const clang::Expr* const* begin,
                                                     unsigned count) const {
  std::vector<FlowExprPtr> result;
  for (unsigned i = 0; i < count; ++i) {
    const bool refers = i < callee.getNumParams() && callee.getParamDecl(i)->getType()->isReferenceType();
    result.push_back(argument(begin[i], refers));
  }
  return result;
}

}  // namespace ravel
