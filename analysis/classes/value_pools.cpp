// SPDX-License-Identifier: Apache-2.0
#include "analysis/classes/value_pools.h"

#include <clang/AST/CXXInheritance.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/QualTypeNames.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include <algorithm>
#include <cctype>

namespace ravel {
namespace {

constexpr unsigned kDeepest = 3;  // objects that need objects that need objects
constexpr std::size_t kMostEnumerators = 8;

clang::PrintingPolicy policy_of(const clang::ASTContext& context) {
  clang::PrintingPolicy policy(context.getLangOpts());
  policy.SuppressTagKeyword = true;
  policy.SuppressScope = false;
  policy.Bool = true;
  return policy;
}

// Classes that the user wrote.
class ClassCollector : public clang::RecursiveASTVisitor<ClassCollector> {
 public:
  ClassCollector(const clang::ASTContext& context, const clang::CXXRecordDecl& base) : context_(context), base_(base) {}
  bool VisitCXXRecordDecl(clang::CXXRecordDecl* record) {  // NOLINT: the name is Clang's
    if (!record->isThisDeclarationADefinition() || record->isDependentContext() || record->isLambda()) return true;
    if (context_.getSourceManager().isInSystemHeader(record->getLocation())) return true;
    if (record->getDeclContext()->isFunctionOrMethod()) return true;
    if (!record->isAbstract() && record->isDerivedFrom(&base_)) found.push_back(record);
    return true;
  }
  std::vector<const clang::CXXRecordDecl*> found;

 private:
  const clang::ASTContext& context_;
  const clang::CXXRecordDecl& base_;
};

const clang::ClassTemplateSpecializationDecl* specialisation(const clang::CXXRecordDecl& record) {
  return llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record);
}

// The n-th type argument of a class template.
clang::QualType type_argument(const clang::CXXRecordDecl& record, unsigned n) {
  const auto* const special = specialisation(record);
  if (special == nullptr || special->getTemplateArgs().size() <= n) return {};
  const clang::TemplateArgument& argument = special->getTemplateArgs()[n];
  return argument.getKind() == clang::TemplateArgument::Type ? argument.getAsType() : clang::QualType();
}

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* one) { return name == one; });
}

}  // namespace

ValuePools::ValuePools(clang::ASTContext& context, const clang::CXXRecordDecl* tested, const HandleType* handle,
                       std::map<std::string, std::vector<std::string>> given)
    : context_(context), policy_(policy_of(context)), tested_(tested), handle_(handle), given_(std::move(given)) {}

std::string ValuePools::spelled(clang::QualType type) const {
  return clang::TypeName::getFullyQualifiedName(type, context_, policy_);
}

unsigned ValuePools::single_pool(const std::string& type, const std::string& value) {
  std::optional<unsigned>& known = known_[type + " " + value];
  if (!known) {
    known = static_cast<unsigned>(pools.size());
    pools.push_back({type, {value}});
  }
  return *known;
}

std::string ValuePools::slot_for_result(clang::QualType type) {
  const std::string text = spelled(type);
  std::string name;
  for (ListedPool& pool : pools) {
    if (pool.type != text && pool.type != "const " + text) continue;
    if (name.empty()) {
      name = slot_name(type->isPointerType() ? type->getPointeeType() : type);
      slots.push_back({name, text, ""});
    }
    pool.values.insert(pool.values.begin(), "$" + name);
  }
  return name;
}

std::string ValuePools::first_value(clang::QualType type) {
  const Values values = values_of(type, 0);
  return values.empty() ? "" : values.front();
}

