// SPDX-License-Identifier: Apache-2.0
// ClassListing: what a test can do with a class, as ravel-analyzer lists it (docs/formats/analyzer.md): calls, values
// for their parameters, and objects that calls share ("$name" in the text of a value). Functions over a handle are
// listed in the same way: a C library is a class then. Plain values.
//
// Who calls it: reproduce(), once. Thread safety: pure functions; list_class starts the analyzer.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/process/deadline.h"

namespace ravel {

enum class CallRole : std::uint8_t {
  constructor,
  pointer_factory,    // returns a pointer to the object
  reference_factory,  // returns a reference to it; or "*" in front of the call gives one
  value_factory,      // returns the object
  handle_maker,       // fills in the handle that it is passed
  method,
  function,  // static; or it takes the handle
};

struct ClassOperation {
  CallRole role = CallRole::method;
  std::string name;       // "app::Logger::log"
  std::string call;       // "log", "app::Logger::getAnonymousLogger"
  std::string signature;  // for people
  std::vector<unsigned> pools;
  bool is_const = false;
  bool is_instance = false;  // of a template, which may have others
  std::string before = {};   // of a handle_maker: the handle before the call
  std::string result = {};   // the slot that keeps what it returns; empty: none

  bool makes_object() const { return role != CallRole::method && role != CallRole::function; }
  std::string method() const;  // the last part of its name
};

struct ValuePool {
  std::string type;
  std::vector<std::string> values;
};

struct SharedSlot {
  std::string name;
  std::string type;
  std::string value;  // empty: results of calls are kept there
};

struct OperationLeftOut {
  std::string signature;
  std::string reason;
};

struct ClassListing {
  std::string name;
  std::string handle;  // its type: "db *"; empty for a class
  std::vector<ClassOperation> operations;
  std::vector<ValuePool> pools;
  std::vector<SharedSlot> slots;
  std::string declarations;
  std::vector<OperationLeftOut> left_out;
};

struct ListingRequest {
  std::string analyzer;  // ravel-analyzer
  std::vector<std::string> headers;
  std::string class_name;
  bool handle = false;                 // class_name is the type of a handle
  bool c_headers = false;              // as in BuildPlan
  std::vector<std::string> arguments;  // the compiler first
  std::string directory;
  std::map<std::string, std::vector<std::string>> values;
  Deadline deadline;
};

Result<ClassListing> list_class(const ListingRequest& request);

// An answer of the analyzer. The errors in it are returned as trouble.
Result<ClassListing> parse_listing(const std::string& answer);

}  // namespace ravel
