// SPDX-License-Identifier: Apache-2.0
#include "analysis/futures/function_reader.h"

#include <clang/AST/ASTContext.h>

#include "analysis/futures/library_names.h"
#include "analysis/futures/loop_shape.h"

namespace ravel {

using EventKind = FlowEvent::Kind;

namespace {

// Looks through copies and moves of a temporary to what is really constructed.
const clang::Expr* made_by(const clang::Expr* expression) {
  for (;;) {
    expression = ExpressionReader::strip(expression);
    const auto* construction = llvm::dyn_cast<clang::CXXConstructExpr>(expression);
    if (construction == nullptr || construction->getNumArgs() != 1 ||
        !construction->getConstructor()->isCopyOrMoveConstructor()) {
      return expression;
    }
    const clang::Expr* source = ExpressionReader::strip(construction->getArg(0));
    if (!llvm::isa<clang::CXXConstructExpr>(source) && !llvm::isa<clang::CallExpr>(source)) return expression;
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(source)) {
      if (!call->isPRValue()) return expression;
    }
    expression = source;
  }
}

bool same_object(const FlowExpr& a, const FlowExpr& b) {
  if (a.kind != b.kind || a.id != b.id || a.text != b.text || a.kind == FlowExpr::Kind::unknown) return false;
  if (a.base == nullptr || b.base == nullptr) return a.base == b.base;
  return same_object(*a.base, *b.base);
}

}  // namespace

// The whole statement that a part of it is in; of loops and branches only the expression.
clang::SourceRange FunctionReader::statement_around(const clang::Stmt* part) const {
  const clang::Stmt* whole = part;
  for (const clang::Stmt* outer = parents_->getParent(part); outer != nullptr; outer = parents_->getParent(outer)) {
    const bool is_whole = llvm::isa<clang::DeclStmt>(outer) || llvm::isa<clang::ReturnStmt>(outer);
    if (!is_whole && !llvm::isa<clang::Expr>(outer)) break;
    whole = outer;
  }
  return whole->getSourceRange();
}

SourcePlace FunctionReader::place_of(clang::SourceLocation where) const {
  SourcePlace place = names_.place(where);
  place.lines.insert(place.lines.end(), around_.begin(), around_.end());
  return place;
}

FlowEvent& FunctionReader::add(EventKind kind, clang::SourceLocation where, FlowExprPtr place) {
  FlowEvent event;
  event.kind = kind;
  event.where = place_of(where);
  event.place = std::move(place);
  events_->push_back(std::move(event));
  return events_->back();
}

void FunctionReader::add_read(const clang::Expr* expression, clang::SourceLocation where) {
  if (is_synchronisation_type(expression->getType())) return;
  // One of two objects: either may be read.
  if (const auto* choice = llvm::dyn_cast<clang::AbstractConditionalOperator>(ExpressionReader::strip(expression))) {
    add_read(choice->getTrueExpr(), where);
    add_read(choice->getFalseExpr(), where);
    return;
  }
  add(EventKind::read, where, expressions_.place(expression));
}

void FunctionReader::add_write(const clang::Expr* target, const clang::Expr* value, clang::SourceLocation where,
                               bool weak) {
  if (is_synchronisation_type(target->getType())) return;
  if (const auto* choice = llvm::dyn_cast<clang::AbstractConditionalOperator>(ExpressionReader::strip(target))) {
    add_write(choice->getTrueExpr(), value, where, true);
    add_write(choice->getFalseExpr(), value, where, true);
    return;
  }
  FlowEvent& event = add(EventKind::write, where, expressions_.place(target));
  if (value != nullptr) event.value = expressions_.value(value);
  event.weak = weak;
}

void FunctionReader::read(const clang::FunctionDecl& function) {
  {
    FlowFunction& out = names_.program().functions[static_cast<std::size_t>(function_)];
    out.defined = true;
    out.of_life = llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(function);
    out.lines = names_.lines(function.getSourceRange());
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
    out.is_lambda = method != nullptr && method->getParent()->isLambda();
    out.is_method = method != nullptr && !method->isStatic() && !out.is_lambda;
    if (function.isMain()) names_.program().main = function_;
  }
  std::vector<int> parameters;
  for (const clang::ParmVarDecl* parameter : function.parameters()) parameters.push_back(names_.variable(*parameter));
  names_.program().functions[static_cast<std::size_t>(function_)].parameters = parameters;
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
      method != nullptr && method->getParent()->isLambda()) {
    in_lambda_ = true;
    header_.push_back(names_.lines({method->getParent()->getBeginLoc(), function.getBody()->getBeginLoc()}));
  }
  if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&function)) {
    const clang::SourceLocation begin =
        constructor->isImplicit() ? constructor->getParent()->getBeginLoc() : constructor->getBeginLoc();
    header_.push_back(names_.lines({begin, constructor->getLocation()}));
    prepare_initialisers(*constructor);
  }
  read_body(&function, function.getBody());
}