std::optional<unsigned> ValuePools::pool_for(clang::QualType parameter) {
  if (handle_ != nullptr) {
    if (const std::string value = handle_->argument(parameter); !value.empty()) {
      return single_pool(spelled(parameter), value);
    }
  }
  const bool lvalue = parameter->isLValueReferenceType() && !parameter->getPointeeType().isConstQualified();
  const bool reference = parameter->isReferenceType();
  const clang::QualType type = parameter.getNonReferenceType().getUnqualifiedType();
  // Objects of the user's classes are shared by calls also where they are passed by const reference.
  const clang::CXXRecordDecl* const record = type->getAsCXXRecordDecl();
  const bool own = record != nullptr && !record->isInStdNamespace();
  const bool slot = lvalue || (reference && own && parameter->isLValueReferenceType());
  const std::string returned = spelled(type) + (slot ? "&" : "");
  if (const auto known = known_.find(returned); known != known_.end()) return known->second;
  Values values;
  if (const auto given = given_.find(spelled(type)); given != given_.end()) values = given->second;
  const Values made = slot ? slots_of(type, 0) : values_of(type, 0);
  values.insert(values.end(), made.begin(), made.end());
  std::optional<unsigned>& result = known_[returned];
  if (values.empty()) return result;
  result = static_cast<unsigned>(pools.size());
  pools.push_back({returned, values});
  return result;
}

ValuePools::Values ValuePools::values_of(clang::QualType type, unsigned depth) {
  const clang::QualType canonical = type.getCanonicalType().getUnqualifiedType();
  if (depth > kDeepest) return {};
  if (canonical->isBooleanType()) return {"true", "false"};
  if (const auto* const enumeration = canonical->getAs<clang::EnumType>()) {
    Values values;
    for (const clang::EnumConstantDecl* const one : enumeration->getDecl()->enumerators()) {
      if (values.size() < kMostEnumerators) values.push_back("::" + one->getQualifiedNameAsString());
    }
    return values;
  }
  if (canonical->isArithmeticType()) return numbers(type);
  if (canonical->isNullPtrType()) return {"nullptr"};
  if (canonical->isPointerType()) return pointers(canonical, depth);
  if (canonical->isRecordType()) return objects(type, depth);
  return {};
}

ValuePools::Values ValuePools::numbers(clang::QualType type) const {
  const clang::QualType canonical = type.getCanonicalType();
  if (canonical->isAnyCharacterType()) return {"'a'", "'\\0'", "'\\n'"};
  if (canonical->isFloatingType()) return {"1.0", "0.0", "-1.0", "100.0"};
  const bool wide = context_.getTypeSize(canonical) >= 32;
  const std::string most = "std::numeric_limits<" + spelled(type) + ">::max()";
  Values values = {"1", "0"};
  if (canonical->isSignedIntegerType()) values.emplace_back("-1");
  values.emplace_back("2");
  values.emplace_back(wide ? "10" : "7");
  values.push_back(most);
  return values;
}

ValuePools::Values ValuePools::pointers(clang::QualType type, unsigned depth) {
  const clang::QualType pointee = type->getPointeeType();
  const clang::QualType plain = pointee.getUnqualifiedType();
  if (pointee->isFunctionType()) return callables(pointee);
  if (plain->isAnyCharacterType() && pointee.isConstQualified()) return {"\"a\"", "\"\"", "\"hi!\""};
  Values values;
  if (const auto* const record = plain->getAsCXXRecordDecl()) {
    if (tested_ != nullptr && record->getCanonicalDecl() == tested_->getCanonicalDecl())
      values.emplace_back("&$object");
    for (const std::string& slot : slots_of(plain, depth)) values.push_back("&" + slot);
    values.emplace_back("nullptr");
    return values;
  }
  // A buffer, large enough for the lengths in the pools.
  if (plain->isVoidType() || plain->isArithmeticType()) {
    const std::string element = plain->isVoidType() ? "char" : spelled(plain);
    ListedSlot buffer{"", "std::vector<" + element + ">", "std::vector<" + element + ">(4096)"};
    std::string& name = buffers_[buffer.type];
    if (name.empty()) {
      name = buffer.name = slot_name(plain);
      slots.push_back(buffer);
    }
    return {"$" + name + ".data()", "nullptr"};
  }
  return {"nullptr"};
}

