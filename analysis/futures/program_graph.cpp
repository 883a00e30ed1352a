// SPDX-License-Identifier: Apache-2.0
#include "analysis/futures/program_graph.h"

#include <algorithm>

#include "analysis/futures/graph_builder.h"

namespace ravel {

bool Cell::has_any_element() const { return std::find(path.begin(), path.end(), "[]") != path.end(); }

bool ProgramGraph::build(const FlowProgram& program) {
  program_ = &program;
  return GraphBuilder(*this).build();
}

namespace {

// One may be a part of the other.
bool paths_meet(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    const bool elements = a[i].starts_with("[") && b[i].starts_with("[");
    if (a[i] != b[i] && !(elements && (a[i] == "[]" || b[i] == "[]"))) return false;
  }
  return true;
}

std::string class_of(const std::string& field) { return field.substr(0, field.rfind("::")); }

}  // namespace

bool ProgramGraph::may_overlap(const Cell& a, const Cell& b) const {
  if (a.known() && b.known()) {
    const GraphObject& first = object(a.object);
    const GraphObject& second = object(b.object);
    const bool same =
        a.object == b.object || (first.variable == second.variable && first.allocation == second.allocation &&
                                 (first.frame < 0 || second.frame < 0));
    return same && paths_meet(a.path, b.path);
  }
  const Cell& open = a.known() ? b : a;
  const Cell& other = a.known() ? a : b;
  // An iterator's element, and the container as a whole.
  const auto holds = [](const Cell& container, const Cell& element) {
    return container.type.starts_with("std::") && element.field.empty() && !element.type.empty() &&
           container.type.find(element.type) != std::string::npos;
  };
  if (holds(other, open) || (!other.known() && holds(open, other))) return true;
  if (other.known() && object(other.object).variable >= 0) {
    const FlowVariable& variable = program_->variables[static_cast<std::size_t>(object(other.object).variable)];
    // Nothing else has its address; as a member of a class it may be reached through `this`.
    if (!variable.escapes && other.field.empty()) return false;
  }
  if (!open.field.empty() && !other.field.empty()) {
    if (open.field == other.field) return true;
    // A field that is an object of its own, and a field of that.
    return open.type == class_of(other.field) || other.type == class_of(open.field);
  }
  // Memory without a type, and memory with several.
  const auto any = [&](const Cell& cell) { return cell.type == "void" || program_->unions.contains(cell.type); };
  if (any(open) || any(other)) return true;
  if (open.type == other.type) {
    const std::string& field = open.field.empty() ? other.field : open.field;
    return field.empty() || program_->exposed_fields.contains(field);
  }
  // A whole object, and one of its fields.
  return (open.field.empty() && !other.field.empty() && open.type == class_of(other.field)) ||
         (other.field.empty() && !open.field.empty() && other.type == class_of(open.field));
}

bool ProgramGraph::is_exact(const Cell& cell) const {
  if (!cell.known() || cell.has_any_element()) return false;
  const GraphObject& found = object(cell.object);
  return found.unique && (found.thread < 0 || thread(found.thread).once());
}

bool ProgramGraph::covers(const Cell& a, const Cell& b) const {
  if (!is_exact(a) || !b.known() || a.object != b.object || a.path.size() > b.path.size()) return false;
  return std::equal(a.path.begin(), a.path.end(), b.path.begin());
}

bool ProgramGraph::overwrites(const GraphNode& node) const {
  return node.kind == GraphNode::Kind::write && !node.weak && is_exact(node.cell);
}

std::string ProgramGraph::name(const Cell& cell) const {
  std::string text;
  if (!cell.field.empty()) {
    text = cell.field;
  } else if (!cell.known()) {
    return "*(" + cell.type + "*)";
  } else if (object(cell.object).variable >= 0) {
    text = program_->variables[static_cast<std::size_t>(object(cell.object).variable)].name;
  } else {
    text = "new " + cell.type;
  }
  for (std::size_t i = cell.path.size(); i > 0 && cell.path[i - 1].starts_with("["); --i) {
    if (i == 1 || !cell.path[i - 2].starts_with("[")) {
      for (std::size_t at = i - 1; at < cell.path.size(); ++at) text += cell.path[at];
    }
  }
  return text;
}

}  // namespace ravel
