// SPDX-License-Identifier: Apache-2.0
// ClassListing: what a test can do with a class: the calls of its public interface, and values for their parameters.
// C++ text throughout; "$name" in it stands for a slot, "$object" for the object, or for the handle. Plain values.
//
// Who makes it: class_lister and handle_lister. Who reads it: the driver, which writes a harness from it
// (docs/formats/analyzer.md).
#pragma once

#include <string>
#include <vector>

namespace ravel {

// An object that calls share: what one call adds, another can remove; or what one call returned, another can take.
struct ListedSlot {
  std::string name;
  std::string type;
  std::string value;  // an expression of that type; empty: calls fill it in (ListedOperation::result)
};

struct ListedPool {
  std::string type;  // what a function that returns one of the values returns
  std::vector<std::string> values;
};

enum class ListedKind {
  constructor,
  pointer_factory,
  reference_factory,
  value_factory,
  handle_maker,  // fills in the handle that it is passed
  method,
  function,
};

struct ListedOperation {
  ListedKind kind = ListedKind::method;
  std::string name;             // "app::Logger::log"
  std::string call;             // "log", "Logger::getAnonymousLogger"
  std::string signature;        // for people: "log(Level, const std::string &)"
  std::vector<unsigned> pools;  // one for each parameter
  bool is_const = false;
  bool is_instance = false;  // of a template; there are more with the same name
  std::string before;        // of a handle_maker: what the handle is before the call
  std::string result;        // the slot that keeps what it returns; empty: nobody needs it
};

struct LeftOut {
  std::string signature;
  std::string reason;
};

struct ClassListing {
  std::string name;    // fully qualified
  std::string handle;  // not empty: no class, but functions over a handle of this type
  std::string error;   // not empty: there is no such class, or no object of it can be made
  std::vector<ListedOperation> operations;
  std::vector<ListedPool> pools;
  std::vector<ListedSlot> slots;  // each uses only slots before it
  std::string declarations;       // stubs of abstract classes
  std::vector<LeftOut> left_out;
};

}  // namespace ravel