// std::function, or a pointer to a function: `type` is the function's.
ValuePools::Values ValuePools::callables(clang::QualType type) {
  const auto* const function = type->getAs<clang::FunctionProtoType>();
  if (function == nullptr) return {};
  std::string parameters;
  for (const clang::QualType parameter : function->getParamTypes()) {
    parameters += (parameters.empty() ? "" : ", ") + spelled(parameter);
  }
  const clang::QualType result = function->getReturnType();
  const std::string head = "[](" + parameters + ")";
  if (result->isVoidType()) return {head + " {}", "nullptr"};
  const std::string typed = head + " -> " + spelled(result);
  if (result->isBooleanType()) return {typed + " { return true; }", typed + " { return false; }", "nullptr"};
  if (result->isReferenceType()) return {"nullptr"};
  return {typed + " { return {}; }", "nullptr"};
}

ValuePools::Values ValuePools::objects(clang::QualType type, unsigned depth) {
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (record == nullptr) return {};
  // A container that the headers only mention has no definition yet.
  if (record->isInStdNamespace()) return standard_objects(type, record->getNameAsString(), depth);
  record = record->getDefinition();
  if (record == nullptr) return {};
  if (record->isAbstract()) return {};
  return constructions(*record, depth);
}

ValuePools::Values ValuePools::standard_objects(clang::QualType type, const std::string& name, unsigned depth) {
  const clang::CXXRecordDecl& record = *type->getAsCXXRecordDecl();
  const std::string text = spelled(type);
  const clang::QualType element = type_argument(record, 0);
  const auto one = [&](clang::QualType of) {
    const Values values = of.isNull() ? Values{} : values_of(of, depth + 1);
    return values.empty() ? std::string() : values.front();
  };
  if (is_one_of(name, {"basic_string", "basic_string_view"})) return {"\"a\"", "\"\"", "\"hi!\""};
  if (name == "function") {
    Values values = element.isNull() ? Values{} : callables(element);
    return values;
  }
  if (is_one_of(name, {"duration", "time_point"}))
    return {text + "{}", name == "duration" ? text + "(1)" : text + "{}"};
  if (is_one_of(name, {"unique_ptr", "shared_ptr", "weak_ptr"})) {
    Values values;
    if (name != "unique_ptr") {
      for (const std::string& slot : slots_of(type, depth + 1)) values.push_back(slot);
    } else if (const auto* const pointee = element.isNull() ? nullptr : element->getAsCXXRecordDecl()) {
      if (pointee->getDefinition() != nullptr) {
        for (const std::string& made : constructions(*pointee->getDefinition(), depth + 1)) {
          values.push_back(text + "(new " + made + ")");
        }
      }
    } else if (const std::string value = one(element); !value.empty()) {
      values.push_back(text + "(new " + spelled(element) + "(" + value + "))");
    }
    values.push_back(text + "()");
    return values;
  }
  if (is_one_of(name, {"vector", "list", "deque", "set", "unordered_set", "multiset", "forward_list"})) {
    Values values;
    if (const std::string value = one(element); !value.empty() && !value.starts_with(text)) {
      values.push_back(text + "{" + value + "}");
    }
    values.push_back(text + "{}");
    return values;
  }
  if (is_one_of(name, {"map", "unordered_map", "multimap"})) {
    const std::string key = one(element);
    const std::string value = one(type_argument(record, 1));
    Values values;
    if (!key.empty() && !value.empty()) values.push_back(text + "{{" + key + ", " + value + "}}");
    values.push_back(text + "{}");
    return values;
  }
  if (name == "pair") {
    const std::string first = one(element);
    const std::string second = one(type_argument(record, 1));
    return first.empty() || second.empty() ? Values{text + "{}"} : Values{text + "(" + first + ", " + second + ")"};
  }
  if (name == "optional") {
    const std::string value = one(element);
    return value.empty() ? Values{text + "()"} : Values{text + "(" + value + ")", text + "()"};
  }
  if (is_one_of(name, {"basic_ostream", "basic_istream", "basic_iostream"})) return {};  // by reference only
  if (record.hasDefinition() && record.hasDefaultConstructor() && !record.isAbstract()) return {text + "{}"};
  return {};
}