void FunctionReader::read_initialiser(const clang::VarDecl& variable) {
  names_.program().functions[static_cast<std::size_t>(function_)].defined = true;
  auto* initial = const_cast<clang::Expr*>(variable.getInit());  // NOLINT: the graph's builder takes it so
  prepare_variable(variable, *initial);
  read_body(&variable, initial);
}

void FunctionReader::read_body(const clang::Decl* declaration, clang::Stmt* body) {
  jumps_ = jumps(body);
  straight_ = !jumps_ && !leaves_early(body);
  prepare(body, jumps_);
  parents_ = std::make_unique<clang::ParentMap>(body);
  clang::CFG::BuildOptions options;
  options.AddImplicitDtors = true;
  options.AddInitializers = true;
  options.AddEHEdges = true;
  options.AddStaticInitBranches = true;
  options.AddCXXDefaultInitExprInCtors = true;
  options.setAllAlwaysAdd();
  const std::unique_ptr<clang::CFG> graph = clang::CFG::buildCFG(declaration, body, &names_.context(), options);
  std::vector<FlowBlock> blocks;
  int entry = -1;
  int exit = -1;
  if (graph != nullptr) {
    blocks.resize(graph->getNumBlockIDs());
    for (const clang::CFGBlock* block : *graph) {
      FlowBlock& out = blocks[block->getBlockID()];
      read_block(*block, out);
    }
    for (const clang::CFGBlock* block : *graph) read_edges(*block, blocks[block->getBlockID()]);
    entry = static_cast<int>(graph->getEntry().getBlockID());
    exit = static_cast<int>(graph->getExit().getBlockID());
  } else {
    blocks.resize(1);
    entry = exit = 0;
  }
  // The result, when there is only one: accessors, singletons, predicates.
  std::vector<const clang::ReturnStmt*> returns;
  any_statement(body, [&](const clang::Stmt* at) {
    if (const auto* found = llvm::dyn_cast<clang::ReturnStmt>(at)) returns.push_back(found);
    return false;
  });
  FlowExprPtr result;
  Events truths;
  if (returns.size() == 1 && returns[0]->getRetValue() != nullptr) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
    const clang::Expr* value = returns[0]->getRetValue();
    const bool refers = function != nullptr && function->getReturnType()->isReferenceType();
    result = expressions_.argument(value, refers);
    if (value->getType()->isBooleanType()) conclude(value, true, truths);
  }
  FlowFunction& out = names_.program().functions[static_cast<std::size_t>(function_)];
  out.blocks = std::move(blocks);
  out.entry = entry;
  out.exit = exit;
  out.result = std::move(result);
  out.truths = std::move(truths);
}

// Which variable a thread's handle is in, or what a construction fills, is known further out in the tree.
void FunctionReader::prepare(const clang::Stmt* statement, bool in_loop) {
  if (statement == nullptr) return;
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement)) {
    for (const clang::Decl* declaration : declared->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
      if (variable != nullptr && in_loop) {
        names_.program().variables[static_cast<std::size_t>(names_.variable(*variable))].repeats = true;
      }
      if (variable != nullptr && variable->getInit() != nullptr) prepare_variable(*variable, *variable->getInit());
    }
  } else if (const auto* created = llvm::dyn_cast<clang::CXXNewExpr>(statement)) {
    if (!in_loop) names_.program().single_allocations.insert(names_.allocation(*created));
    if (created->getConstructExpr() != nullptr) {
      targets_[created->getConstructExpr()] =
          pointee_of(expressions_.value(created), plain_type(created->getAllocatedType()));
    }
  } else if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(statement)) {
    if (call->getOperator() == clang::OO_Equal && call->getNumArgs() == 2 &&
        is_thread_like(call->getArg(0)->getType())) {
      handles_[made_by(call->getArg(1))] = expressions_.place(call->getArg(0));
    }
  } else if (const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(statement)) {
    const clang::CXXMethodDecl* callee = method->getMethodDecl();
    if (callee != nullptr && is_one_of(callee->getNameAsString(), {"push_back", "emplace_back"})) {
      const FlowExprPtr container = expressions_.place(method->getImplicitObjectArgument());
      handles_[method] = element_of(container, "", "");
      for (const clang::Expr* argument : method->arguments()) {
        if (is_thread_like(argument->getType())) handles_[made_by(argument)] = handles_[method];
      }
    }
  }
  if (const auto* made = llvm::dyn_cast<clang::CallExpr>(statement)) {
    if (!in_loop) names_.program().single_allocations.insert(names_.allocation(*made));
  }
  if (llvm::isa<clang::LambdaExpr>(statement)) return;  // a function of its own
  const auto* counting = llvm::dyn_cast<clang::ForStmt>(statement);
  const bool loops = counting != nullptr || llvm::isa<clang::WhileStmt>(statement) ||
                     llvm::isa<clang::DoStmt>(statement) || llvm::isa<clang::CXXForRangeStmt>(statement);
  for (const clang::Stmt* child : statement->children()) {
    const bool once = counting != nullptr && child == counting->getInit();
    if (child != nullptr) prepare(child, in_loop || (loops && !once));
  }
}

