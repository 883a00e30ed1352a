// SPDX-License-Identifier: Apache-2.0
#include "analysis/classes/call_collector.h"

#include <clang/AST/DeclCXX.h>

#include <algorithm>
#include <map>

namespace ravel {
namespace {

// Something with an identity: a pointer to an object, or what the user gave a name of its own.
bool is_worth_keeping(clang::QualType result) {
  if (result->isReferenceType()) return false;
  if (result->isPointerType()) return result->getPointeeType()->isRecordType();
  if (const auto* const record = result->getAsCXXRecordDecl()) {
    return record->isInStdNamespace() && record->getNameAsString() == "shared_ptr";
  }
  const auto* const named = result->getAs<clang::TypedefType>();
  return named != nullptr && result->isIntegerType() && !named->getDecl()->isInStdNamespace() &&
         !named->getDecl()->getASTContext().getSourceManager().isInSystemHeader(named->getDecl()->getLocation());
}

}  // namespace

std::string CallCollector::signature(const clang::FunctionDecl& function, const std::string& arguments) const {
  std::string parameters;
  for (const clang::ParmVarDecl* const parameter : function.parameters()) {
    parameters += (parameters.empty() ? "" : ", ") + pools_.spelled(parameter->getType());
  }
  const auto* const method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  const bool is_const = method != nullptr && method->isConst();
  return function.getNameAsString() + arguments + "(" + parameters + ")" + (is_const ? " const" : "");
}

bool CallCollector::add(const clang::FunctionDecl& function, ListedOperation operation) {
  constexpr unsigned kMostParameters = 12;
  if (function.getNumParams() > kMostParameters) {
    leave_out(operation.signature, "it has too many parameters");
    return false;
  }
  for (unsigned i = static_cast<unsigned>(operation.pools.size()); i < function.getNumParams(); ++i) {
    const clang::QualType type = function.getParamDecl(i)->getType();
    const auto pool = pools_.pool_for(type);
    if (!pool && i >= function.getMinRequiredArguments()) break;
    if (!pool) {
      leave_out(operation.signature, "there are no values for a parameter of type " + pools_.spelled(type));
      return false;
    }
    operation.pools.push_back(*pool);
  }
  results_.resize(listing.operations.size());
  listing.operations.push_back(std::move(operation));
  results_.push_back(function.getReturnType());
  return true;
}

void CallCollector::connect_results() {
  results_.resize(listing.operations.size());
  std::map<std::string, std::string> slots;
  for (std::size_t i = 0; i < results_.size(); ++i) {
    ListedOperation& operation = listing.operations[i];
    if (operation.kind != ListedKind::method && operation.kind != ListedKind::function) continue;
    if (results_[i].isNull() || !is_worth_keeping(results_[i])) continue;
    const clang::QualType type = results_[i].getUnqualifiedType();
    const std::string text = pools_.spelled(type);
    std::string& slot = slots[text];
    if (slot.empty()) slot = pools_.slot_for_result(type);
    operation.result = slot;
  }
}

bool CallCollector::makes_objects() const {
  return std::any_of(listing.operations.begin(), listing.operations.end(), [](const ListedOperation& one) {
    return one.kind != ListedKind::method && one.kind != ListedKind::function;
  });
}

ClassListing CallCollector::take() {
  connect_results();
  listing.pools = std::move(pools_.pools);
  listing.slots = std::move(pools_.slots);
  listing.declarations = std::move(pools_.declarations);
  return std::move(listing);
}

}  // namespace ravel