std::optional<std::string> ValuePools::arguments(const clang::CXXConstructorDecl& constructor, unsigned depth) {
  std::string text;
  for (unsigned i = 0; i < constructor.getMinRequiredArguments(); ++i) {
    const clang::QualType parameter = constructor.getParamDecl(i)->getType();
    const bool lvalue = parameter->isLValueReferenceType() && !parameter->getPointeeType().isConstQualified();
    const clang::QualType plain = parameter.getNonReferenceType().getUnqualifiedType();
    const Values values = lvalue ? slots_of(plain, depth + 1) : values_of(plain, depth + 1);
    if (values.empty()) return std::nullopt;
    text += (i > 0 ? ", " : "") + values.front();
  }
  return text;
}

ValuePools::Values ValuePools::constructions(const clang::CXXRecordDecl& record, unsigned depth) {
  constexpr std::size_t kMost = 2;
  if (depth > kDeepest) return {};
  const std::string name = spelled(context_.getRecordType(&record));
  Values values;
  if (record.isAbstract()) {
    for (const clang::CXXRecordDecl* const concrete : concrete_classes(record)) {
      const Values made = constructions(*concrete, depth + 1);
      if (!made.empty() && values.size() < kMost) values.push_back(made.front());
    }
    for (const std::string& made : stubs(record)) values.push_back(made);
    return values;
  }
  if (record.isAggregate()) return {name + "{}"};
  std::vector<const clang::CXXConstructorDecl*> constructors;
  for (const clang::CXXConstructorDecl* const one : record.ctors()) {
    if (one->isDeleted() || one->isCopyOrMoveConstructor() || one->getAccess() != clang::AS_public) continue;
    constructors.push_back(one);
  }
  if (constructors.empty() && record.needsImplicitDefaultConstructor()) return {name + "()"};
  std::stable_sort(constructors.begin(), constructors.end(), [](const auto* a, const auto* b) {
    return a->getMinRequiredArguments() < b->getMinRequiredArguments();
  });
  for (const clang::CXXConstructorDecl* const one : constructors) {
    if (const auto text = arguments(*one, depth); text && values.size() < kMost)
      values.push_back(name + "(" + *text + ")");
  }
  return values;
}

std::vector<const clang::CXXRecordDecl*> ValuePools::concrete_classes(const clang::CXXRecordDecl& base) const {
  ClassCollector collector(context_, base);
  collector.TraverseDecl(context_.getTranslationUnitDecl());
  return collector.found;
}

std::string ValuePools::stub(const clang::CXXRecordDecl& record, bool answer, bool& has_answer) {
  std::string text;
  clang::CXXFinalOverriderMap overriders;
  record.getFinalOverriders(overriders);
  for (const auto& [method, overriding] : overriders) {
    const clang::CXXMethodDecl* const last = overriding.begin()->second.front().Method;
    if (!last->isPureVirtual() || llvm::isa<clang::CXXDestructorDecl>(last)) continue;
    const clang::QualType result = last->getReturnType();
    std::string parameters;
    for (const clang::ParmVarDecl* const parameter : last->parameters()) {
      parameters += (parameters.empty() ? "" : ", ") + spelled(parameter->getType());
    }
    text += "  " + spelled(result) + " " + last->getNameAsString() + "(" + parameters + ")";
    text += last->isConst() ? " const" : "";
    text += last->getType()->castAs<clang::FunctionProtoType>()->isNothrow() ? " noexcept" : "";
    text += " override {";
    if (result->isBooleanType()) {
      has_answer = true;
      text += answer ? " return true; " : " return false; ";
    } else if (result->isReferenceType()) {
      const std::string held = spelled(result.getNonReferenceType().getUnqualifiedType());
      text += " static " + held + " value{}; return value; ";
    } else if (!result->isVoidType()) {
      text += " return {}; ";
    }
    text += "}\n";
  }
  return text;
}