FlowExprPtr FunctionReader::self_object(const clang::CXXRecordDecl& record) const {
  FlowExpr self;
  self.kind = FlowExpr::Kind::self;
  return pointee_of(make_expr(std::move(self)), plain_type(names_.context().getRecordType(&record)));
}

// Bases and members are constructed in their places.
void FunctionReader::prepare_initialisers(const clang::CXXConstructorDecl& constructor) {
  for (const clang::CXXCtorInitializer* initialiser : constructor.inits()) {
    if (initialiser->getInit() == nullptr) continue;
    const clang::FieldDecl* field = initialiser->getAnyMember();
    const clang::Expr* made = made_by(initialiser->getInit());
    const FlowExprPtr object = self_object(*constructor.getParent());
    targets_[made] = field == nullptr ? object : expressions_.member(object, *field);
    if (field != nullptr) handles_[made] = targets_[made];
  }
}

void FunctionReader::prepare_variable(const clang::VarDecl& variable, const clang::Expr& initial) {
  const FlowExprPtr place = expressions_.variable(variable);
  const clang::Expr* made = made_by(&initial);
  targets_[made] = place;
  handles_[made] = place;
  // An array or container that is filled with threads at once.
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(ExpressionReader::strip(&initial))) {
    for (unsigned i = 0; i < list->getNumInits(); ++i) {
      const clang::Expr* item = made_by(list->getInit(i));
      FlowExprPtr element = element_of(place, std::to_string(i), plain_type(item->getType()));
      targets_[item] = element;
      handles_[item] = element;
    }
  }
}

void FunctionReader::read_block(const clang::CFGBlock& block, FlowBlock& out) {
  events_ = &out.events;
  const clang::Stmt* inside = nullptr;
  for (const clang::CFGElement& at : block) {
    around_.clear();
    if (const auto held = at.getAs<clang::CFGStmt>()) {
      inside = held->getStmt();
      around_.push_back(names_.lines(statement_around(inside)));
      if (in_lambda_ || !parents_->hasParent(inside)) around_.insert(around_.end(), header_.begin(), header_.end());
    }
    element(at);
  }
  around_.clear();
  out.handles = llvm::isa_and_nonnull<clang::CXXTryStmt>(block.getTerminatorStmt());
  if (inside != nullptr) out.trips = trips(inside, out.certain);
}

void FunctionReader::read_edges(const clang::CFGBlock& block, FlowBlock& out) {
  const clang::Stmt* terminator = block.getTerminatorStmt();
  const auto* condition =
      block.succ_size() == 2 ? llvm::dyn_cast_or_null<clang::Expr>(block.getTerminatorCondition(false)) : nullptr;
  bool throws = false;
  for (const clang::CFGElement& at : block) {
    const auto held = at.getAs<clang::CFGStmt>();
    throws = throws || (held && llvm::isa<clang::CXXThrowExpr>(held->getStmt()));
  }
  unsigned index = 0;
  for (const clang::CFGBlock::AdjacentBlock& next : block.succs()) {
    const unsigned number = index++;
    if (next.getReachableBlock() == nullptr) continue;
    // Where a call or throw leaves the function by an exception, nothing continues after the function's call.
    const bool handled = llvm::isa_and_nonnull<clang::CXXTryStmt>(next.getReachableBlock()->getTerminatorStmt());
    if (terminator == nullptr && !handled && (number > 0 || throws)) continue;
    FlowBlock::Edge edge;
    edge.to = static_cast<int>(next.getReachableBlock()->getBlockID());
    if (condition != nullptr && !llvm::isa<clang::SwitchStmt>(terminator)) {
      events_ = &edge.events;
      conclude(condition, number == 0, edge.events);
    }
    if (number == 1 && llvm::isa_and_nonnull<clang::DeclStmt>(terminator)) {
      events_ = &edge.events;
      pass_initialisation(*llvm::cast<clang::DeclStmt>(terminator));
    }
    FlowEvent joined;
    if (number == 1 && terminator != nullptr && joins_all(terminator, joined)) edge.events.push_back(std::move(joined));
    out.next.push_back(std::move(edge));
  }
}

