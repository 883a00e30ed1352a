// SPDX-License-Identifier: Apache-2.0
// How FunctionReader handles calls: standard-library and pthread functions by what they do, the program's own by name,
// all others by what they get.
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>

#include "analysis/futures/function_reader.h"
#include "analysis/futures/library_names.h"
#include "analysis/futures/loop_shape.h"

namespace ravel {

using EventKind = FlowEvent::Kind;

namespace {

std::string callee_name(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  return callee == nullptr ? "" : callee->getQualifiedNameAsString();
}

// Made for the call: nothing else knows it.
bool is_temporary(const clang::Expr* argument) {
  argument = argument->IgnoreParens();
  while (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(argument)) {
    argument = cast->getSubExpr()->IgnoreParens();
  }
  return llvm::isa<clang::MaterializeTemporaryExpr>(argument);
}

}  // namespace

void FunctionReader::call(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  const clang::Expr* object = ExpressionReader::receiver(call);
  if (object != nullptr) {
    const std::string library = library_class(ExpressionReader::strip(object)->getType());
    const std::string method = callee == nullptr ? "" : callee->getNameAsString();
    if (!library.empty() && library_method(call, object, library, method)) return;
  }
  if (callee != nullptr && object == nullptr && library_function(call, callee_name(call))) return;
  plain_call(call);
}

bool FunctionReader::library_method(const clang::CallExpr& call, const clang::Expr* object, const std::string& library,
                                    const std::string& method) {
  const clang::SourceLocation where = call.getExprLoc();
  const unsigned skipped = llvm::isa<clang::CXXOperatorCallExpr>(call) ? 1 : 0;
  const unsigned count = call.getNumArgs() - skipped;
  const auto argument = [&](unsigned i) { return call.getArg(i + skipped); };
  const FlowExprPtr place =
      object->getType()->isPointerType()
          ? pointee_of(expressions_.value(object), plain_type(object->getType()->getPointeeType()))
          : expressions_.place(object);
  if (is_mutex(library)) {
    if (method == "lock" || method == "lock_shared")
      add(EventKind::lock, where, place).shared = method == "lock_shared";
    if (method == "unlock" || method == "unlock_shared") add(EventKind::unlock, where, place);
    return true;
  }
  if (is_guard(library)) {
    if (method == "lock") add(EventKind::guard_lock, where, place);
    if (is_one_of(method, {"unlock", "release", "swap", "operator="})) add(EventKind::guard_unlock, where, place);
    return true;
  }
  if (is_one_of(library, {"condition_variable", "condition_variable_any"})) {
    if (!llvm::StringRef(method).starts_with("wait") || count == 0) return true;
    const FlowExprPtr guard = expressions_.place(argument(0));
    const bool timed = method != "wait";
    const clang::Expr* last = argument(count - 1);
    const bool predicate = count > (timed ? 2U : 1U);
    if (predicate) {
      FlowEvent& event = add(EventKind::call, where, guard);
      event.value = expressions_.value(last);
      // A wait that can be stopped may end with the predicate false.
      event.until_true = !timed && count == 2;
      event.any_times = !event.until_true;
    }
    const bool fixed = predicate && !timed && count == 2;
    if (!fixed) {
      add(EventKind::guard_unlock, where, guard);
      add(EventKind::guard_lock, where, guard);
    }
    if (predicate && !fixed) {
      FlowEvent& event = add(EventKind::call, where, guard);
      event.value = expressions_.value(last);
      event.any_times = true;
    }
    return true;
  }
  if (is_thread(library) || is_future(library)) {
    if (is_one_of(method, {"join", "get", "wait"})) add(EventKind::join, where, place);
    return true;
  }
  if (library == "promise") {
    if (llvm::StringRef(method).starts_with("set_")) add(EventKind::arrive, where, place).number = 1;
    return true;
  }
  if (library == "barrier") {
    add(method == "arrive_and_wait" ? EventKind::barrier : EventKind::spoil, where, place);
    return true;
  }
  if (library == "latch" || is_semaphore(library)) {
    if (is_one_of(method, {"count_down", "arrive_and_wait", "release"})) {
      FlowEvent& event = add(EventKind::arrive, where, place);
      const auto number = count > 0 ? expressions_.constant(argument(0)) : std::optional<long>(1);
      event.number = number.value_or(0);
    }
    if (is_one_of(method, {"wait", "arrive_and_wait", "acquire"})) add(EventKind::pass, where, place);
    return true;
  }
  if (is_atomic(library)) return atomic_method(call, object, method);
  if (is_synchronisation(library)) return true;
  if (is_one_of(method, {"push_back", "emplace_back"}) && is_synchronisation_type(object->getType())) {
    const std::string text = plain_type(object->getType());
    if (method == "emplace_back" && text.find("thread") != std::string::npos && count > 0 &&
        !is_thread_like(argument(0)->getType())) {
      create(call, call.getArgs() + skipped, count, 0);
    }
    return true;
  }
  if (is_one_of(library, {"function", "move_only_function"}) && method == "operator()") {
    FlowEvent& event = add(EventKind::call, where);
    event.value = expressions_.value(object);
    for (unsigned i = 0; i < count; ++i) event.arguments.push_back(expressions_.value(argument(i)));
    return true;
  }
  return false;
}

bool FunctionReader::atomic_method(const clang::CallExpr& call, const clang::Expr* object, const std::string& method) {
  const clang::SourceLocation where = call.getExprLoc();
  const unsigned skipped = llvm::isa<clang::CXXOperatorCallExpr>(call) ? 1 : 0;
  const unsigned count = call.getNumArgs() - skipped;
  const FlowExprPtr place = expressions_.place(object);
  const bool converts = llvm::isa_and_nonnull<clang::CXXConversionDecl>(call.getDirectCallee());
  const clang::Expr* order = nullptr;
  for (unsigned i = skipped; i < call.getNumArgs(); ++i) {
    if (plain_type(call.getArg(i)->getType()).find("memory_order") != std::string::npos && order == nullptr) {
      order = call.getArg(i);
    }
  }
  const bool acquires = order == nullptr || !memory_order_is(order, expressions_, {0, 3});
  const bool releases = order == nullptr || !memory_order_is(order, expressions_, {0, 1, 2});
  const bool loads = converts || is_one_of(method, {"load", "test", "wait"});
  const bool stores = is_one_of(method, {"store", "operator=", "clear"});
  const bool changes = llvm::StringRef(method).starts_with("fetch_") ||
                       llvm::StringRef(method).starts_with("compare_exchange") ||
                       is_one_of(method, {"exchange", "test_and_set", "operator++", "operator--",
                                          "operator+=", "operator-=", "operator|=", "operator&=", "operator^="});
  if (loads || changes) {
    FlowEvent& event = add(EventKind::read, where, place);
    event.atomic = true;
    event.ordered = acquires;
  }
  if (stores || changes) {
    FlowEvent& event = add(EventKind::write, where, place);
    event.atomic = true;
    event.ordered = releases;
    // A failed exchange writes nothing.
    event.weak = llvm::StringRef(method).starts_with("compare_exchange");
    if ((stores || method == "exchange") && count > 0 && method != "clear") {
      event.value = expressions_.value(call.getArg(skipped));
    }
    if (method == "clear" || method == "test_and_set") {
      FlowExpr number;
      number.kind = FlowExpr::Kind::constant;
      number.number = method == "clear" ? 0 : 1;
      event.value = make_expr(std::move(number));
    }
  }
  // compare_exchange puts what it found into its first argument.
  if (event_writes_expected(method) && count > 0) add_write(call.getArg(skipped), nullptr, where, true);
  return true;
}

bool FunctionReader::library_function(const clang::CallExpr& call, const std::string& name) {
  const clang::SourceLocation where = call.getExprLoc();
  const auto pointed = [&](unsigned i) {
    return pointee_of(expressions_.value(call.getArg(i)), plain_type(call.getArg(i)->getType()->getPointeeType()));
  };
  const unsigned count = call.getNumArgs();
  if (name == "pthread_create" && count == 4) {
    FlowEvent event;
    event.kind = EventKind::create;
    event.where = place_of(where);
    event.place = pointed(0);
    event.value = expressions_.value(call.getArg(2));
    event.arguments.push_back(expressions_.value(call.getArg(3)));
    events_->push_back(std::move(event));
    return true;
  }
  if (name == "pthread_join" && count == 2) {
    const clang::Expr* handle = ExpressionReader::strip(call.getArg(0));
    if (const auto* read = llvm::dyn_cast<clang::CastExpr>(handle)) handle = read->getSubExpr();
    add(EventKind::join, where, expressions_.place(handle));
    return true;
  }
  if (is_one_of(name, {"pthread_mutex_lock", "pthread_spin_lock", "pthread_rwlock_wrlock", "pthread_rwlock_rdlock"})) {
    add(EventKind::lock, where, pointed(0)).shared = name == "pthread_rwlock_rdlock";
    return true;
  }
  if (is_one_of(name, {"pthread_mutex_unlock", "pthread_spin_unlock", "pthread_rwlock_unlock"})) {
    add(EventKind::unlock, where, pointed(0));
    return true;
  }
  if (is_one_of(name, {"pthread_cond_wait", "pthread_cond_timedwait"})) {
    add(EventKind::unlock, where, pointed(1));
    add(EventKind::lock, where, pointed(1));
    return true;
  }
  if (name == "pthread_barrier_wait") {
    add(EventKind::barrier, where, pointed(0));
    return true;
  }
  if (name == "sem_post" || name == "sem_wait") {
    add(name == "sem_post" ? EventKind::arrive : EventKind::pass, where, pointed(0)).number = 1;
    return true;
  }
  if (name == "std::call_once" || name == "pthread_once") {
    FlowEvent& event = add(EventKind::call, where);
    event.optional = true;
    event.place = name == "pthread_once" ? pointed(0) : expressions_.place(call.getArg(0));
    event.value = expressions_.value(call.getArg(1));
    for (unsigned i = 2; i < count; ++i) event.arguments.push_back(expressions_.value(call.getArg(i)));
    return true;
  }
  if (name == "std::async") {
    const bool policy = plain_type(call.getArg(0)->getType()).find("std::launch") != std::string::npos;
    create(call, call.getArgs(), count, policy ? 1 : 0);
    const auto chosen = policy ? expressions_.constant(call.getArg(0)) : std::nullopt;
    constexpr long kLaunchAsync = 1;
    events_->back().optional = chosen != kLaunchAsync;
    return true;
  }
  if (name == "std::make_shared" || name == "std::make_unique") {
    make_object(call);
    return true;
  }
  if (name == "std::lock") {
    for (unsigned i = 0; i < count; ++i) {
      const bool guard = is_guard(library_class(call.getArg(i)->getType()));
      add(guard ? EventKind::guard_lock : EventKind::lock, where, expressions_.place(call.getArg(i)));
    }
    return true;
  }
  if (llvm::StringRef(name).starts_with("pthread_") || llvm::StringRef(name).starts_with("sem_")) return true;
  return is_one_of(name, {"std::ref", "std::cref", "std::move", "std::forward", "std::as_const", "std::addressof"});
}

// Unseen code calls the constructor: whichever fits the number of arguments.
void FunctionReader::make_object(const clang::CallExpr& call) {
  const auto* result =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(call.getType()->getAsCXXRecordDecl());
  if (result == nullptr || result->getTemplateArgs().size() == 0 ||
      result->getTemplateArgs()[0].getKind() != clang::TemplateArgument::Type) {
    return;
  }
  const clang::QualType type = result->getTemplateArgs()[0].getAsType();
  const FlowExprPtr address = expressions_.value(&call);
  const FlowExprPtr place = pointee_of(address, plain_type(type));
  if (is_synchronisation_type(type)) return;
  FlowEvent event;
  event.kind = EventKind::call;
  event.where = place_of(call.getExprLoc());
  event.self = address;
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (record != nullptr && library_class(type).empty() && record->hasDefinition()) {
    for (const clang::CXXConstructorDecl* constructor : record->ctors()) {
      if (constructor->isCopyOrMoveConstructor() || constructor->getMinRequiredArguments() > call.getNumArgs() ||
          constructor->getNumParams() < call.getNumArgs()) {
        continue;
      }
      if (constructor->isImplicit() && !constructor->hasBody()) continue;
      if (event.callees.empty()) {
        event.arguments = expressions_.arguments(*constructor, call.getArgs(), call.getNumArgs());
      }
      event.callees.push_back(names_.function(*constructor));
    }
  }
  if (event.callees.size() > 1) event.arguments.clear();
  if (!event.callees.empty()) {
    events_->push_back(std::move(event));
    return;
  }
  FlowEvent& write = add(EventKind::write, call.getExprLoc(), place);
  write.declaration = true;
  if (call.getNumArgs() > 0) write.value = expressions_.value(call.getArg(0));
}

void FunctionReader::plain_call(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  const clang::Expr* object = ExpressionReader::receiver(call);
  const clang::SourceLocation where = call.getExprLoc();
  if (callee == nullptr) {
    FlowEvent& event = add(EventKind::call, where);
    event.value = expressions_.value(call.getCallee());
    for (const clang::Expr* argument : call.arguments()) event.arguments.push_back(expressions_.value(argument));
    return;
  }
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  if (method != nullptr && method->isImplicit() && method->getOverloadedOperator() == clang::OO_Equal &&
      object != nullptr && call.getNumArgs() == 2) {
    add_read(call.getArg(1), call.getArg(1)->getExprLoc());
    add_write(object, nullptr, where);
    return;
  }
  if (!names_.is_user(*callee)) return unseen_call(call, callee, object);
  FlowEvent event;
  event.kind = EventKind::call;
  event.where = place_of(where);
  const unsigned skipped = llvm::isa<clang::CXXOperatorCallExpr>(call) && object != nullptr ? 1 : 0;
  event.arguments = expressions_.arguments(*callee, call.getArgs() + skipped, call.getNumArgs() - skipped);
  if (method != nullptr && method->getParent()->isLambda() && object != nullptr) {
    event.value = expressions_.value(object);
  } else {
    event.callees.push_back(names_.function(*callee));
    if (object != nullptr) {
      event.self =
          object->getType()->isPointerType() ? expressions_.value(object) : address_of(expressions_.place(object));
    }
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(call.getCallee()->IgnoreParenImpCasts());
    event.weak = method != nullptr && method->isVirtual() && (member == nullptr || !member->hasQualifier());
  }
  events_->push_back(std::move(event));
}

// Unseen code reads what it gets by reference to const, may write what it gets otherwise, and may call what can be
// called any number of times.
void FunctionReader::unseen_call(const clang::CallExpr& call, const clang::FunctionDecl* callee,
                                 const clang::Expr* object) {
  const clang::SourceLocation where = call.getExprLoc();
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  const unsigned skipped = llvm::isa<clang::CXXOperatorCallExpr>(call) && object != nullptr ? 1 : 0;
  for (unsigned i = skipped; i < call.getNumArgs(); ++i) {
    const clang::Expr* argument = call.getArg(i);
    const clang::Expr* plain = ExpressionReader::strip(argument);
    const clang::QualType written = plain->getType();
    const clang::CXXRecordDecl* record = written->getAsCXXRecordDecl();
    if ((record != nullptr && record->isLambda()) || written->isFunctionPointerType() || written->isFunctionType()) {
      FlowEvent& event = add(EventKind::call, where);
      event.value = expressions_.value(argument);
      event.any_times = true;
      continue;
    }
    const unsigned number = i - skipped;
    const clang::QualType type =
        number < callee->getNumParams() ? callee->getParamDecl(number)->getType() : argument->getType();
    if (type->isReferenceType() && argument->isGLValue()) {
      if (is_temporary(argument)) continue;
      const std::size_t first = events_->size();
      add_read(argument, argument->getExprLoc());
      if (!type->getPointeeType().isConstQualified() && type->isLValueReferenceType()) {
        for (std::size_t read = first; read < events_->size(); ++read) (*events_)[read].own_write = true;
        add_write(argument, nullptr, where, true);
      }
    } else if (type->isPointerType() && !type->getPointeeType()->isFunctionType()) {
      const clang::QualType target =
          plain->getType()->isPointerType() ? plain->getType()->getPointeeType() : type->getPointeeType();
      if (is_synchronisation_type(target) || llvm::isa<clang::StringLiteral>(argument->IgnoreParenCasts())) continue;
      const FlowExprPtr place = pointee_of(expressions_.value(argument), plain_type(target));
      const bool writes = !type->getPointeeType().isConstQualified();
      add(EventKind::read, argument->getExprLoc(), place).own_write = writes;
      if (writes) add(EventKind::write, where, place).weak = true;
    }
  }
  if (object != nullptr && method != nullptr && !method->isStatic()) {
    const std::string library = library_class(ExpressionReader::strip(object)->getType());
    const FlowExprPtr place =
        object->getType()->isPointerType()
            ? pointee_of(expressions_.value(object), plain_type(object->getType()->getPointeeType()))
            : expressions_.place(object);
    if (!is_synchronisation_type(object->getType())) {
      const std::string name = method->getNameAsString();
      const bool writes = !method->isConst() && !only_looks(library, name);
      add(EventKind::read, where, place).own_write = writes;
      if (writes) {
        FlowEvent& event = add(EventKind::write, where, place);
        event.weak = name != "operator=";
      }
    }
  }
  const auto* type = callee->getType()->getAs<clang::FunctionProtoType>();
  if (!callee->isExternC() && (type == nullptr || !type->isNothrow())) add(EventKind::may_throw, where);
}

}  // namespace ravel