ValuePools::Values ValuePools::stubs(const clang::CXXRecordDecl& record) {
  const std::string base = spelled(context_.getRecordType(&record));
  if (const auto known = known_stubs_.find(base); known != known_stubs_.end()) return known->second;
  Values values;
  bool has_answer = false;
  for (const bool answer : {true, false}) {
    const std::string body = stub(record, answer, has_answer);
    if (!answer && !has_answer) break;
    const std::string name = record.getNameAsString() + (has_answer ? answer ? "True" : "False" : "Stub");
    declarations += "struct " + name + " : " + base + " {\n" + body + "};\n";
    values.push_back(name + "()");
  }
  known_stubs_[base] = values;
  return values;
}

// "Handler" -> "handler1", "std::shared_ptr<Handler>" -> "handler1" as well.
std::string ValuePools::slot_name(clang::QualType type) {
  std::string name = "value";
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (record != nullptr && record->isInStdNamespace()) {
    const clang::QualType inner = type_argument(*record, 0);
    const auto* const held = inner.isNull() ? nullptr : inner->getAsCXXRecordDecl();
    if (held != nullptr) record = held;
  }
  if (record != nullptr && record->getIdentifier() != nullptr) name = record->getName().str();
  if (record == nullptr) name = type->isIntegerType() && type->getAs<clang::TypedefType>() != nullptr ? "id" : "buffer";
  name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
  for (unsigned number = 1;; ++number) {
    const std::string numbered = name + std::to_string(number);
    if (names_.insert(numbered).second) return numbered;
  }
}

ValuePools::Values ValuePools::slots_of(clang::QualType type, unsigned depth) {
  constexpr std::size_t kMost = 2;
  const std::string text = spelled(type);
  if (const auto known = known_slots_.find(text); known != known_slots_.end()) return known->second;
  known_slots_[text] = {};  // an object that needs one of its own kind
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  Values made;
  bool same_twice = false;  // two equal objects are still two
  if (record != nullptr && !record->isInStdNamespace()) record = record->getDefinition();
  if (record != nullptr && record->isInStdNamespace()) {
    const std::string name = record->getNameAsString();
    const clang::QualType element = type_argument(*record, 0);
    const auto* const held = element.isNull() ? nullptr : element->getAsCXXRecordDecl();
    if (name == "basic_ostream") made = {"std::ostringstream()"};
    if (name == "basic_istream") made = {"std::istringstream(\"a b 1\\n\")"};
    if (is_one_of(name, {"shared_ptr", "weak_ptr"}) && held != nullptr && held->getDefinition() != nullptr) {
      for (const std::string& one : constructions(*held->getDefinition(), depth + 1)) {
        made.push_back("std::shared_ptr<" + spelled(element) + ">(new " + one + ")");
      }
      same_twice = true;
    }
    if (made.empty() && name != "shared_ptr" && name != "weak_ptr") made = standard_objects(type, name, depth + 1);
  } else if (record != nullptr) {
    made = constructions(*record, depth);
    same_twice = true;
  } else {
    made = values_of(type, depth + 1);
    if (made.size() > 1) made.resize(1);
  }
  if (made.size() == 1 && same_twice) made.push_back(made.front());
  Values values;
  for (const std::string& one : made) {
    if (values.size() == kMost) break;
    // The type of a stub, or of a stream, is its own.
    const bool exact = record == nullptr || one.starts_with(text) || type->isArithmeticType();
    const std::string own = exact ? text : one.starts_with("std::shared_ptr") ? text : one.substr(0, one.find('('));
    const bool string = record != nullptr && record->getNameAsString().starts_with("basic_string");
    slots.push_back({slot_name(type), string ? text : own, string ? text + "(" + one + ")" : one});
    values.push_back("$" + slots.back().name);
  }
  known_slots_[text] = values;
  return values;
}

}  // namespace ravel