void FunctionReader::element(const clang::CFGElement& element) {
  if (const auto held = element.getAs<clang::CFGStmt>()) {
    statement(held->getStmt());
  } else if (const auto initial = element.getAs<clang::CFGInitializer>()) {
    initialiser(*initial->getInitializer());
  } else if (const auto ended = element.getAs<clang::CFGAutomaticObjDtor>()) {
    destroy(*ended->getVarDecl());
  } else if (const auto deleted = element.getAs<clang::CFGDeleteDtor>()) {
    const clang::CXXRecordDecl* record = deleted->getCXXRecordDecl();
    const clang::CXXDestructorDecl* destructor = record == nullptr ? nullptr : record->getDestructor();
    if (destructor != nullptr && names_.is_user(*destructor)) {
      FlowEvent& event = add(EventKind::call, deleted->getDeleteExpr()->getExprLoc());
      event.callees.push_back(names_.function(*destructor));
      event.self = expressions_.value(deleted->getDeleteExpr()->getArgument());
    }
  } else if (const auto member = element.getAs<clang::CFGMemberDtor>()) {
    const clang::FieldDecl* field = member->getFieldDecl();
    const std::string library = library_class(field->getType());
    const FlowExprPtr place =
        expressions_.member(self_object(*llvm::cast<clang::CXXRecordDecl>(field->getParent())), *field);
    const clang::CXXRecordDecl* record = field->getType()->getAsCXXRecordDecl();
    const clang::CXXDestructorDecl* destructor = record == nullptr ? nullptr : record->getDestructor();
    if (library == "jthread" || is_future(library)) {
      FlowEvent& event = add(EventKind::join, field->getLocation(), place);
      event.optional = true;
      event.weak = is_future(library);
    } else if (destructor != nullptr && names_.is_user(*destructor)) {
      FlowEvent& event = add(EventKind::call, field->getLocation());
      event.callees.push_back(names_.function(*destructor));
      event.self = address_of(place);
    }
  } else if (const auto base = element.getAs<clang::CFGBaseDtor>()) {
    const clang::CXXRecordDecl* record = base->getBaseSpecifier()->getType()->getAsCXXRecordDecl();
    const clang::CXXDestructorDecl* destructor = record == nullptr ? nullptr : record->getDestructor();
    if (destructor != nullptr && names_.is_user(*destructor)) {
      FlowEvent& event = add(EventKind::call, destructor->getLocation());
      event.callees.push_back(names_.function(*destructor));
      event.self = address_of(self_object(*record));
    }
  }
}

void FunctionReader::destroy(const clang::VarDecl& variable) {
  const clang::QualType type = variable.getType();
  const std::string library = library_class(type);
  const FlowExprPtr place = expressions_.variable(variable);
  if (is_guard(library)) {
    add(EventKind::guard_unlock, variable.getLocation(), place);
  } else if (library == "jthread" || is_future(library)) {
    FlowEvent& event = add(EventKind::join, variable.getLocation(), place);
    event.optional = true;
    event.weak = is_future(library);  // a deferred task whose result is never asked for never runs
  } else if (is_one_of(library, {"vector", "array", "deque", "list"})) {
    const std::string text = plain_type(type);
    if (text.find("std::jthread") != std::string::npos || text.find("std::future") != std::string::npos) {
      add(EventKind::join_all, variable.getLocation(), place).number = -1;
    }
  } else if (const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl()) {
    const clang::CXXDestructorDecl* destructor = record->getDestructor();
    if (destructor != nullptr && names_.is_user(*destructor)) {
      FlowEvent& event = add(EventKind::call, variable.getLocation());
      event.callees.push_back(names_.function(*destructor));
      event.self = address_of(place);
    }
  }
}

