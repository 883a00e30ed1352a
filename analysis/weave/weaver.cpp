// SPDX-License-Identifier: Apache-2.0
#include "analysis/weave/weaver.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace ravel {
namespace {

struct Piece {
  std::string text;
  int action = -1;
};

// Text at one offset. Closing text comes before opening text; of two that close, the inner one first, of two that open,
// the outer one.
struct Edit {
  unsigned offset = 0;
  bool opens = true;
  unsigned other_end = 0;
  std::vector<Piece> pieces;
};

struct Group {
  std::vector<int> before;
  std::vector<int> after;
};

using Key = std::tuple<InsertionForm, unsigned, unsigned>;

class EditWriter {
 public:
  explicit EditWriter(const std::vector<PlacedAction>& actions) : actions_(actions) {}

  void add(const Key& key, const Group& group) {
    const auto [form, begin, end] = key;
    std::vector<Piece> head;
    std::vector<Piece> tail;
    switch (form) {
      case InsertionForm::statement:
        put(head, "", group.before, " ");
        put(tail, " ", group.after, "");
        break;
      case InsertionForm::block:
        put(head, "{ ", {}, "");
        put(head, "", group.before, " ");
        put(tail, " ", group.after, "");
        put(tail, " }", {}, "");
        break;
      case InsertionForm::condition:
        lambda_before(group, head, tail);
        if (!group.after.empty()) {
          head.push_back({"[&](bool ravel_value) -> bool { ", -1});
          put(head, "", group.after, " ");
          head.push_back({"return ravel_value; }(static_cast<bool>(", -1});
          tail.push_back({"))", -1});
        }
        break;
      case InsertionForm::step:
        lambda_before(group, head, tail);
        if (!group.after.empty()) {
          head.push_back({"(static_cast<void>(", -1});
          tail.insert(tail.begin(), Piece{" }())", -1});
          std::vector<Piece> actions = {{"), [&] { ", -1}};
          put(actions, "", group.after, " ");
          tail.insert(tail.begin(), actions.begin(), actions.end());
        }
        break;
      case InsertionForm::value:
        head.push_back({"[&](auto ravel_value) { ", -1});
        put(head, "", group.after, " ");
        head.push_back({"return ravel_value; }(", -1});
        tail.push_back({")", -1});
        break;
    }
    if (!head.empty()) edits_.push_back({begin, true, end, std::move(head)});
    if (!tail.empty()) edits_.push_back({end, false, begin, std::move(tail)});
  }

  std::vector<Edit> take() {
    std::ranges::stable_sort(edits_, [](const Edit& a, const Edit& b) {
      if (a.offset != b.offset) return a.offset < b.offset;
      if (a.opens != b.opens) return !a.opens;
      return a.other_end > b.other_end;
    });
    return std::move(edits_);
  }

 private:
  void put(std::vector<Piece>& pieces, const std::string& before, const std::vector<int>& indices,
           const std::string& behind) const {
    if (indices.empty() && behind.empty() && before != " ") pieces.push_back({before, -1});
    for (const int index : indices) {
      if (!before.empty()) pieces.push_back({before, -1});
      pieces.push_back({actions_[static_cast<std::size_t>(index)].text, index});
      if (!behind.empty()) pieces.push_back({behind, -1});
    }
  }

  // A call of a lambda that holds the statements, before a comma: evaluated as often as the expression is.
  void lambda_before(const Group& group, std::vector<Piece>& head, std::vector<Piece>& tail) const {
    if (group.before.empty()) return;
    head.push_back({"([&] { ", -1});
    put(head, "", group.before, " ");
    head.push_back({"}(), (", -1});
    tail.push_back({"))", -1});
  }

  const std::vector<PlacedAction>& actions_;
  std::vector<Edit> edits_;
};

std::string line_directive(const std::string& path) {
  std::string name;
  for (const char c : path) {
    if (c == '"' || c == '\\') name += '\\';
    name += c;
  }
  return "#line 1 \"" + name + "\"\n";
}

}  // namespace

unsigned WovenFile::moved(unsigned original) const {
  unsigned result = original;
  for (const Inserted& piece : inserted) {
    if (piece.original <= original) result += piece.length;
  }
  return result;
}

unsigned WovenFile::original(unsigned offset) const {
  unsigned before = 0;
  for (const Inserted& piece : inserted) {
    const unsigned begin = piece.original + before;
    if (offset < begin) break;
    if (offset < begin + piece.length) return piece.original;
    before += piece.length;
  }
  return offset - before;
}

WovenFile weave(const std::string& text, const std::vector<PlacedAction>& actions) {
  std::map<Key, Group> groups;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const Insertion& where = actions[i].insertion;
    Group& group = groups[{where.form, where.begin, where.end}];
    (where.after ? group.after : group.before).push_back(static_cast<int>(i));
  }
  EditWriter writer(actions);
  for (const auto& [key, group] : groups) writer.add(key, group);

  WovenFile woven;
  woven.actions.resize(actions.size());
  unsigned from = 0;
  for (const Edit& edit : writer.take()) {
    woven.text.append(text, from, edit.offset - from);
    from = edit.offset;
    const std::size_t begin = woven.text.size();
    for (const Piece& piece : edit.pieces) {
      const auto at = static_cast<unsigned>(woven.text.size());
      woven.text += piece.text;
      if (piece.action >= 0) {
        woven.actions[static_cast<std::size_t>(piece.action)] = {at, static_cast<unsigned>(woven.text.size())};
      }
    }
    woven.inserted.push_back({edit.offset, static_cast<unsigned>(woven.text.size() - begin)});
  }
  woven.text.append(text, from);
  return woven;
}

std::string woven_head(const std::string& path) { return "#include <ravel/sync.h>\n" + line_directive(path); }

std::string checked_head(const std::string& path) {
  return "struct ravel_sync_site { const char* test; const char* event; const char* place; unsigned arrival; unsigned "
         "task; unsigned long arrivals; }; extern \"C\" { int ravel_sync_is_running(const char*); void "
         "ravel_sync_wait(struct ravel_sync_site*); void ravel_sync_notify(struct ravel_sync_site*); }\n" +
         line_directive(path);
}

}  // namespace ravel
