// SPDX-License-Identifier: Apache-2.0
#include "driver/reproduce/harness_writer.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace ravel {
namespace {

// Text that knows on which line it is.
class Source {
 public:
  void add(const std::string& text) {
    text_ += text;
    line_ += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  std::size_t line() const { return line_; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  std::size_t line_ = 1;
};

std::string in_harness(const ClassListing& listing, const std::string& text) {
  return with_slots(text, "ravel_slot_", "()", listing.handle.empty() ? "(*ravel_object)" : "ravel_object");
}

// What a prefix returns is kept; at the same time as other calls, nobody could say when.
std::string kept(const ClassOperation& operation, const std::string& call) {
  const std::string plain = fmt::format("static_cast<void>({});", call);
  if (operation.result.empty()) return plain;
  return fmt::format("if (ravel_harness::keeps_results) ravel_slot_{}() = {}; else {}", operation.result, call, plain);
}

std::string call_text(const ClassOperation& operation) {
  std::string arguments;
  for (std::size_t i = 0; i < operation.pools.size(); ++i) {
    arguments += fmt::format("{}ravel_pool_{}(value[{}])", i == 0 ? "" : ", ", operation.pools[i], i);
  }
  const std::string call = fmt::format("{}({})", operation.call, arguments);
  switch (operation.role) {
    case CallRole::constructor:
      return fmt::format("ravel_object = new {};", call);
    case CallRole::pointer_factory:
      return fmt::format("ravel_object = ravel_harness::made({});", call);
    case CallRole::handle_maker:
      return fmt::format("ravel_object = {}; static_cast<void>({}); ravel_harness::made(ravel_object);",
                         operation.before, call);
    case CallRole::reference_factory:
      // What a smart pointer points to stays, because nobody destroys the pointer.
      if (call.starts_with("*")) {
        return fmt::format("auto* const kept = new auto({}); ravel_object = &**kept;", call.substr(1));
      }
      return fmt::format("ravel_object = &{};", call);
    case CallRole::value_factory:
      return fmt::format("ravel_object = new ravel_class({});", call);
    case CallRole::function:
      return kept(operation, call);
    case CallRole::method:
      break;
  }
  return kept(operation, "ravel_object->" + call);
}

}  // namespace

std::string with_slots(const std::string& text, const std::string& before, const std::string& after,
                       const std::string& object) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$') {
      result += text[i];
      continue;
    }
    std::string name;
    while (i + 1 < text.size() && (std::isalnum(static_cast<unsigned char>(text[i + 1])) != 0 || text[i + 1] == '_')) {
      name += text[++i];
    }
    result += name == "object" ? object : before + name + after;
  }
  return result;
}

std::vector<std::string> slots_in(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t at = text.find('$'); at != std::string::npos; at = text.find('$', at + 1)) {
    std::size_t end = at + 1;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
    const std::string name = text.substr(at + 1, end - at - 1);
    if (name != "object") names.push_back(name);
  }
  return names;
}

std::string include_lines(const std::vector<std::string>& headers, bool c) {
  std::string text = c ? "extern \"C\" {\n" : "";
  for (const std::string& header : headers) text += fmt::format("#include \"{}\"\n", header);
  return text + (c ? "}\n" : "");
}

HarnessSource write_harness(const ClassListing& listing, const std::string& includes) {
  HarnessSource result;
  Source source;
  source.add(fmt::format("// The calls of {}, for ravel reproduce. Generated.\n", listing.name));
  source.add(includes);
  source.add(
      "#include <ravel/harness.h>\n#include <limits>\n#include <memory>\n#include <sstream>\n#include <vector>\n");
  if (listing.handle.empty()) {
    source.add(fmt::format("using ravel_class = {};\nstatic ravel_class* ravel_object = nullptr;\n", listing.name));
  } else {
    source.add(fmt::format("static {} ravel_object = nullptr;\n", listing.handle));
  }
  source.add(listing.declarations);
  for (const SharedSlot& slot : listing.slots) {
    const std::size_t first = source.line();
    source.add(
        fmt::format("RAVEL_HARNESS_CODE static {0}& ravel_slot_{1}() {{ static {0}* const made = new {0}({2}); "
                    "return *made; }}\n",
                    slot.type, slot.name, in_harness(listing, slot.value)));
    result.slots.push_back({first, source.line() - 1});
  }
  for (std::size_t i = 0; i < listing.pools.size(); ++i) {
    source.add(fmt::format("RAVEL_HARNESS_CODE static {} ravel_pool_{}(int which) {{\n  switch (which) {{\n",
                           listing.pools[i].type, i));
    result.values.emplace_back();
    for (std::size_t k = 0; k < listing.pools[i].values.size(); ++k) {
      const std::size_t first = source.line();
      source.add(fmt::format("    case {}: return {};\n", k, in_harness(listing, listing.pools[i].values[k])));
      result.values.back().push_back({first, source.line() - 1});
    }
    source.add("    default: std::abort();\n  }\n}\n");
  }
  for (std::size_t i = 0; i < listing.operations.size(); ++i) {
    const std::size_t first = source.line();
    source.add(fmt::format("RAVEL_HARNESS_CODE static void ravel_call_{}(const int* value) {{ (void)value; {} }}\n", i,
                           call_text(listing.operations[i])));
    result.operations.push_back({first, source.line() - 1});
  }
  source.add("static const ravel_harness::HarnessOperation ravel_operations[] = {\n");
  for (std::size_t i = 0; i < listing.operations.size(); ++i) {
    source.add(fmt::format("  {{{}, ravel_call_{}}},\n", listing.operations[i].pools.size(), i));
  }
  source.add("};\nstatic void (*ravel_slots[])() = {\n");
  for (const SharedSlot& slot : listing.slots) {
    source.add(fmt::format("  []() RAVEL_HARNESS_CODE {{ ravel_slot_{}(); }},\n", slot.name));
  }
  source.add(
      fmt::format("  nullptr}};\nint main(int argc, char** argv) {{\n"
                  "  const ravel_harness::Harness harness = {{ravel_operations, {}, ravel_slots, {},\n"
                  "    []() -> const void* {{ return ravel_object; }}, ravel_harness::size_of(ravel_object)}};\n"
                  "  return ravel_harness::run(harness, argc, argv);\n}}\n",
                  listing.operations.size(), listing.slots.size()));
  result.text = source.take();
  return result;
}

}  // namespace ravel