void FunctionReader::statement(const clang::Stmt* statement) {
  if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(statement)) {
    if (cast->getCastKind() == clang::CK_LValueToRValue) {
      add_read(cast->getSubExpr(), ExpressionReader::strip(cast->getSubExpr())->getExprLoc());
    }
    return;
  }
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(statement)) {
    if (!binary->isAssignmentOp()) return;
    if (binary->isCompoundAssignmentOp()) add_read(binary->getLHS(), binary->getLHS()->getExprLoc());
    add_write(binary->getLHS(), binary->isCompoundAssignmentOp() ? nullptr : binary->getRHS(), binary->getExprLoc());
    return;
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(statement)) {
    if (!unary->isIncrementDecrementOp()) return;
    add_read(unary->getSubExpr(), unary->getExprLoc());
    add_write(unary->getSubExpr(), nullptr, unary->getExprLoc());
    return;
  }
  if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement)) {
    for (const clang::Decl* entry : declared->decls()) {
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(entry)) declaration(*variable);
    }
    return;
  }
  if (const auto* construction = llvm::dyn_cast<clang::CXXConstructExpr>(statement)) return construct(*construction);
  if (const auto* created = llvm::dyn_cast<clang::CXXNewExpr>(statement)) {
    if (created->getInitializer() != nullptr && created->getConstructExpr() == nullptr) {
      FlowEvent& event = add(EventKind::write, created->getExprLoc(),
                             pointee_of(expressions_.value(created), plain_type(created->getAllocatedType())));
      event.declaration = true;
      const auto* list = llvm::dyn_cast<clang::InitListExpr>(created->getInitializer());
      if (list == nullptr) event.value = expressions_.value(created->getInitializer());
    }
    return;
  }
  if (const auto* atomic = llvm::dyn_cast<clang::AtomicExpr>(statement)) {
    const FlowExprPtr place = pointee_of(expressions_.value(atomic->getPtr()), plain_type(atomic->getValueType()));
    FlowEvent& read = add(EventKind::read, atomic->getExprLoc(), place);
    read.atomic = true;
    FlowEvent& write = add(EventKind::write, atomic->getExprLoc(), place);
    write.atomic = true;
    write.weak = true;
    return;
  }
  if (llvm::isa<clang::CXXThrowExpr>(statement)) {
    add(EventKind::may_throw, statement->getBeginLoc());
    return;
  }
  if (const auto* made = llvm::dyn_cast<clang::CallExpr>(statement)) call(*made);
}

void FunctionReader::declaration(const clang::VarDecl& variable) {
  const clang::Expr* initial = variable.getInit();
  if (initial == nullptr) return;
  if (variable.hasGlobalStorage()) {
    // The first thread to get here initialises a static variable; all others wait for that.
    if (!has_dynamic_initialiser(variable)) return;
    initialise(variable, *initial);
    const FlowExprPtr flag = expressions_.variable(variable);
    FlowEvent& arrives = add(EventKind::arrive, variable.getLocation(), flag);
    arrives.number = 1;
    arrives.once = true;
    add(EventKind::pass, variable.getLocation(), flag).once = true;
    return;
  }
  initialise(variable, *initial);
}

bool FunctionReader::has_dynamic_initialiser(const clang::VarDecl& variable) const {
  const clang::Expr* initial = variable.getInit();
  return variable.isStaticLocal() && initial != nullptr && !initial->isValueDependent() &&
         !initial->isConstantInitializer(names_.context(), variable.getType()->isReferenceType());
}

// A thread that does not initialise a static variable knows that another has.
void FunctionReader::pass_initialisation(const clang::DeclStmt& declared) {
  for (const clang::Decl* entry : declared.decls()) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(entry);
    if (variable == nullptr || !has_dynamic_initialiser(*variable)) continue;
    add(EventKind::pass, variable->getLocation(), expressions_.variable(*variable)).once = true;
  }
}

void FunctionReader::initialise(const clang::VarDecl& variable, const clang::Expr& initialiser) {
  const clang::Expr* initial = &initialiser;
  const clang::QualType type = variable.getType();
  const FlowExprPtr place = expressions_.variable(variable);
  if (type->isReferenceType()) {
    add(EventKind::bind, variable.getLocation(), place).value = address_of(expressions_.place(initial));
    return;
  }
  const clang::Expr* made = made_by(initial);
  const bool is_promised = is_future(library_class(type));
  if (is_promised) {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(made);
    if (call != nullptr && call->getDirectCallee() != nullptr &&
        call->getDirectCallee()->getNameAsString() == "get_future") {
      add(EventKind::bind, variable.getLocation(), place).value =
          address_of(expressions_.place(ExpressionReader::receiver(*call)));
      return;
    }
  }
  if (is_synchronisation_type(type)) return;
  add(EventKind::bind, variable.getLocation(), place).value = expressions_.value(initial);
  if (type->isRecordType() && llvm::isa<clang::CXXConstructExpr>(made)) return;  // the construction writes it
  FlowEvent& event = add(EventKind::write, variable.getLocation(), place);
  event.declaration = true;
  event.value = expressions_.value(initial);
}

