// SPDX-License-Identifier: Apache-2.0
#include "analysis/futures/graph_builder.h"

#include <algorithm>

namespace ravel {

using Kind = GraphNode::Kind;
using Event = FlowEvent::Kind;
using Expr = FlowExpr::Kind;

namespace {

constexpr std::size_t kNodesForCalls = 20000;  // beyond that, hubs replace calls
constexpr std::size_t kNodes = 60000;
constexpr std::size_t kThreads = 200;
constexpr int kDepth = 24;

}  // namespace

bool GraphBuilder::build() {
  Value main;
  main.kind = Value::Kind::callable;
  main.function = program_.main;
  graph_.threads_.emplace_back();
  graph_.threads_.back().name = "main";
  graph_.threads_.back().function = program_.main;
  graph_.threads_.back().certain = true;
  pending_.push_back({0, main, {}});
  while (!pending_.empty()) {
    const Pending next = pending_.front();
    pending_.pop_front();
    start(next);
    if (graph_.nodes_.size() > kNodes || graph_.threads_.size() > kThreads) return false;
  }
  for (std::size_t i = 0; i < graph_.nodes_.size(); ++i) {
    for (const int next : graph_.nodes_[i].next) node(next).previous.push_back(static_cast<int>(i));
  }
  return true;
}

void GraphBuilder::start(const Pending& pending) {
  thread_ = pending.thread;
  Frame& outside = new_frame(-1, nullptr);
  const FlowEvent event;
  const int entry = add_node(Kind::none, nullptr, outside);
  int at = entry;
  if (pending.thread == 0) {
    for (const int initialiser : program_.initialisers) {
      Value callee;
      callee.kind = Value::Kind::callable;
      callee.function = initialiser;
      at = put_callee(callee, {}, event, at, outside, 1, true);
    }
  }
  if (pending.callable.kind == Value::Kind::callable) {
    at = put_callee(pending.callable, pending.arguments, event, at, outside, 1, true);
  } else {
    at = put_hub(callable_functions(), at, outside);
  }
  const int exit = add_node(Kind::none, nullptr, outside);
  link(at, exit);
  GraphThread& thread = graph_.threads_[static_cast<std::size_t>(pending.thread)];
  thread.entry = entry;
  thread.exit = exit;
}

int GraphBuilder::add_node(Kind kind, const FlowEvent* event, const Frame& frame) {
  GraphNode made;
  made.kind = kind;
  made.thread = thread_;
  made.function = frame.function;
  made.trips = frame.trips;
  made.certain = frame.certain;
  if (event != nullptr) {
    made.where = event->where;
    made.weak = event->weak || frame.hub;
    made.shared = event->shared;
    made.atomic = event->atomic;
    made.ordered = event->ordered;
    made.declaration = event->declaration;
    made.optional = event->optional;
    made.once_flag = event->once;
    made.own_write = event->own_write;
    made.comparison = event->comparison;
    made.number = event->number;
  }
  graph_.nodes_.push_back(std::move(made));
  return static_cast<int>(graph_.nodes_.size()) - 1;
}

void GraphBuilder::link(int from, int to) {
  if (from < 0 || to < 0) return;
  std::vector<int>& next = node(from).next;
  if (std::find(next.begin(), next.end(), to) == next.end()) next.push_back(to);
}

int GraphBuilder::append(int at, Kind kind, const FlowEvent& event, const Frame& frame, Cell cell) {
  const int id = add_node(kind, &event, frame);
  node(id).cell = std::move(cell);
  link(at, id);
  return id;
}

GraphBuilder::Frame& GraphBuilder::new_frame(int function, const Frame* caller) {
  frames_.emplace_back();
  Frame& frame = frames_.back();
  frame.function = function;
  frame.id = static_cast<int>(frames_.size()) - 1;
  frame.thread = thread_;
  frame.caller = caller;
  frame.depth = caller == nullptr ? 0 : caller->depth + 1;
  if (caller != nullptr) {
    frame.trips = caller->trips;
    frame.certain = caller->certain;
    frame.hub = caller->hub;
  }
  return frame;
}

// ---- names ----

int GraphBuilder::object_of(int variable_id, int allocation, const Frame* frame) {
  const bool lasting = variable_id >= 0 && variable(variable_id).is_static;
  const int frame_id = lasting || frame == nullptr || frame->hub ? -1 : frame->id;
  const auto [entry, is_new] = objects_.emplace(std::pair{std::pair{variable_id, allocation}, frame_id},
                                                static_cast<int>(graph_.objects_.size()));
  if (is_new) {
    GraphObject object;
    object.variable = variable_id;
    object.allocation = allocation;
    object.frame = frame_id;
    if (lasting) {
      object.unique = !variable(variable_id).per_thread;
    } else if (frame_id >= 0) {
      object.thread = frame->thread;
      const GraphThread& thread = graph_.thread(frame->thread);
      const bool repeats =
          variable_id >= 0 ? variable(variable_id).repeats : !program_.single_allocations.contains(allocation);
      object.unique = frame->trips == 1 && thread.once() && !repeats;
    }
    graph_.objects_.push_back(object);
  }
  return entry->second;
}

Cell GraphBuilder::resolve(int id, const Frame* frame) {
  const FlowVariable& named = variable(id);
  Cell cell;
  cell.type = named.type;
  const Frame* at = frame;
  const auto referred = [&](const Frame* owner) {
    const auto bound = owner->references.find(id);
    if (bound != owner->references.end()) {
      if (bound->second.kind == Value::Kind::address) return bound->second.cell;
      if (bound->second.kind != Value::Kind::callable) return cell;  // unknown
    } else if (named.is_reference) {
      return cell;
    }
    Cell own = cell;
    own.object = object_of(id, -1, owner);
    return own;
  };
  if (named.is_static) {
    if (named.is_reference) return cell;
    cell.object = object_of(id, -1, nullptr);
    return cell;
  }
  while (at != nullptr) {
    if (named.owner == at->function) return referred(at);
    if (at->function < 0 || !function(at->function).is_lambda) break;
    const std::vector<FlowCapture>& captures = function(at->function).captures;
    const auto captured =
        std::find_if(captures.begin(), captures.end(), [&](const FlowCapture& c) { return c.variable == id; });
    if (captured != captures.end() && (!captured->by_reference || captured->value != nullptr)) return referred(at);
    at = at->closure;
  }
  if (named.is_reference) return cell;
  cell.object = object_of(id, -1, nullptr);
  return cell;
}

Cell GraphBuilder::place(const FlowExprPtr& expression, const Frame* frame) {
  Cell cell;
  if (expression == nullptr) return cell;
  cell.type = expression->type;
  switch (expression->kind) {
    case Expr::variable:
      return resolve(expression->id, frame);
    case Expr::field:
    case Expr::element: {
      Cell base = place(expression->base, frame);
      const bool is_field = expression->kind == Expr::field;
      if (is_field) base.field = expression->text;
      if (base.known()) base.path.push_back(is_field ? expression->text : "[" + expression->text + "]");
      base.type = expression->type;
      return base;
    }
    case Expr::pointee: {
      const Value pointer = value(expression->base, frame);
      if (pointer.kind == Value::Kind::address) {
        Cell target = pointer.cell;
        if (target.type.empty()) target.type = expression->type;
        return target;
      }
      return cell;
    }
    default:
      return cell;
  }
}

std::string GraphBuilder::key(const Cell& cell) const {
  if (!cell.known() || cell.has_any_element()) return "";
  std::string text = std::to_string(cell.object);
  for (const std::string& part : cell.path) text += "." + part;
  return text;
}

bool GraphBuilder::same(const Value& a, const Value& b) {
  if (a.kind != b.kind || a.function != b.function || a.frame != b.frame || a.number != b.number) return false;
  return a.cell.object == b.cell.object && a.cell.path == b.cell.path && a.cell.field == b.cell.field &&
         (a.self == nullptr) == (b.self == nullptr) && (a.self == nullptr || same(*a.self, *b.self));
}

void GraphBuilder::remember(const Cell& cell, const Value& value) {
  const std::string name = key(cell);
  if (name.empty()) return;
  const auto [entry, is_new] = values_.emplace(name, value);
  if (!is_new && !same(entry->second, value)) entry->second = Value();
}

GraphBuilder::Value GraphBuilder::value(const FlowExprPtr& expression, const Frame* frame, int depth) {
  Value result;
  if (expression == nullptr || depth > 16) return result;
  switch (expression->kind) {
    case Expr::address:
      result.kind = Value::Kind::address;
      result.cell = place(expression->base, frame);
      if (!result.cell.known()) result.kind = Value::Kind::unknown;
      return result;
    case Expr::load: {
      const Cell cell = place(expression->base, frame);
      const std::string name = key(cell);
      const auto known = values_.find(name);
      if (!name.empty() && known != values_.end()) return known->second;
      // The value of a reference parameter that is bound to a lambda is kept with the frame.
      if (expression->base->kind == Expr::variable && frame != nullptr) {
        const auto bound = frame->references.find(expression->base->id);
        if (bound != frame->references.end() && bound->second.kind == Value::Kind::callable) return bound->second;
      }
      return result;
    }
    case Expr::function:
      result.kind = Value::Kind::callable;
      result.function = expression->id;
      if (expression->base != nullptr) result.self = std::make_shared<Value>(value(expression->base, frame, depth + 1));
      return result;
    case Expr::closure:
      result.kind = Value::Kind::callable;
      result.function = expression->id;
      result.frame = frame;
      return result;
    case Expr::allocation:
      result.kind = Value::Kind::address;
      result.cell.object = object_of(-1, expression->id, frame);
      return result;
    case Expr::constant:
      result.kind = Value::Kind::constant;
      result.number = expression->number;
      return result;
    case Expr::self: {
      const Frame* at = frame;
      while (at != nullptr && at->function >= 0 && function(at->function).is_lambda) at = at->closure;
      return at == nullptr ? result : at->self;
    }
    case Expr::result: {
      const FlowFunction& callee = function(expression->id);
      if (callee.result == nullptr || !callee.overriders.empty()) return result;
      Frame& made = new_frame(expression->id, frame);
      if (made.depth > kDepth) return result;
      if (expression->base != nullptr) made.self = value(expression->base, frame, depth + 1);
      std::vector<Value> arguments;
      for (const FlowExprPtr& argument : expression->arguments) arguments.push_back(value(argument, frame, depth + 1));
      bind(made, arguments, false);
      const Value back = value(callee.result, &made, depth + 1);
      // What the call made for itself is another object than the one its real frame has.
      if (back.kind == Value::Kind::address && back.cell.known() && graph_.object(back.cell.object).frame == made.id) {
        return result;
      }
      return back;
    }
    default:
      return result;
  }
}

// ---- calls in place ----

void GraphBuilder::bind(Frame& frame, const std::vector<Value>& arguments, bool copies) {
  const std::vector<int>& parameters = function(frame.function).parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const FlowVariable& parameter = variable(parameters[i]);
    Value argument = i < arguments.size() ? arguments[i] : Value();
    if (parameter.is_reference) {
      if (argument.kind == Value::Kind::constant && !copies) argument = Value();
      if (argument.kind == Value::Kind::constant) {
        // A thread has its own copy of what is not passed by std::ref.
        argument.kind = Value::Kind::address;
        argument.cell.object = object_of(parameters[i], -1, &frame);
        argument.cell.type = parameter.type;
      }
      frame.references[parameters[i]] = argument;
    } else if (!parameter.changes) {
      Cell cell;
      cell.object = object_of(parameters[i], -1, &frame);
      remember(cell, argument);
    }
  }
  for (const FlowCapture& capture : function(frame.function).captures) {
    if (capture.value == nullptr) continue;
    const Value copied = value(capture.value, frame.closure);
    if (capture.by_reference) {
      frame.references[capture.variable] = copied;
    } else {
      Cell cell;
      cell.object = object_of(capture.variable, -1, &frame);
      if (!variable(capture.variable).changes) remember(cell, copied);
      // A copy of a reference is an object of its own.
      Value own;
      own.kind = Value::Kind::address;
      own.cell = cell;
      own.cell.type = variable(capture.variable).type;
      if (variable(capture.variable).is_reference) frame.references[capture.variable] = own;
    }
  }
}

