// SPDX-License-Identifier: Apache-2.0
#include "driver/reproduce/test_writer.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "driver/crash/function_name.h"
#include "driver/reproduce/harness_writer.h"

namespace ravel {
namespace {

// "app::Ring<int>" -> "ring".
std::string object_name(const ClassListing& listing) {
  if (!listing.handle.empty()) return "handle";
  const std::string plain = without_arguments(listing.name);
  std::string name = plain.substr(plain.rfind(':') == std::string::npos ? 0 : plain.rfind(':') + 1);
  name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
  const auto taken = [&](const SharedSlot& slot) { return slot.name == name; };
  return name == listing.name || std::any_of(listing.slots.begin(), listing.slots.end(), taken) ? name + "_object"
                                                                                                : name;
}

std::string arguments_of(const ClassListing& listing, const Call& call) {
  const ClassOperation& operation = listing.operations[call.operation];
  std::string text;
  for (std::size_t i = 0; i < call.values.size(); ++i) {
    const std::string& value = listing.pools[operation.pools[i]].values[call.values[i]];
    text += (i == 0 ? "" : ", ") + with_slots(value, "", "", object_name(listing));
  }
  return text;
}

void add_slots(const ClassListing& listing, const std::string& text, std::vector<std::string>& used) {
  for (const std::string& name : slots_in(text)) {
    if (std::find(used.begin(), used.end(), name) != used.end()) continue;
    for (const SharedSlot& slot : listing.slots) {
      if (slot.name == name) add_slots(listing, slot.value, used);
    }
    used.push_back(name);
  }
}

// Slots that the test needs, in the order of the listing.
std::vector<const SharedSlot*> used_slots(const ClassListing& listing, const TestCandidate& test) {
  std::vector<std::string> names;
  const auto add = [&](const Sequence& sequence) {
    for (const Call& call : sequence) {
      for (std::size_t i = 0; i < call.values.size(); ++i) {
        add_slots(listing, listing.pools[listing.operations[call.operation].pools[i]].values[call.values[i]], names);
      }
    }
  };
  add(test.prefix);
  for (const Sequence& suffix : test.suffixes) add(suffix);
  std::vector<const SharedSlot*> slots;
  for (const SharedSlot& slot : listing.slots) {
    if (std::find(names.begin(), names.end(), slot.name) != names.end()) slots.push_back(&slot);
  }
  return slots;
}

// A result that no call of the prefix left is written as what it is: nothing.
ClassListing without_empty_results(ClassListing listing, const TestCandidate& test) {
  for (const SharedSlot& slot : listing.slots) {
    const bool filled = std::any_of(test.prefix.begin(), test.prefix.end(), [&](const Call& call) {
      return listing.operations[call.operation].result == slot.name;
    });
    if (filled || !slot.value.empty()) continue;
    for (ValuePool& pool : listing.pools) {
      std::replace(pool.values.begin(), pool.values.end(), "$" + slot.name,
                   slot.type.ends_with("*") ? std::string("nullptr") : slot.type + "{}");
    }
  }
  return listing;
}

// Only the stubs that the test uses.
std::string used_declarations(const std::string& declarations, const std::string& body) {
  std::string used;
  for (std::size_t at = 0; at < declarations.size();) {
    const std::size_t end = declarations.find("\n};\n", at) + 4;
    const std::string one = declarations.substr(at, end - at);
    const std::string name = one.substr(7, one.find(' ', 7) - 7);  // "struct NAME : BASE {"
    if (body.find(name + "(") != std::string::npos) used += one;
    at = end;
  }
  return used.empty() ? "" : used + "\n";
}

}  // namespace

std::string call_text(const ClassListing& listing, const Call& call) {
  const ClassOperation& operation = listing.operations[call.operation];
  const std::string arguments = arguments_of(listing, call);
  const std::string object = object_name(listing);
  switch (operation.role) {
    case CallRole::constructor:
      return arguments.empty() ? fmt::format("{} {}", operation.call, object)
                               : fmt::format("{} {}({})", operation.call, object, arguments);
    case CallRole::handle_maker:
      return fmt::format("{} {} = {};\n  {}({})", listing.handle, object, operation.before, operation.call, arguments);
    case CallRole::pointer_factory:
      if (!listing.handle.empty()) {
        return fmt::format("{} {} = {}({})", listing.handle, object, operation.call, arguments);
      }
      return fmt::format("{}& {} = *{}({})", listing.name, object, operation.call, arguments);
    case CallRole::reference_factory:
      if (operation.call.starts_with("*")) {
        return fmt::format("const auto made = {}({});\n  {}& {} = *made", operation.call.substr(1), arguments,
                           listing.name, object);
      }
      return fmt::format("{}& {} = {}({})", listing.name, object, operation.call, arguments);
    case CallRole::value_factory:
      return fmt::format("{} {} = {}({})", listing.name, object, operation.call, arguments);
    case CallRole::function:
      return fmt::format("{}({})", operation.call, arguments);
    case CallRole::method:
      break;
  }
  return fmt::format("{}.{}({})", object, operation.call, arguments);
}

std::size_t test_size(const ClassListing& listing, const TestCandidate& test) {
  const std::vector<const SharedSlot*> slots = used_slots(listing, test);
  const auto made =
      std::count_if(slots.begin(), slots.end(), [](const SharedSlot* slot) { return !slot->value.empty(); });
  return test.calls() + static_cast<std::size_t>(made);
}

std::string write_test(const ClassListing& given, const TestCandidate& test, const TestText& text) {
  const ClassListing listing = without_empty_results(given, test);
  std::string body;
  const std::vector<const SharedSlot*> slots = used_slots(listing, test);
  for (const SharedSlot* const slot : slots) {
    const std::string value = with_slots(slot->value, "", "", object_name(listing));
    body += value.empty() ? fmt::format("  {} {}{{}};\n", slot->type, slot->name)
                          : fmt::format("  auto {} = {};\n", slot->name, value);
  }
  for (const Call& call : test.prefix) {
    const std::string& result = listing.operations[call.operation].result;
    const bool keeps =
        std::any_of(slots.begin(), slots.end(), [&](const SharedSlot* slot) { return slot->name == result; });
    body += fmt::format("  {}{};\n", keeps ? result + " = " : "", call_text(listing, call));
  }
  for (std::size_t i = 0; i < test.suffixes.size(); ++i) {
    std::string calls;
    for (const Call& call : test.suffixes[i]) calls += fmt::format("{}; ", call_text(listing, call));
    body +=
        fmt::format("  std::thread thread{}([&] {{ {}}});{}\n", i + 1, calls, i == 0 ? "  // the crashing method" : "");
  }
  for (std::size_t i = 0; i < test.suffixes.size(); ++i) body += fmt::format("  thread{}.join();\n", i + 1);

  std::string result;
  for (const std::string& comment : text.comments) result += fmt::format("// {}\n", comment);
  if (text.googletest) result += "#include <gtest/gtest.h>\n#include <ravel/explore.h>\n\n";
  result += text.includes +
            "\n#include <limits>\n#include <memory>\n#include <sstream>\n#include <thread>\n#include <vector>\n\n";
  result += used_declarations(listing.declarations, body);
  result += text.googletest ? "RAVEL_TEST(Reproduced, Crash) {\n" : "int main() {\n";
  return result + body + "}\n";
}

}  // namespace ravel