void FunctionReader::initialiser(const clang::CXXCtorInitializer& initialiser) {
  const clang::FieldDecl* field = initialiser.getAnyMember();
  if (field == nullptr || initialiser.getInit() == nullptr) return;
  const FlowExprPtr object = self_object(*llvm::cast<clang::CXXRecordDecl>(field->getParent()));
  FlowExpr plain;
  plain.kind = FlowExpr::Kind::field;
  plain.base = object;
  plain.text = SourceNames::field(*field);
  plain.type = plain_type(field->getType());
  const FlowExprPtr place = make_expr(std::move(plain));
  const clang::SourceLocation where = initialiser.isWritten() ? initialiser.getSourceLocation() : field->getLocation();
  around_ = header_;
  around_.push_back(names_.lines(initialiser.isWritten() ? initialiser.getSourceRange() : field->getSourceRange()));
  const bool refers = field->getType()->isReferenceType();
  add(EventKind::bind, where, place).value = expressions_.argument(initialiser.getInit(), refers);
  if (refers || is_synchronisation_type(field->getType())) return;
  if (field->getType()->isRecordType() && llvm::isa<clang::CXXConstructExpr>(made_by(initialiser.getInit()))) return;
  FlowEvent& event = add(EventKind::write, where, place);
  event.declaration = true;
  event.value = expressions_.value(initialiser.getInit());
}

void FunctionReader::construct(const clang::CXXConstructExpr& construction) {
  const clang::CXXConstructorDecl& constructor = *construction.getConstructor();
  const std::string library = library_class(construction.getType());
  const clang::SourceLocation where = construction.getExprLoc();
  const auto known = targets_.find(&construction);
  const bool copies = constructor.isCopyOrMoveConstructor();
  if (is_thread(library)) {
    if (!copies && construction.getNumArgs() > 0) {
      create(construction, construction.getArgs(), construction.getNumArgs(), 0);
    }
    return;
  }
  const FlowExprPtr target = known != targets_.end() ? known->second : expressions_.place(&construction);
  if (is_guard(library)) {
    // Only the end of a variable is seen; a lock whose release is not seen counts as never taken.
    if (target->kind != FlowExpr::Kind::variable) return;
    FlowEvent event;
    event.kind = EventKind::guard;
    event.where = place_of(where);
    event.place = target;
    event.shared = library == "shared_lock";
    for (const clang::Expr* argument : construction.arguments()) {
      const std::string name = library_class(argument->getType());
      if (is_one_of(name, {"defer_lock_t", "try_to_lock_t", "adopt_lock_t"}) ||
          argument->getType().getAsString().find("chrono") != std::string::npos) {
        event.locks = false;
        event.optional = name != "adopt_lock_t";
      } else if (!copies) {
        event.arguments.push_back(expressions_.place(argument));
      }
    }
    events_->push_back(std::move(event));
    return;
  }
  if (library == "barrier" && construction.getNumArgs() > 1 && !copies &&
      !llvm::isa<clang::CXXDefaultArgExpr>(construction.getArg(1))) {
    // What runs when all have arrived is like a thread that is never joined.
    create(construction, construction.getArgs(), construction.getNumArgs(), 1);
    events_->back().place = nullptr;
    events_->back().optional = true;
  }
  if (is_synchronisation_type(construction.getType())) return;
  if (!names_.is_user(constructor) && !constructor.isImplicit()) {
    // A class of a library: one object as a whole.
    for (const clang::Expr* argument : construction.arguments()) {
      if (argument->isGLValue() && argument->getType()->isRecordType()) add_read(argument, argument->getExprLoc());
    }
    FlowEvent& event = add(EventKind::write, where, target);
    event.declaration = true;
    if (construction.getNumArgs() > 0) event.value = expressions_.value(construction.getArg(0));
    return;
  }
  if (copies && constructor.isImplicit()) {
    const clang::Expr* source = construction.getArg(0);
    if (!llvm::isa<clang::CXXConstructExpr>(made_by(source))) add_read(source, source->getExprLoc());
    add(EventKind::write, where, target).declaration = true;
    return;
  }
  if (construction.requiresZeroInitialization()) add(EventKind::write, where, target).declaration = true;
  FlowEvent& event = add(EventKind::call, where);
  event.callees.push_back(names_.function(constructor));
  event.self = address_of(target);
  event.arguments = expressions_.arguments(constructor, construction.getArgs(), construction.getNumArgs());
}