int GraphBuilder::put_callee(const Value& callee, const std::vector<Value>& arguments, const FlowEvent& event, int at,
                             Frame& frame, long trips, bool certain, Frame** made) {
  const FlowFunction& called = function(callee.function);
  if (!called.defined) return at;
  bool again = frame.depth > kDepth || graph_.nodes_.size() > kNodesForCalls;
  for (const Frame* outer = &frame; outer != nullptr && !again; outer = outer->caller) {
    again = outer->function == callee.function;
  }
  if (again) return put_hub({callee.function}, at, frame);
  Frame& inner = new_frame(callee.function, &frame);
  inner.closure = callee.frame;
  inner.trips = trips;
  inner.certain = certain;
  if (callee.self != nullptr) inner.self = *callee.self;
  bind(inner, arguments, frame.function < 0);
  if (made != nullptr) *made = &inner;
  const auto write_own = [&](int id, const SourcePlace& where) {
    FlowEvent write;
    write.kind = Event::write;
    write.where = where;
    write.declaration = true;
    Cell cell;
    cell.object = object_of(id, -1, &inner);
    cell.type = variable(id).type;
    at = append(at, Kind::write, write, inner, cell);
    node(at).unseen = true;
  };
  for (const int parameter : called.parameters) {
    if (variable(parameter).is_reference || !variable(parameter).escapes) continue;
    write_own(parameter, variable(parameter).where);
  }
  // What a lambda has copied: its own, written where it was made and handed over.
  for (const FlowCapture& capture : called.captures) {
    if (!capture.by_reference && variable(capture.variable).escapes) write_own(capture.variable, called.where);
  }
  static_cast<void>(event);
  return put(callee.function, inner, at);
}