// The callable at `first`, its arguments after it.
void FunctionReader::create(const clang::Expr& at, const clang::Expr* const* begin, unsigned count, unsigned first) {
  FlowEvent event;
  event.kind = EventKind::create;
  event.where = place_of(at.getExprLoc());
  const auto handle = handles_.find(&at);
  if (handle != handles_.end()) event.place = handle->second;
  if (first >= count) return;
  const clang::Expr* callable = ExpressionReader::strip(begin[first]);
  event.value = expressions_.value(callable);
  const clang::CXXRecordDecl* record = callable->getType()->getAsCXXRecordDecl();
  if (record != nullptr && !record->isLambda() && library_class(callable->getType()).empty()) {
    for (const clang::CXXMethodDecl* method : record->methods()) {
      if (method->getOverloadedOperator() != clang::OO_Call) continue;
      FlowExpr function;
      function.kind = FlowExpr::Kind::function;
      function.id = names_.function(*method);
      function.base = address_of(expressions_.place(callable));
      event.value = make_expr(std::move(function));
    }
  }
  for (unsigned i = first + 1; i < count; ++i) event.arguments.push_back(expressions_.value(begin[i]));
  events_->push_back(std::move(event));
}

long FunctionReader::trips(const clang::Stmt* statement, bool& certain) const {
  long product = jumps_ ? 0 : 1;
  certain = straight_;
  const clang::Stmt* child = statement;
  for (const clang::Stmt* parent = parents_->getParent(statement); parent != nullptr;
       child = parent, parent = parents_->getParent(parent)) {
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(parent)) {
      if (child == loop->getInit()) continue;
      const CountedLoop counted = counted_loop(*loop, expressions_);
      if (child != loop->getBody()) certain = false;
      product = counted.counted ? product * std::max(0L, counted.trips) : 0;
      if (!counted.counted || counted.trips < 1 || leaves(loop->getBody())) certain = false;
    } else if (llvm::isa<clang::WhileStmt>(parent) || llvm::isa<clang::DoStmt>(parent)) {
      product = 0;
      certain = false;
    } else if (const auto* range = llvm::dyn_cast<clang::CXXForRangeStmt>(parent)) {
      certain = false;
      if (child == range->getBody()) product = 0;
    } else if (llvm::isa<clang::IfStmt>(parent) || llvm::isa<clang::SwitchStmt>(parent) ||
               llvm::isa<clang::AbstractConditionalOperator>(parent) || llvm::isa<clang::CXXTryStmt>(parent) ||
               llvm::isa<clang::CXXCatchStmt>(parent)) {
      certain = false;
    }
    if (product == 0) return 0;
  }
  return product;
}

bool FunctionReader::joins_all(const clang::Stmt* loop, FlowEvent& event) {
  const clang::Expr* container = nullptr;
  const clang::Stmt* body = nullptr;
  const clang::VarDecl* variable = nullptr;
  const clang::Expr* size = nullptr;
  event.number = -1;
  if (const auto* range = llvm::dyn_cast<clang::CXXForRangeStmt>(loop)) {
    container = range->getRangeInit();
    body = range->getBody();
    variable = range->getLoopVariable();
  } else if (const auto* counting = llvm::dyn_cast<clang::ForStmt>(loop)) {
    const CountedLoop counted = counted_loop(*counting, expressions_);
    if (counted.variable == nullptr || counted.first != 0) return false;
    body = counting->getBody();
    variable = counted.variable;
    event.number = counted.counted ? counted.trips : 0;
    size = counted.size_of;
    if (size != nullptr) event.number = -1;
    if (!counted.counted && counted.size_of == nullptr) return false;
  } else {
    return false;
  }
  const clang::Expr* joined = joined_in(body);
  if (joined == nullptr || leaves(body)) return false;
  joined = ExpressionReader::strip(joined);
  if (const auto* read = llvm::dyn_cast<clang::CastExpr>(joined)) joined = ExpressionReader::strip(read->getSubExpr());
  if (container != nullptr) {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(joined);
    if (name == nullptr || name->getDecl() != variable) return false;
  } else {
    const clang::Expr* index = nullptr;
    if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(joined)) {
      container = ExpressionReader::strip(subscript->getBase());
      if (const auto* decay = llvm::dyn_cast<clang::CastExpr>(container)) container = decay->getSubExpr();
      index = subscript->getIdx();
    } else if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(joined)) {
      if (call->getOperator() != clang::OO_Subscript || call->getNumArgs() != 2) return false;
      container = call->getArg(0);
      index = call->getArg(1);
    } else {
      return false;
    }
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(index->IgnoreParenImpCasts());
    if (name == nullptr || name->getDecl() != variable) return false;
  }
  event.kind = EventKind::join_all;
  event.where = place_of(joined->getExprLoc());
  event.place = expressions_.place(container);
  return size == nullptr || same_object(*event.place, *expressions_.place(size));
}

// ---- conditions ----

bool FunctionReader::observed(const clang::Expr* expression, FlowExprPtr& place, bool& atomic, bool& ordered) {
  expression = ExpressionReader::strip(expression);
  atomic = false;
  ordered = false;
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression)) {
    if (cast->getCastKind() != clang::CK_LValueToRValue) return false;
    place = expressions_.place(cast->getSubExpr());
    return true;
  }
  const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(expression);
  if (call == nullptr) return false;
  const clang::Expr* object = call->getImplicitObjectArgument();
  if (!is_atomic(library_class(ExpressionReader::strip(object)->getType()))) return false;
  const clang::CXXMethodDecl* method = call->getMethodDecl();
  if (method == nullptr) return false;
  const std::string name = method->getNameAsString();
  if (name != "load" && name != "test" && !llvm::isa<clang::CXXConversionDecl>(method)) return false;
  place = expressions_.place(object);
  atomic = true;
  ordered = call->getNumArgs() == 0 || !memory_order_is(call->getArg(call->getNumArgs() - 1), expressions_, {0});
  return true;
}

void FunctionReader::conclude(const clang::Expr* condition, bool truth, Events& out) {
  condition = ExpressionReader::strip(condition);
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(condition)) {
    if (unary->getOpcode() == clang::UO_LNot) conclude(unary->getSubExpr(), !truth, out);
    return;
  }
  FlowEvent event;
  event.kind = EventKind::observe;
  event.where = place_of(condition->getExprLoc());
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(condition)) {
    if (binary->getOpcode() == clang::BO_LAnd && truth) {
      conclude(binary->getLHS(), true, out);
      conclude(binary->getRHS(), true, out);
    } else if (binary->getOpcode() == clang::BO_LOr && !truth) {
      conclude(binary->getLHS(), false, out);
      conclude(binary->getRHS(), false, out);
    }
    if (!binary->isComparisonOp()) return;
    const clang::Expr* left = binary->getLHS();
    const clang::Expr* right = binary->getRHS();
    clang::BinaryOperatorKind how = binary->getOpcode();
    auto number = expressions_.constant(right);
    if (!number) {
      number = expressions_.constant(left);
      std::swap(left, right);
      how = clang::BinaryOperator::reverseComparisonOp(how);
    }
    if (!truth) how = clang::BinaryOperator::negateComparisonOp(how);
    if (!number || !observed(left, event.place, event.atomic, event.ordered)) return;
    event.number = *number;
    switch (how) {
      case clang::BO_EQ:
        event.comparison = Comparison::equal;
        break;
      case clang::BO_NE:
        event.comparison = Comparison::unequal;
        break;
      case clang::BO_LT:
        event.comparison = Comparison::less;
        break;
      case clang::BO_LE:
        event.comparison = Comparison::less_equal;
        break;
      case clang::BO_GT:
        event.comparison = Comparison::greater;
        break;
      case clang::BO_GE:
        event.comparison = Comparison::greater_equal;
        break;
      default:
        return;
    }
    out.push_back(std::move(event));
    return;
  }
  if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(condition)) {
    const clang::Expr* object = call->getImplicitObjectArgument();
    const std::string library = library_class(ExpressionReader::strip(object)->getType());
    const std::string method = call->getMethodDecl() == nullptr ? "" : call->getMethodDecl()->getNameAsString();
    if (is_thread(library) && method == "joinable" && !truth) {
      event.kind = EventKind::join;
      event.place = expressions_.place(object);
      event.optional = true;
      out.push_back(std::move(event));
      return;
    }
    if (is_mutex(library) && method == "try_lock" && truth) {
      event.kind = EventKind::lock;
      event.place = expressions_.place(object);
      out.push_back(std::move(event));
      return;
    }
  }
  if (!observed(condition, event.place, event.atomic, event.ordered)) return;
  event.comparison = truth ? Comparison::unequal : Comparison::equal;
  event.number = 0;
  out.push_back(std::move(event));
}

}  // namespace ravel