int GraphBuilder::put(int id, Frame& frame, int at) {
  const FlowFunction& body = function(id);
  std::vector<int> starts(body.blocks.size(), -1);
  const long trips = frame.trips;
  const bool certain = frame.certain;
  for (std::size_t i = 0; i < body.blocks.size(); ++i) starts[i] = add_node(Kind::none, nullptr, frame);
  link(at, starts[static_cast<std::size_t>(body.entry)]);
  // Clang numbers blocks from the end. Earlier blocks are handled first, so that names are bound before their use.
  for (std::size_t i = body.blocks.size(); i-- > 0;) {
    const FlowBlock& block = body.blocks[i];
    const std::size_t outer_handlers = handlers_.size();
    if (program_.catches) {
      for (const FlowBlock::Edge& edge : block.next) {
        const std::size_t to = static_cast<std::size_t>(edge.to);
        if (body.blocks[to].handles) handlers_.push_back(starts[to]);
      }
    }
    int last = put_events(block.events, starts[i], frame, &block);
    handlers_.resize(outer_handlers);
    for (const FlowBlock::Edge& edge : block.next) {
      const int end = put_events(edge.events, last, frame, &block);
      link(end, starts[static_cast<std::size_t>(edge.to)]);
    }
  }
  frame.trips = trips;
  frame.certain = certain;
  return starts[static_cast<std::size_t>(body.exit)];
}

int GraphBuilder::put_events(const std::vector<FlowEvent>& events, int at, Frame& frame, const FlowBlock* block) {
  for (const FlowEvent& event : events) at = put_event(event, at, frame, block);
  return at;
}

std::vector<Cell> GraphBuilder::mutexes(const Cell& guard, bool& known) const {
  const auto entry = guards_.find(key(guard));
  known = entry != guards_.end() && !entry->second.empty();
  return known ? entry->second : std::vector<Cell>();
}

int GraphBuilder::put_event(const FlowEvent& event, int at, Frame& frame, const FlowBlock* block) {
  const long trips = block == nullptr ? frame.trips : frame.trips * block->trips;
  const bool certain = block != nullptr && block->certain && frame.certain;
  const auto finish = [&](int id) {
    node(id).trips = trips;
    node(id).certain = certain;
    return id;
  };
  switch (event.kind) {
    case Event::read:
    case Event::write: {
      Cell cell = place(event.place, &frame);
      if (cell.known() && graph_.object(cell.object).variable >= 0) {
        const FlowVariable& root = variable(graph_.object(cell.object).variable);
        if ((!root.is_static || root.per_thread) && !root.escapes) return at;
      }
      const int id = append(at, event.kind == Event::read ? Kind::read : Kind::write, event, frame, cell);
      if (event.value != nullptr) {
        const Value written = value(event.value, &frame);
        if (written.kind == Value::Kind::constant) node(id).constant = written.number;
      }
      return finish(id);
    }
    case Event::bind: {
      const Value bound = value(event.value, &frame);
      if (event.place->kind == Expr::variable) {
        const FlowVariable& named = variable(event.place->id);
        if (named.is_reference) {
          frame.references[event.place->id] = bound;
          return at;
        }
        if (named.changes) return at;
      } else if (event.place->kind == Expr::field && program_.changing_fields.contains(event.place->text)) {
        return at;
      }
      remember(place(event.place, &frame), bound);
      return at;
    }
    case Event::lock:
    case Event::unlock: {
      const Cell cell = place(event.place, &frame);
      if (event.kind == Event::lock) {
        return graph_.is_exact(cell) && !frame.hub ? finish(append(at, Kind::lock, event, frame, cell)) : at;
      }
      const bool sure = cell.known();
      return finish(append(at, sure ? Kind::unlock : Kind::unlock_all, event, frame, cell));
    }
    case Event::guard: {
      std::vector<Cell> cells;
      for (const FlowExprPtr& mutex : event.arguments) cells.push_back(place(mutex, &frame));
      const std::string name = key(place(event.place, &frame));
      const auto [entry, is_new] = guards_.emplace(name, cells);
      if (!is_new) {
        const bool same = std::equal(cells.begin(), cells.end(), entry->second.begin(), entry->second.end(),
                                     [&](const Cell& a, const Cell& b) { return a.known() && key(a) == key(b); });
        if (!same) entry->second.clear();  // unknown which
      }
      if (!event.locks || frame.hub) return at;
      for (const Cell& cell : cells) {
        if (graph_.is_exact(cell)) at = finish(append(at, Kind::lock, event, frame, cell));
      }
      return at;
    }
    case Event::guard_lock:
    case Event::guard_unlock: {
      bool known = false;
      const std::vector<Cell> cells = mutexes(place(event.place, &frame), known);
      if (event.kind == Event::guard_unlock && !known) return finish(append(at, Kind::unlock_all, event, frame, {}));
      for (const Cell& cell : cells) {
        if (event.kind == Event::guard_unlock) {
          at = finish(append(at, cell.known() ? Kind::unlock : Kind::unlock_all, event, frame, cell));
        } else if (graph_.is_exact(cell) && !frame.hub) {
          at = finish(append(at, Kind::lock, event, frame, cell));
        }
      }
      return at;
    }
    case Event::create: {
      const int id = finish(append(at, Kind::create, event, frame, {}));
      if (event.place != nullptr) node(id).cell = place(event.place, &frame);
      put_create(event, id, frame);
      return id;
    }
    case Event::call:
      return put_call(event, at, frame, block);
    case Event::join:
    case Event::join_all:
    case Event::pass:
    case Event::observe:
      if (frame.hub) return at;
      [[fallthrough]];
    case Event::arrive:
    case Event::barrier:
    case Event::spoil: {
      Kind kind = Kind::none;
      if (event.kind == Event::join) kind = Kind::join;
      if (event.kind == Event::join_all) kind = Kind::join_all;
      if (event.kind == Event::pass) kind = Kind::pass;
      if (event.kind == Event::observe) kind = Kind::observe;
      if (event.kind == Event::arrive) kind = Kind::arrive;
      if (event.kind == Event::barrier) kind = frame.hub ? Kind::spoil : Kind::barrier;
      if (event.kind == Event::spoil) kind = Kind::spoil;
      Cell cell = place(event.place, &frame);
      if (event.kind == Event::join) {
        // A future of a promise stands for the promise.
        const auto bound = values_.find(key(cell));
        if (bound != values_.end() && bound->second.kind == Value::Kind::address) {
          kind = Kind::pass;
          cell = bound->second.cell;
        }
      }
      return finish(append(at, kind, event, frame, cell));
    }
    case Event::may_throw: {
      const int id = finish(append(at, Kind::may_throw, event, frame, {}));
      for (const int handler : handlers_) link(id, handler);
      return id;
    }
  }
  return at;
}

int GraphBuilder::put_call(const FlowEvent& event, int at, Frame& frame, const FlowBlock* block) {
  if (frame.hub) return at;  // the hub has what is called
  const long around = block == nullptr ? frame.trips : frame.trips * block->trips;
  const long trips = event.any_times || event.until_true ? 0 : around;
  const bool certain = block != nullptr && block->certain && frame.certain && !event.optional && !event.any_times;
  std::vector<Value> callees;
  if (event.value != nullptr) {
    const Value called = value(event.value, &frame);
    if (called.kind == Value::Kind::callable) {
      callees.push_back(called);
    } else {
      return put_hub(callable_functions(), at, frame);
    }
  }
  std::vector<int> ids = event.callees;
  for (std::size_t i = 0; event.weak && i < ids.size(); ++i) {
    for (const int overrider : function(ids[i]).overriders) {
      if (std::find(ids.begin(), ids.end(), overrider) == ids.end()) ids.push_back(overrider);
    }
  }
  for (const int id : ids) {
    Value callee;
    callee.kind = Value::Kind::callable;
    callee.function = id;
    if (event.self != nullptr) callee.self = std::make_shared<Value>(value(event.self, &frame));
    callees.push_back(callee);
  }
  std::vector<Value> arguments;
  for (const FlowExprPtr& argument : event.arguments) arguments.push_back(value(argument, &frame));
  const int before = add_node(Kind::none, nullptr, frame);
  const int after = add_node(Kind::none, nullptr, frame);
  link(at, before);
  for (const Value& callee : callees) {
    Frame* made = nullptr;
    const int end = put_callee(callee, arguments, event, before, frame, trips, certain, &made);
    if (event.until_true) {
      // The predicate again and again; the lock is free in between.
      int held = end;
      FlowEvent step = event;
      step.kind = Event::guard_unlock;
      held = put_event(step, held, frame, block);
      step.kind = Event::guard_lock;
      held = put_event(step, held, frame, block);
      link(held, before);
      int passed = end;
      if (made != nullptr) passed = put_events(function(callee.function).truths, end, *made, nullptr);
      link(passed, after);
    } else if (event.any_times) {
      link(end, before);
      link(before, after);
    } else if (event.optional) {
      FlowEvent step = event;
      const Cell flag = place(event.place, &frame);
      const int arrived = append(end, Kind::arrive, step, frame, flag);
      node(arrived).once_flag = true;
      const int passed = append(arrived, Kind::pass, step, frame, flag);
      node(passed).once_flag = true;
      link(before, passed);
      link(passed, after);
    } else {
      link(end, after);
    }
  }
  if (callees.empty()) link(before, after);
  return after;
}

std::set<int> GraphBuilder::callable_functions() const {
  std::set<int> result;
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    if (program_.functions[i].address_taken) result.insert(static_cast<int>(i));
  }
  return result;
}

std::set<int> GraphBuilder::reachable(const std::set<int>& functions) const {
  std::set<int> seen;
  std::vector<int> open(functions.begin(), functions.end());
  bool all = false;
  const auto visit_expression = [&](const auto& self, const FlowExprPtr& expression) -> void {
    if (expression == nullptr) return;
    if (expression->kind == Expr::function || expression->kind == Expr::closure) open.push_back(expression->id);
    self(self, expression->base);
    for (const FlowExprPtr& argument : expression->arguments) self(self, argument);
  };
  while (!open.empty()) {
    const int id = open.back();
    open.pop_back();
    if (!seen.insert(id).second) continue;
    for (const int overrider : function(id).overriders) open.push_back(overrider);
    for (const FlowBlock& block : function(id).blocks) {
      for (const FlowEvent& event : block.events) {
        open.insert(open.end(), event.callees.begin(), event.callees.end());
        visit_expression(visit_expression, event.value);
        for (const FlowExprPtr& argument : event.arguments) visit_expression(visit_expression, argument);
        if (event.kind == Event::call && event.value != nullptr && event.value->kind != Expr::closure && !all) {
          all = true;
          const std::set<int> more = callable_functions();
          open.insert(open.end(), more.begin(), more.end());
        }
      }
    }
  }
  return seen;
}

int GraphBuilder::put_hub(const std::set<int>& functions, int at, Frame& frame) {
  const int hub = add_node(Kind::none, nullptr, frame);
  link(at, hub);
  for (const int id : reachable(functions)) {
    Frame& inner = new_frame(id, nullptr);
    inner.hub = true;
    inner.trips = 0;
    inner.certain = false;
    for (const FlowBlock& block : function(id).blocks) {
      for (const FlowEvent& event : block.events) {
        const int end = put_event(event, hub, inner, &block);
        if (end != hub) link(end, hub);
      }
    }
  }
  return hub;
}

// ---- threads ----

void GraphBuilder::put_create(const FlowEvent& event, int id, Frame& frame) {
  Pending pending{-1, value(event.value, &frame), {}};
  for (const FlowExprPtr& argument : event.arguments) pending.arguments.push_back(value(argument, &frame));
  const bool is_known = pending.callable.kind == Value::Kind::callable;
  const int entry_function = is_known ? pending.callable.function : -2;
  // A thread that starts threads of its own kind: they count as one.
  for (int outer = thread_, depth = 0; outer >= 0; outer = graph_.thread(outer).parent, ++depth) {
    if (graph_.thread(outer).function != entry_function && depth < 8) continue;
    GraphThread& again = graph_.threads_[static_cast<std::size_t>(outer)];
    again.creations.push_back(id);
    again.instances = 0;
    node(id).started = outer;
    return;
  }
  if (is_known && function(entry_function).is_method && pending.callable.self == nullptr &&
      !pending.arguments.empty()) {
    pending.callable.self = std::make_shared<Value>(pending.arguments.front());
    pending.arguments.erase(pending.arguments.begin());
  }
  // A jthread passes a stop token to a function that takes one.
  if (is_known && !function(entry_function).parameters.empty() &&
      function(entry_function).parameters.size() > pending.arguments.size() &&
      variable(function(entry_function).parameters[0]).type == "std::stop_token") {
    pending.arguments.insert(pending.arguments.begin(), Value());
  }
  pending.thread = static_cast<int>(graph_.threads_.size());
  const GraphThread& parent = graph_.thread(thread_);
  GraphThread made;
  made.name = is_known ? function(entry_function).name : "unknown";
  made.function = entry_function;
  made.parent = thread_;
  made.creations.push_back(id);
  made.instances = parent.instances * node(id).trips;
  made.certain = node(id).certain;
  if (event.place != nullptr) made.handle = node(id).cell;
  graph_.threads_.push_back(std::move(made));
  node(id).started = pending.thread;
  pending_.push_back(std::move(pending));
}

}  // namespace ravel
